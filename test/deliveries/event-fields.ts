import fc from 'fast-check'

/** Every field of the event with its type, as in the contract. */
export const theFields = [
  'candidate.email string',
  'candidate.firstName string',
  'candidate.id string',
  'candidate.lastName string',
  'eventId string',
  'eventType string',
  'idempotencyKey string',
  'interview.completedAt string',
  'interview.id string',
  'interview.status string',
  'occurredAt string',
  'result.aiAnalysis.scoring.duration number',
  'result.aiAnalysis.scoring.feedback string',
  'result.aiAnalysis.scoring.highlights string[]',
  'result.aiAnalysis.scoring.language_proficiency number',
  'result.aiAnalysis.scoring.language_proficiency_feedback string',
  'result.aiAnalysis.scoring.soft_skills_feedback string',
  'result.aiAnalysis.scoring.soft_skills_score number',
  'result.aiAnalysis.scoring.suggestions string[]',
  'result.aiAnalysis.scoring.technical_feedback string',
  'result.aiAnalysis.scoring.technical_score number',
  'result.aiAnalysis.scoring.weighted_score number',
  'result.resultId string',
  'resultId string',
  'resultUrl string',
  'template.id string',
  'template.name string',
  'thumbnail.contentType string',
  'thumbnail.dataBase64 string',
]

/** The leaf fields of a value. */
export function fieldsOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value))
    return [`${path} ${[...new Set(value.map((entry) => typeof entry))].join('|') || 'string'}[]`]
  if (typeof value !== 'object' || value === null) return [`${path} ${value === null ? 'null' : typeof value}`]
  const within = (name: string) => (path === '' ? name : `${path}.${name}`)
  return Object.entries(value)
    .flatMap(([name, entry]) => fieldsOf(entry, within(name)))
    .sort()
}

export const markerText =
  /never-leaves|transcript|chapters|whiteboard_analysis|translation|debug_scoring|__proto__|toJSON/

const names = fc.oneof(
  fc.constantFrom('transcript', 'chapters', 'whiteboard_analysis', 'translation', 'debug_scoring', 'never-leaves'),
  fc.constantFrom('__proto__', 'toJSON', 'constructor', 'prototype', 'hasOwnProperty', 'then', 'length', ''),
  fc.string({ unit: 'binary', maxLength: 8 }),
)

const markers = fc.oneof(
  fc.constantFrom('never-leaves', 'never-leaves\u0000', '\ud800never-leaves', '"never-leaves\\'),
  fc.string({ unit: 'binary', maxLength: 8 }).map((text) => `${text}never-leaves`),
)

/** Arbitrary JSON objects with markers at any depth, under names that have a meaning elsewhere. */
export const hostile: fc.Arbitrary<object> = fc
  .letrec((tie) => ({
    object: fc.array(fc.tuple(names, tie('value')), { minLength: 1, maxLength: 5 }).map(asObject),
    value: fc.oneof(
      { maxDepth: 5, depthSize: 'medium' },
      markers,
      fc.constantFrom(null, true, 0, 1e308),
      fc.array(tie('value'), { maxLength: 4 }),
      tie('object'),
    ),
  }))
  .object.map((object) => Object(object))

/** Goes through JSON, so that a key such as __proto__ becomes an ordinary key. */
function asObject(entries: [string, unknown][]): object {
  const members = entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
  return JSON.parse(`{${members.join(',')}}`)
}
