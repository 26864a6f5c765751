import type { ResultCompleted } from './types.ts'

/** Whether an event is a sample, from a receiver check or from `trigger`. Nobody was interviewed. */
export function isSample(event: Pick<ResultCompleted, 'resultId'>): boolean {
  return event.resultId.startsWith('sample_')
}

/** The event as it came, unknown fields included, or what is wrong with it. */
export function parseEvent(value: unknown): { event: ResultCompleted } | { fault: string } {
  if (isEvent(value)) return { event: value }
  return { fault: faultOf(value) ?? 'The body is not an event.' }
}

/** The same value with the event's fields in the order the service writes them, and any others after them. */
export function fieldsInOrder(value: unknown, wanted: Shape = shape): unknown {
  if (!isObject(value) || typeof wanted === 'string') return value
  const known = Object.entries(wanted).filter(([name]) => name in value)
  const ordered = known.map(([name, inner]) => [name, fieldsInOrder(value[name], inner)])
  return {
    ...Object.fromEntries(ordered),
    ...Object.fromEntries(Object.entries(value).filter(([name]) => !(name in wanted))),
  }
}

type Shape = 'text' | 'number' | 'texts' | { is: string } | { [name: string]: Shape }

const shape = {
  eventId: 'text',
  eventType: { is: 'result.completed' },
  occurredAt: 'text',
  idempotencyKey: 'text',
  resultId: 'text',
  template: { id: 'text', name: 'text' },
  candidate: { id: 'text', email: 'text', firstName: 'text', lastName: 'text' },
  interview: { id: 'text', completedAt: 'text', status: { is: 'COMPLETED' } },
  resultUrl: 'text',
  thumbnail: { contentType: { is: 'image/jpeg' }, dataBase64: 'text' },
  result: {
    resultId: 'text',
    aiAnalysis: {
      scoring: {
        technical_score: 'number',
        technical_feedback: 'text',
        soft_skills_score: 'number',
        soft_skills_feedback: 'text',
        language_proficiency: 'number',
        language_proficiency_feedback: 'text',
        weighted_score: 'number',
        feedback: 'text',
        highlights: 'texts',
        suggestions: 'texts',
        duration: 'number',
      },
    },
  },
} as const satisfies Shape

function isEvent(value: unknown): value is ResultCompleted {
  return faultOf(value) === null
}

function faultOf(value: unknown): string | null {
  return misfit(value, shape, '') ?? mismatch(value)
}

function misfit(value: unknown, wanted: Shape, path: string): string | null {
  const name = path === '' ? 'The body' : path
  if (value === undefined) return `${name} is missing.`
  if (wanted === 'text') return typeof value === 'string' ? null : `${name} must be a string.`
  if (wanted === 'number') return typeof value === 'number' ? null : `${name} must be a number.`
  if (wanted === 'texts') {
    const fits = Array.isArray(value) && value.every((entry) => typeof entry === 'string')
    return fits ? null : `${name} must be a list of strings.`
  }
  if (typeof wanted.is === 'string') return value === wanted.is ? null : `${name} must be ${wanted.is}.`
  if (!isObject(value)) return `${name} must be an object.`
  for (const [field, inner] of Object.entries(wanted)) {
    const fault = misfit(value[field], inner, path === '' ? field : `${path}.${field}`)
    if (fault !== null) return fault
  }
  return null
}

/** The four places that name the result must agree, so that deduplicating by any of them means the same. */
function mismatch(value: unknown): string | null {
  if (!isObject(value) || !isObject(value.result)) return 'The body must be an object.'
  const { eventId, idempotencyKey, resultId, result } = value
  if (resultId === '') return 'resultId is empty.'
  if (idempotencyKey !== resultId) return 'idempotencyKey differs from resultId.'
  if (result.resultId !== resultId) return 'result.resultId differs from resultId.'
  return eventId === `external_result_completed_${resultId}` ? null : 'eventId does not match resultId.'
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
