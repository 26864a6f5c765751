import { buildEvent, resultCompleted } from '../../deliveries/event.ts'

export const info = {
  title: 'Partner Interview API',
  version: '1.0.0-beta',
  license: { name: 'MIT', identifier: 'MIT' },
  description: `Create interview templates, invite candidates, and get their results: by the signed \`result.completed\` event or by polling.

Every call needs an API key of the organization, as \`X-Service-Api-Key: <key>\` or \`Authorization: Bearer <key>\`. A key may make 120 requests a minute. To try the calls, import [\`/postman.json\`](/postman.json) into Postman, or open [\`/requests.http\`](/requests.http) in your editor.

Text is any Unicode without NUL characters and unpaired surrogates. Errors are always \`{"error": "<text>"}\`. The API is Beta: within /v1, fields may be added and none is taken away.`,
}

export const tags = [
  { name: 'Templates', description: 'What an interview is about. Make one per job or posting.' },
  { name: 'Invitations', description: 'A candidate and a template, tied together.' },
  { name: 'Results', description: 'What came of it. The event is the better way; polling finds what it missed.' },
]

export const securitySchemes = {
  apiKeyHeader: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Service-Api-Key',
    description: 'The key: `service_live_<publicId>.<secret>`.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'The same key as a bearer token.' },
} as const

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
})

const suffix = '01m7efx4xwfztrm1s20bva7r58'
const resultId = `res_${suffix}`

const example = {
  resultId,
  occurredAt: '2026-01-02T03:04:05.678Z',
  resultUrl: 'https://interviews.example.com/shared/interview-details/cGxlYXNlLWRvLW5vdC1ndWVzcy1tZQ',
  completedAt: '2026-01-02T03:03:12.000Z',
  interviewId: `int_${suffix}`,
  template: { id: `tpl_${suffix}`, name: 'Backend engineer' },
  candidate: { id: `cand_${suffix}`, email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' },
  scoring: {
    technical_score: 91,
    technical_feedback: 'Reasons well about queues and about what happens when they fill.',
    soft_skills_score: 84,
    soft_skills_feedback: 'Listens, and asks before assuming.',
    language_proficiency: 95,
    language_proficiency_feedback: 'Fluent and precise.',
    weighted_score: 89.6,
    feedback: 'A strong candidate for the role.',
    highlights: ['Found the race in the sample code'],
    suggestions: ['Talk about operations in the next round'],
    duration: 1845,
  },
}

/** Made by what makes the real one. The image is only the beginning of one. */
const exampleEvent: unknown = JSON.parse(buildEvent(example, '/9j/4AAQSkZJRgABAQAAAQ==').toString())

/** What we send to the organization's endpoint. */
export const webhooks = {
  'result.completed': {
    post: {
      operationId: 'resultCompleted',
      tags: ['Results'],
      summary: 'A result is complete',
      description: `Sent to the organization's one HTTPS endpoint when a result is complete. A 2xx within five seconds ends it, and so does a 4xx, as refused. After a 3xx, a 5xx or no answer it is sent again later with the same ids, up to four times in all; deduplicate on \`resultId\`.

Verify before parsing: with \`t\` and \`v1\` of \`X-Service-Signature\`, the lowercase hex HMAC SHA-256 under your signing secret over \`<t>.<raw body>\` must equal \`v1\`, compared in constant time, and \`t\` must be within five minutes of now. Answer 401 otherwise. The body can reach about 1.4 MB.`,
      security: [],
      parameters: [
        header('X-Service-Event', 'Always `result.completed`.', 'result.completed'),
        header('X-Service-Event-Id', 'Stable per result.', `external_result_completed_${resultId}`),
        header('X-Service-Idempotency-Key', 'The result id: deduplicate on it.', resultId),
        header('X-Service-Signature', '`t=<unix seconds>,v1=<hex digest>`', `t=1767323045,v1=${'5f'.repeat(32)}`),
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: resultCompleted, example: exampleEvent } },
      },
      responses: {
        '200': { description: 'Received. Any 2xx counts, and the event is not sent again.' },
        '401': { description: 'The signature is wrong. Any 4xx is final: the event is not sent again.' },
        '500': { description: 'Not now. Any 3xx or 5xx is tried again later.' },
      },
    },
  },
}

/**
 * The document with every titled schema moved to its components, so that generated clients get one named type for it
 * instead of a copy at every place.
 */
export function withNamedSchemas(document: Record<string, unknown>): Record<string, unknown> {
  const schemas: Record<string, unknown> = {}
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit)
    if (typeof value !== 'object' || value === null) return value
    const copy = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, visit(inner)]))
    // A format of our own, which no client knows: the rule is said in words.
    if (copy.format === 'text') delete copy.format
    const { title, type } = copy
    if (typeof title !== 'string' || type !== 'object') return copy
    schemas[title] ??= copy
    return { $ref: `#/components/schemas/${title}` }
  }
  const { components, ...rest } = document
  const visited = Object.fromEntries(Object.entries(rest).map(([name, inner]) => [name, visit(inner)]))
  return { ...visited, components: { ...(typeof components === 'object' ? components : {}), schemas } }
}
