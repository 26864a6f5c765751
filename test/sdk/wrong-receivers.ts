import { createHmac } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { secret } from './signed.ts'

export type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** A receiver as people write it by hand, with as many of the usual mistakes as wanted. */
export function handWritten(mistakes: {
  parsesFirst?: boolean
  ignoresTime?: boolean
  comparesPrefix?: boolean
  /** The largest body it takes. */
  limit?: number
  status?: number
  /** Called for each event it takes as genuine; what it throws becomes a 500. */
  store?(resultId: string): void
}): Handler {
  return async (request, response) => {
    const raw = Buffer.concat(await request.toArray())
    const answer = (status: number) => void response.writeHead(status).end()
    if (raw.length > (mistakes.limit ?? 2_000_000)) return answer(413)

    const parts = new URLSearchParams(String(request.headers['x-service-signature']).replaceAll(',', '&'))
    const [t = '', v1 = ''] = [parts.get('t') ?? '', parts.get('v1') ?? '']
    const body = mistakes.parsesFirst ? JSON.stringify(JSON.parse(raw.toString())) : raw
    const expected = createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex')
    const length = mistakes.comparesPrefix ? 16 : 64
    if (v1.length < length || v1.slice(0, length) !== expected.slice(0, length)) return answer(401)
    if (!mistakes.ignoresTime && !(Math.abs(Date.now() / 1000 - Number(t)) <= 300)) return answer(401)
    try {
      mistakes.store?.(JSON.parse(raw.toString()).resultId)
    } catch {
      return answer(500)
    }
    answer(mistakes.status ?? 200)
  }
}
