/**
 * A partner's receiver in its own process, with a behavior that can change at any time. It logs every event before it
 * responds, so what it accepted is known even if it is killed right after.
 */
import { createHash } from 'node:crypto'
import { openSync, writeSync } from 'node:fs'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { verify } from '../sdk/src/verify.ts'

export type Behavior =
  | { name: 'responds'; status: number; after: number }
  | { name: 'hangs' }
  | { name: 'breaks off' }
  /** Accepts the event, but the connection breaks before the response is sent. */
  | { name: 'loses the response' }

/** One request. `status` is null if the receiver did not accept it and sends no response. */
export type Received = {
  /** When it arrived. */
  at: number
  path: string
  key: string
  eventId: string
  /** The one it is signed with; null if it is none of ours. */
  secret: string | null
  sameIds: boolean
  body: string
  status: number | null
}

export type Start = { port: number; cert: string; key: string; secrets: string[]; log: string; behavior: Behavior }

export type Order = { behavior: Behavior } | { secret: string }

const [start] = await new Promise<[Start]>((resolve) => process.once('message', (message: Start) => resolve([message])))
const log = openSync(start.log, 'a')
const { secrets } = start
let behavior = start.behavior
process.on('message', (order: Order) => {
  if ('behavior' in order) behavior = order.behavior
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
    status: behavior.name === 'responds' ? behavior.status : behavior.name === 'loses the response' ? 200 : null,
  }
  writeSync(log, `${JSON.stringify(received)}\n`)
  react(response)
}).listen(start.port, '127.0.0.1', () => process.send?.('ready'))

/** Finds the newest secret that matches. Old ones are checked, too: a replaced secret is a finding, but not a forgery. */
async function open(body: Buffer, headers: IncomingHttpHeaders) {
  for (const secret of secrets.toReversed()) {
    // The sender's clock may be hours off on purpose, which says nothing about the signature.
    const verified = await verify(body, headers, secret, { toleranceSeconds: Number.POSITIVE_INFINITY })
    if (verified.ok) return { secret, event: verified.event }
  }
  return { secret: null, event: null }
}

function react(response: ServerResponse): void {
  if (behavior.name === 'hangs') return
  if (behavior.name !== 'responds') {
    response.destroy()
    return
  }
  const { status, after } = behavior
  setTimeout(() => response.writeHead(status, { location: 'https://elsewhere.test/' }).end(), after)
}
