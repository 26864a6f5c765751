import { publicScoring, type Scoring, scoring } from '../interviews/scoring.ts'
import { type Static, Type } from '../schema.ts'

const time = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-01-02T03:04:05.678Z'] })

/** The body of `result.completed`. */
export const resultCompleted = Type.Object(
  {
    eventId: Type.String({
      description: '`external_result_completed_` followed by the result ID. The same for every attempt.',
      examples: ['external_result_completed_res_01m7efx4xwfztrm1s20bva7r58'],
    }),
    eventType: Type.Literal('result.completed'),
    occurredAt: time('When the result became available.'),
    idempotencyKey: Type.String({
      description: 'Same as `resultId`.',
      examples: ['res_01m7efx4xwfztrm1s20bva7r58'],
    }),
    resultId: Type.String({ examples: ['res_01m7efx4xwfztrm1s20bva7r58'] }),
    template: Type.Object({ id: Type.String(), name: Type.String({ description: 'Title of the template.' }) }),
    candidate: Type.Object({
      id: Type.String(),
      email: Type.String({ format: 'email' }),
      firstName: Type.String(),
      lastName: Type.String(),
    }),
    interview: Type.Object({
      id: Type.String(),
      completedAt: time('When the interview was completed.'),
      status: Type.Literal('COMPLETED'),
    }),
    resultUrl: Type.String({ format: 'uri', description: 'Link to the shared result view.' }),
    thumbnail: Type.Object({
      contentType: Type.Literal('image/jpeg'),
      dataBase64: Type.String({
        contentEncoding: 'base64',
        contentMediaType: 'image/jpeg',
        maxLength: 1_333_336,
        description: 'The image itself: a JPEG of at most 1,000,000 bytes and 16 megapixels.',
      }),
    }),
    result: Type.Object({
      resultId: Type.String({ description: 'Same as `resultId`.' }),
      aiAnalysis: Type.Object({ scoring }),
    }),
  },
  { title: 'ResultCompleted' },
)

type ResultCompleted = Static<typeof resultCompleted>

export type EventSource = {
  resultId: string
  occurredAt: string
  resultUrl: string
  completedAt: string
  interviewId: string
  template: { id: string; name: string }
  candidate: { id: string; email: string; firstName: string; lastName: string }
  scoring: Scoring
}

/**
 * The event's bytes, from an allow-list of fields. Base64 needs no JSON escaping, so the body is written around the image
 * in a single copy: serializing a megabyte would cost more than signing it.
 */
export function buildEvent(source: EventSource, imageBase64: string): Buffer {
  const { resultId, template, candidate } = source
  const head: Omit<ResultCompleted, 'thumbnail' | 'result'> = {
    eventId: eventId(resultId),
    eventType: 'result.completed',
    occurredAt: source.occurredAt,
    idempotencyKey: resultId,
    resultId,
    template: { id: template.id, name: template.name },
    candidate: {
      id: candidate.id,
      email: candidate.email,
      firstName: candidate.firstName,
      lastName: candidate.lastName,
    },
    interview: { id: source.interviewId, completedAt: source.completedAt, status: 'COMPLETED' },
    resultUrl: source.resultUrl,
  }
  const result: ResultCompleted['result'] = { resultId, aiAnalysis: { scoring: publicScoring(source.scoring) } }
  const before = `${JSON.stringify(head).slice(0, -1)},"thumbnail":{"contentType":"image/jpeg","dataBase64":"`
  const after = `"},${JSON.stringify({ result }).slice(1)}`

  const imageAt = Buffer.byteLength(before)
  const afterAt = imageAt + imageBase64.length
  const body = Buffer.allocUnsafe(afterAt + Buffer.byteLength(after))
  body.write(before)
  body.write(imageBase64, imageAt, 'latin1')
  body.write(after, afterAt)
  return body
}

export function eventHeaders(resultId: string, signature: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    'x-service-event': 'result.completed',
    'x-service-event-id': eventId(resultId),
    'x-service-idempotency-key': resultId,
    'x-service-signature': signature,
  }
}

function eventId(resultId: string): string {
  return `external_result_completed_${resultId}`
}
