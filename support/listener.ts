import assert from 'node:assert/strict'
import { readEvents } from '../sdk/src/cli/event-stream.ts'
import { mintListenToken, type NewListenToken } from '../server/listeners/listen-tokens.ts'
import { eventually } from './process.ts'
import type { Service } from './service.ts'

export type HeardMessage = { name: string; id: string | null; body: Buffer }

/** A client on the stream of `partner-interview listen`. */
export type Listener = {
  /** Everything heard so far, in order. */
  heard: HeardMessage[]
  /** The result IDs of the events heard so far. */
  resultIds(): string[]
  /** Waits until there are this many events, and returns them all. */
  events(count: number): Promise<HeardMessage[]>
  /** Waits for a message with this name. */
  message(name: string): Promise<Record<string, unknown>>
  /** Resolves when the stream has ended, by whichever side. */
  ended: Promise<void>
  leave(): Promise<void>
}

export function createToken(
  { database, time }: Pick<Service, 'database' | 'time'>,
  organizationId: string,
): Promise<NewListenToken> {
  return mintListenToken(database, { organizationId, createdBy: 'test' }, time.now)
}

export function requestStream(url: string, token: string, options: { after?: string; signal?: AbortSignal } = {}) {
  const { after, signal = null } = options
  const headers = { authorization: `Bearer ${token}`, ...(after !== undefined && { 'last-event-id': after }) }
  return fetch(`${url}/listen/events`, { headers, signal })
}

/** Listens, and returns once the stream has begun. */
export async function openListener(url: string, token: string, after?: string | null): Promise<Listener> {
  const leaving = new AbortController()
  const resume = after === undefined || after === null ? {} : { after }
  const response = await requestStream(url, token, { ...resume, signal: leaving.signal })
  assert.equal(response.status, 200, response.status === 200 ? '' : await response.text())
  assert.ok(response.body)
  const heard: HeardMessage[] = []
  const { body } = response
  const ended = (async () => {
    for await (const { name, id, data } of readEvents(body)) heard.push({ name, id, body: Buffer.from(data) })
  })().catch(() => {})

  const eventsHeard = () => heard.filter(({ name }) => name === 'result.completed')
  const listener: Listener = {
    heard,
    resultIds: () => eventsHeard().map(({ body }) => JSON.parse(body.toString()).resultId),
    async events(count) {
      await eventually(async () => eventsHeard().length >= count)
      assert.equal(eventsHeard().length, count)
      return eventsHeard()
    },
    async message(name) {
      await eventually(async () => heard.some((message) => message.name === name))
      return JSON.parse(String(heard.find((message) => message.name === name)?.body))
    },
    ended,
    async leave() {
      leaving.abort()
      await ended
    },
  }
  await listener.message('ready')
  return listener
}
