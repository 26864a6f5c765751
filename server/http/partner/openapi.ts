import { buildEvent, resultCompleted } from '../../deliveries/event.ts'
import { nullIsAbsent } from '../input.ts'

export const info = {
  title: 'Partner Interview API',
  version: '1.0.0-beta',
  license: { name: 'MIT', identifier: 'MIT' },
  description: `Create interview templates, invite candidates, and get their results through the signed \`result.completed\` event or by polling.

Every request needs an API key of your organization, as \`X-Service-Api-Key: <key>\` or \`Authorization: Bearer <key>\`. The limit is 120 requests per key and minute. To try the API, import [\`/postman.json\`](/postman.json) into Postman, or open [\`/requests.http\`](/requests.http) in your editor.

Text can be any Unicode except NUL characters and unpaired surrogates. In an optional field, \`null\` is the same as leaving it out, except where a field says otherwise. Errors are always \`{"error": "<text>"}\`. The API is in beta. Within /v1 we only add, unless a security problem or a flaw in the contract itself leaves no other way. The changelog announces such a change at least 30 days ahead, unless security requires it sooner.`,
}

export const tags = [
  { name: 'Templates', description: 'What an interview is about. Create one per job or posting.' },
  { name: 'Invitations', description: 'Invite a candidate to an interview from a template.' },
  {
    name: 'Results',
    description: 'How an interview went. Prefer the event, and poll to find results whose event you missed.',
  },
]

export const securitySchemes = {
  apiKeyHeader: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Service-Api-Key',
    description: 'Your key: `service_live_<publicId>.<secret>`.',
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

/** Built by the code that builds real events, with the first bytes of an image. */
const exampleEvent: unknown = JSON.parse(buildEvent(example, '/9j/4AAQSkZJRgABAQAAAQ==').toString())

/** The event we send to the organization's endpoint. */
export const webhooks = {
  'result.completed': {
    post: {
      operationId: 'resultCompleted',
      tags: ['Results'],
      summary: 'A result is complete',
      description: `Sent to your organization's HTTPS endpoint when a result is complete. A 2xx within five seconds means you accepted it, a 4xx means you rejected it; either way it isn't sent again. After a 3xx, a 5xx or no response we retry with the same IDs, up to four attempts in total. Deduplicate by \`resultId\`.

Verify before parsing. Take \`t\` and \`v1\` from \`X-Service-Signature\` and compute the HMAC SHA-256 of \`<t>.<raw body>\` with your signing secret, in lowercase hex. It must equal \`v1\`, compared in constant time, and \`t\` must be within five minutes of now. Otherwise respond with 401. The body can be up to about 1.4 MB.`,
      security: [],
      parameters: [
        header('X-Service-Event', 'Always `result.completed`.', 'result.completed'),
        header('X-Service-Event-Id', 'The same for every attempt.', `external_result_completed_${resultId}`),
        header('X-Service-Idempotency-Key', 'The result ID. Use it to deduplicate.', resultId),
        header('X-Service-Signature', '`t=<unix seconds>,v1=<hex digest>`', `t=1767323045,v1=${'5f'.repeat(32)}`),
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: resultCompleted, example: exampleEvent } },
      },
      responses: {
        '200': { description: 'Accepted. Any 2xx works. The event is not sent again.' },
        '401': { description: 'Invalid signature. Any 4xx is final: the event is not sent again.' },
        '500': { description: 'Try again later. Any 3xx or 5xx is retried.' },
      },
    },
  },
}

/**
 * Moves every titled schema to the document's components, so generated clients get one named type instead of a copy in
 * every place.
 */
export function withNamedSchemas(document: Record<string, unknown>): Record<string, unknown> {
  const schemas: Record<string, unknown> = {}
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit)
    if (typeof value !== 'object' || value === null) return value
    const copy = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, visit(inner)]))
    // Our own format, which no client knows. The description states the rule.
    if (copy.format === 'text') delete copy.format
    if (copy[nullIsAbsent] === true) {
      delete copy[nullIsAbsent]
      copy.type = [copy.type, 'null']
    }
    const { title, type } = copy
    if (typeof title !== 'string' || type !== 'object') return copy
    schemas[title] ??= copy
    return { $ref: `#/components/schemas/${title}` }
  }
  const { components, ...rest } = document
  const visited = Object.fromEntries(Object.entries(rest).map(([name, inner]) => [name, visit(inner)]))
  return { ...visited, components: { ...(typeof components === 'object' ? components : {}), schemas } }
}
