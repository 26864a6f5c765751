/**
 * A partner's receiver, in a process of its own, in whatever mood it is told to be in. It writes down every event before
 * it answers, so that what it has taken in is known even when it is killed the next moment.
 */
import { createHash } from 'node:crypto'
import { openSync, writeSync } from 'node:fs'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
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
  /** When it arrived. */
  at: number
  path: string
  key: string
  eventId: string
  /** The one it is signed with; null when none of ours fits. */
  secret: string | null
  sameIds: boolean
  body: string
  status: number | null
}

export type Start = { port: number; cert: string; key: string; secrets: string[]; log: string; mood: Mood }

export type Order = { mood: Mood } | { secret: string }

const [start] = await new Promise<[Start]>((resolve) => process.once('message', (message: Start) => resolve([message])))
const log = openSync(start.log, 'a')
const { secrets } = start
let mood = start.mood
process.on('message', (order: Order) => {
  if ('mood' in order) mood = order.mood
  else secrets.push(order.secret)
})
process.on('disconnect', () => process.exit())

createServer({ cert: start.cert, key: start.key, keepAliveTimeout: 60_000 }, async (request, response) => {
  const at = Date.now()
  const body = await buffer(request).catch(() => null)
  if (body === null) return
  const key = String(request.headers['x-service-idempotency-key'])
  const eventId = String(request.headers['x-service-event-id'])
  const { secret, event } = await open(body, request.headers)
  const received: Received = {
    at,
    path: request.url ?? '',
    key,
    eventId,
    secret,
    sameIds: event?.resultId === key && event.eventId === eventId,
    body: createHash('sha256').update(body).digest('base64url'),
    status: mood.name === 'answers' ? mood.status : mood.name === 'forgets to answer' ? 200 : null,
  }
  writeSync(log, `${JSON.stringify(received)}\n`)
  react(response)
}).listen(start.port, '127.0.0.1', () => process.send?.('ready'))

/** The newest secret that fits: one that was replaced must not pass unseen, and is no forgery either. */
async function open(body: Buffer, headers: IncomingHttpHeaders) {
  for (const secret of secrets.toReversed()) {
    // The sender's clock may be off by hours here, on purpose: that alone must not hide whether the signature is right.
    const verified = await verify(body, headers, secret, { toleranceSeconds: Number.POSITIVE_INFINITY })
    if (verified.ok) return { secret, event: verified.event }
  }
  return { secret: null, event: null }
}

function react(response: ServerResponse): void {
  if (mood.name === 'hangs') return
  if (mood.name !== 'answers') {
    response.destroy()
    return
  }
  const { status, after } = mood
  setTimeout(() => response.writeHead(status, { location: 'https://elsewhere.test/' }).end(), after)
}
