/**
 * A partner's receiver, in a process of its own, in whatever mood it is told to be in. It writes down every event before
 * it answers, so that what it has taken in is known even when it is killed the next moment.
 */
import { createHash } from 'node:crypto'
import { openSync, writeSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { verify } from '../sdk/src/verify.ts'

export type Mood =
  | { name: 'answers'; status: number; after: number }
  | { name: 'hangs' }
  | { name: 'breaks off' }
  /** It takes the event in, and then the connection breaks before the answer is out. */
  | { name: 'forgets to answer' }

/** What one request was, as far as anybody will want to know. `status` is null when no answer was even meant to go out. */
export type Received = {
  key: string
  eventId: string
  signed: boolean
  sameIds: boolean
  body: string
  status: number | null
}

export type Start = { port: number; cert: string; key: string; secret: string; log: string; mood: Mood }

const [start] = await new Promise<[Start]>((resolve) => process.once('message', (message: Start) => resolve([message])))
const log = openSync(start.log, 'a')
let mood = start.mood
process.on('message', (next: Mood) => {
  mood = next
})
process.on('disconnect', () => process.exit())

createServer({ cert: start.cert, key: start.key, keepAliveTimeout: 60_000 }, async (request, response) => {
  const body = await buffer(request).catch(() => null)
  if (body === null) return
  const key = String(request.headers['x-service-idempotency-key'])
  const eventId = String(request.headers['x-service-event-id'])
  // The sender's clock may be off by hours here, on purpose: that alone must not hide whether the signature is right.
  const verified = await verify(body, request.headers, start.secret, { toleranceSeconds: Number.POSITIVE_INFINITY })
  const received: Received = {
    key,
    eventId,
    signed: verified.ok,
    sameIds: verified.ok && verified.event.resultId === key && verified.event.eventId === eventId,
    body: createHash('sha256').update(body).digest('base64url'),
    status: mood.name === 'answers' ? mood.status : mood.name === 'forgets to answer' ? 200 : null,
  }
  writeSync(log, `${JSON.stringify(received)}\n`)
  react(response)
}).listen(start.port, '127.0.0.1', () => process.send?.('ready'))

function react(response: ServerResponse): void {
  if (mood.name === 'hangs') return
  if (mood.name !== 'answers') {
    response.destroy()
    return
  }
  const { status, after } = mood
  setTimeout(() => response.writeHead(status, { location: 'https://elsewhere.test/' }).end(), after)
}
