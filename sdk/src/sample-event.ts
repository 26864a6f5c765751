import { fromBase64, toBase64 } from './base64.ts'
import { sign } from './signature.ts'

export type SignedEvent = { resultId: string; headers: Record<string, string>; body: Uint8Array }

/** An ID that no result has: real ones start with `res_`. */
export function sampleResultId(): string {
  return `sample_${crypto.randomUUID().replaceAll('-', '')}`
}

/** A complete event as the service sends it, for a candidate who does not exist. */
export function sampleEvent(resultId: string, now: Date, image: Uint8Array = sampleImage) {
  const suffix = resultId.replace('sample_', '')
  return {
    eventId: `external_result_completed_${resultId}`,
    eventType: 'result.completed',
    occurredAt: now.toISOString(),
    idempotencyKey: resultId,
    resultId,
    template: { id: `tpl_${suffix}`, name: 'Sample template' },
    candidate: { id: `cand_${suffix}`, email: 'sample@example.com', firstName: 'Sámple', lastName: 'Candidate' },
    interview: { id: `int_${suffix}`, completedAt: now.toISOString(), status: 'COMPLETED' },
    resultUrl: `https://example.com/shared/interview-details/${suffix}`,
    thumbnail: { contentType: 'image/jpeg', dataBase64: toBase64(image) },
    result: {
      resultId,
      aiAnalysis: {
        scoring: {
          technical_score: 82,
          technical_feedback: 'A sample event.',
          soft_skills_score: 74.5,
          soft_skills_feedback: 'Listens.',
          language_proficiency: 91,
          language_proficiency_feedback: 'Fluent — „très bien“ 👍',
          weighted_score: 81.25,
          feedback: 'There was no interview: this is a sample.',
          highlights: ['A first highlight', 'A second one'],
          suggestions: ['A suggestion'],
          duration: 1845,
        },
      },
    },
  } as const
}

/** The request the service would send with this body: its five headers, signed at the given time. */
export async function signedEvent(resultId: string, body: Uint8Array, secret: string, now: Date): Promise<SignedEvent> {
  return {
    resultId,
    headers: {
      'content-type': 'application/json',
      'x-service-event': 'result.completed',
      'x-service-event-id': `external_result_completed_${resultId}`,
      'x-service-idempotency-key': resultId,
      'x-service-signature': await sign(body, secret, now),
    },
    body,
  }
}

/** The same image padded to exactly this many bytes with comments, which every decoder skips. */
export function imageOfSize(length: number): Uint8Array {
  const padded = new Uint8Array(length).fill(0x20)
  padded.set(sampleImage.subarray(0, 2))
  let at = 2
  for (let missing = length - sampleImage.length; missing > 0; ) {
    const size = missing <= 65_537 ? missing : Math.min(65_537, missing - 4)
    padded.set([0xff, 0xfe, (size - 2) >> 8, (size - 2) & 255], at)
    at += size
    missing -= size
  }
  padded.set(sampleImage.subarray(2), at)
  return padded
}

/** 32 × 32 pixels. */
const sampleImage =
  fromBase64(
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqm' +
      'x5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAAgACAD' +
      'ASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKB' +
      'kaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZ' +
      'mqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQF' +
      'BgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5' +
      'OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX' +
      '2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwC6Y6aY6tbKQpTZiioY6aUq4UphjqGWi1ijFIDTwatkIbtppSpaMVDLR//Z',
  ) ?? new Uint8Array()
