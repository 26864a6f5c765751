import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import { type Sentinel, startSentinel } from './postgres.ts'

/** How a primary fails: cut off by `kill -9`, gone without closing a connection, or stopped by its operator. */
export const waysToFail = ['killed', 'frozen', 'stopped'] as const
export type WayToFail = (typeof waysToFail)[number]

/** A primary and its synchronous standby: a commit is confirmed once both have it on disk. */
export type PostgresPair = {
  /** Creates a database and returns a connection string that names both servers. */
  createDatabase(name: string): Promise<string>
  /** The primary alone. */
  primaryUrl(database: string): string
  failPrimary(how: WayToFail): Promise<void>
  /** Makes the standby the primary. It confirms commits alone until `rebuild`. */
  promoteStandby(): Promise<void>
  /** Makes the failed server the new primary's synchronous standby. */
  rebuild(): Promise<void>
  close(): Promise<void>
}

type Server = { sentinel: Sentinel; url: string; data: string }

export async function startPair(): Promise<PostgresPair> {
  const first = startSentinel({ durable: true })
  const second = startSentinel({ durable: true })
  const close = async () => {
    await Promise.all([first.release(), second.release()])
  }
  try {
    let primary: Server = { sentinel: first, ...(await first.ask('start')) }
    let standby: Server = { sentinel: second, ...(await follow(second, primary)) }
    await waitForStandby(primary)
    const ports = [primary, standby].map(({ url }) => new URL(url).port)
    return {
      async createDatabase(name) {
        await query(primary.url, `create database ${name} template template0`)
        const { username, password } = new URL(primary.url)
        const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',')
        return `postgres://${username}:${password}@${hosts}/${name}?target_session_attrs=read-write`
      },
      primaryUrl: (database) => Object.assign(new URL(primary.url), { pathname: `/${database}` }).href,
      async failPrimary(how) {
        await primary.sentinel.ask(how === 'killed' ? 'kill' : how === 'frozen' ? 'freeze' : 'stop fast')
      },
      async promoteStandby() {
        await query(standby.url, 'select pg_promote(true, 300)')
        ;[primary, standby] = [standby, primary]
      },
      async rebuild() {
        // A frozen one must never wake up as a second primary.
        await standby.sentinel.ask('kill')
        standby = { ...standby, ...(await follow(standby.sentinel, primary)) }
        await waitForStandby(primary)
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function follow(sentinel: Sentinel, { url, data }: Server): Promise<{ url: string; data: string }> {
  await sentinel.ask(`follow ${JSON.stringify({ url, data })}`)
  return sentinel.ask('start')
}

/** From now on, the primary confirms a commit only once the standby has it. */
async function waitForStandby({ url }: Server): Promise<void> {
  await query(url, `alter system set synchronous_standby_names = 'standby'`)
  await query(url, 'select pg_reload_conf()')
  const inSync = `select from pg_stat_replication where sync_state = 'sync' and state = 'streaming'`
  const deadline = performance.now() + 5 * 60_000
  while ((await query(url, inSync)) === 0) {
    if (performance.now() > deadline) throw new Error('The standby did not catch up')
    await setTimeout(50)
  }
}

async function query(url: string, statement: string): Promise<number> {
  const client = new Client(url)
  try {
    await client.connect()
    return (await client.query(statement)).rowCount ?? 0
  } finally {
    await client.end()
  }
}
