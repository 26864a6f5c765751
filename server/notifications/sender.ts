import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../database/database.ts'
import { SecretUnreadable, type Unseal } from '../endpoints/secrets.ts'
import type { Channel } from './message.ts'
import {
  type ClaimedMessage,
  claimMessage,
  discardMessage,
  type ReadableMessage,
  recordFailure,
  recordSent,
  type SendProblem,
  unsealMessage,
} from './outbox.ts'

/** `discarded`: nobody is left to send it to. `isFinal`: trying again is useless. `detail` goes to the log. */
export type SendResult =
  | { outcome: 'sent' }
  | { outcome: 'discarded' }
  | ({ outcome: 'failed'; isFinal: boolean; detail: string } & SendProblem)

export type SendOutcome = 'sent' | 'discarded' | 'postponed' | 'dropped'

export type SenderDependencies = {
  database: Database
  channel: Channel
  unseal: Unseal
  send(message: ReadableMessage): Promise<SendResult>
  logger: { info(fields: object, text: string): void; warn(fields: object, text: string): void }
  report: (problem: string, error: unknown) => void
  observe?: ((channel: Channel, outcome: SendOutcome) => void) | undefined
  pollMilliseconds?: number
}

// Few at once, because each may use a database connection while it is recorded. A server that is slow to reply delays the
// others by minutes at most: then its message is postponed, and the next ones have their turn.
const maxConcurrent = 3
const stopMilliseconds = 5_000

/** Sends one channel's messages as they become due. Any number of processes can do this at the same time. */
export function startSender(dependencies: SenderDependencies): { stop(): Promise<void> } {
  const { database, channel, report, pollMilliseconds = 2_000 } = dependencies
  const stopping = new AbortController()
  const { signal } = stopping
  const running = new Set<Promise<void>>()

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const message = running.size < maxConcurrent ? await claim() : null
      if (message) start(message)
      else await Promise.race([pause(pollMilliseconds), ...running])
    }
  }

  async function claim(): Promise<ClaimedMessage | null> {
    try {
      return await claimMessage(database, channel)
    } catch (error) {
      report(`could not read the ${channel} outbox; retrying`, error)
      await pause(5 * pollMilliseconds)
      return null
    }
  }

  function start(message: ClaimedMessage): void {
    const task = handle(message)
      // The lease runs out, and the message is tried again.
      .catch((error) =>
        report(`could not handle ${channel} message ${message.id}; retrying when its lease ends`, error),
      )
      .finally(() => running.delete(task))
    running.add(task)
  }

  async function handle(message: ClaimedMessage): Promise<void> {
    const result = await attempt(dependencies, message)
    const outcome = await untilRecorded(() => record(dependencies, message, result))
    dependencies.observe?.(channel, outcome)
  }

  /** A message that was sent but not recorded would be sent again. */
  async function untilRecorded<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let tried = 1; ; tried += 1) {
      try {
        return await work()
      } catch (error) {
        if (tried === 60 || signal.aborted) throw error
        await pause(1_000)
      }
    }
  }

  async function pause(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal }).catch(() => {})
  }

  const loop = run()
  return {
    async stop() {
      stopping.abort()
      await loop
      const finished = new AbortController()
      const patience = sleep(stopMilliseconds, undefined, { signal: finished.signal }).catch(() => {})
      await Promise.race([Promise.all(running), patience])
      finished.abort()
    },
  }
}

async function attempt({ unseal, send }: SenderDependencies, claimed: ClaimedMessage): Promise<SendResult> {
  let message: ReadableMessage
  try {
    message = unsealMessage(claimed, unseal)
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error
    // Not final: while SECRETS_KEY is being rotated, another process may have the key.
    return { outcome: 'failed', problem: 'NOT_RENDERED', status: null, isFinal: false, detail: error.message }
  }
  return send(message)
}

async function record(
  { database, channel, logger }: SenderDependencies,
  message: ClaimedMessage,
  result: SendResult,
): Promise<SendOutcome> {
  const { id, kind, organizationId, tries } = message
  const fields = { channel, id, kind, organizationId, tries }
  switch (result.outcome) {
    case 'sent':
      await recordSent(database, message)
      logger.info(fields, 'sent a message')
      return 'sent'
    case 'discarded':
      await discardMessage(database, message)
      return 'discarded'
    case 'failed': {
      const outcome = await recordFailure(database, message, result)
      const { problem, status, detail } = result
      const text = outcome === 'postponed' ? 'could not send a message; retrying later' : 'gave up on a message'
      logger.warn({ ...fields, problem, status, detail }, text)
      return outcome
    }
  }
}
