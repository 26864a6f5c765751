import { type SignedEvent, sampleEvent, sampleResultId, signedEvent } from '../../sdk/src/sample-event.ts'
import type { ResultCompleted } from '../../sdk/src/types.ts'

export const secret = 'whsec_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG'
export const now = new Date('2026-03-01T12:00:00.000Z')

/** An event as the service sends it, signed now, with a new result ID. */
export async function signed(options: { image?: Uint8Array; change?(event: ResultCompleted): unknown } = {}) {
  const resultId = sampleResultId()
  const event: ResultCompleted = JSON.parse(JSON.stringify(sampleEvent(resultId, now, options.image)))
  const body = new TextEncoder().encode(JSON.stringify(options.change ? options.change(event) : event))
  return { event, ...(await signedEvent(resultId, body, secret, now)) }
}

export function toRequest({ headers, body }: Omit<SignedEvent, 'resultId'>): Request {
  return new Request('http://receiver.example/', { method: 'POST', headers, body: new Uint8Array(body) })
}
