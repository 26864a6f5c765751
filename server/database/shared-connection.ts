import type pg from 'pg'
import { isConnectionLost } from './failures.ts'

export type ConnectionSource = {
  connect(): Promise<pg.PoolClient>
  /** Whether somebody waits for a connection, or for all of them to close. */
  isAwaited(): boolean
}

type Shared = { client: Promise<pg.PoolClient>; isSettled: boolean; isBroken: boolean; users: number }

/**
 * Statements outside of transactions use the same connection at the same time: each is sent without waiting for the answers
 * to those before it. As soon as somebody waits for a connection of their own, later statements wait behind them.
 */
export function shareConnection(source: ConnectionSource) {
  let current: Shared | null = null

  function open(): Shared {
    const opened: Shared = { client: source.connect(), isSettled: false, isBroken: false, users: 0 }
    const settle = () => {
      opened.isSettled = true
    }
    opened.client.then(settle, settle)
    return opened
  }

  function isJoinable({ isSettled, isBroken }: Shared): boolean {
    return !isBroken && !(isSettled && source.isAwaited())
  }

  async function leave(shared: Shared): Promise<void> {
    shared.users -= 1
    if (shared.users > 0) return
    if (current === shared) current = null
    await shared.client.then(
      (client) => client.release(shared.isBroken),
      () => {},
    )
  }

  return async <Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> => {
    if (!current || !isJoinable(current)) current = open()
    const shared = current
    shared.users += 1
    try {
      return await work(await shared.client)
    } catch (error) {
      shared.isBroken ||= isConnectionLost(error)
      throw error
    } finally {
      await leave(shared)
    }
  }
}
