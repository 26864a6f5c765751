import { createHmac } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { secret } from './signed.ts'

export type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** A handwritten receiver with any of the usual mistakes. */
export function handWritten(mistakes: {
  parsesFirst?: boolean
  ignoresTime?: boolean
  comparesPrefix?: boolean
  /** The largest body it accepts. */
  limit?: number
  status?: number
  /** Called for each event it considers genuine. An error becomes a 500. */
  store?(resultId: string): void
}): Handler {
  return async (request, response) => {
    const raw = Buffer.concat(await request.toArray())
    const respond = (status: number) => void response.writeHead(status).end()
    if (raw.length > (mistakes.limit ?? 2_000_000)) return respond(413)

    const parts = new URLSearchParams(String(request.headers['x-service-signature']).replaceAll(',', '&'))
    const [t = '', v1 = ''] = [parts.get('t') ?? '', parts.get('v1') ?? '']
    const body = mistakes.parsesFirst ? JSON.stringify(JSON.parse(raw.toString())) : raw
    const expected = createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex')
    const length = mistakes.comparesPrefix ? 16 : 64
    if (v1.length < length || v1.slice(0, length) !== expected.slice(0, length)) return respond(401)
    if (!mistakes.ignoresTime && !(Math.abs(Date.now() / 1000 - Number(t)) <= 300)) return respond(401)
    try {
      mistakes.store?.(JSON.parse(raw.toString()).resultId)
    } catch {
      return respond(500)
    }
    respond(mistakes.status ?? 200)
  }
}
