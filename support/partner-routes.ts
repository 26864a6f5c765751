import type { ErrorCode } from '../server/http/errors.ts'
import type { Scope } from '../server/organizations/api-keys.ts'

export type PartnerRoute = {
  method: string
  /** With `:name` for each ID. */
  path: string
  scope: Scope
  query?: string[]
  /** A valid body; `:name` stands for an ID. */
  body?: unknown
  /** Its success statuses. The sample body gets the last one. */
  success: number[]
  refusals: ErrorCode[]
}

const always: ErrorCode[] = [
  'bad_http',
  'key_required',
  'key_invalid',
  'organization_inactive',
  'scope_required',
  'request_timeout',
  'rate_limited',
  'headers_too_large',
  'internal',
  'unavailable',
]
const withBody: ErrorCode[] = [
  'invalid_json',
  'not_an_object',
  'body_too_large',
  'not_json',
  'encoded_body',
  'not_utf8',
]
const page = ['limit', 'cursor']

/** Every /v1 route, for the tests of the router, the tests of the OpenAPI document, and the fuzzer. */
export const partnerRoutes: PartnerRoute[] = [
  {
    method: 'POST',
    path: '/v1/templates',
    scope: 'templates:write',
    body: { title: 'T', description: 'D', externalPostingId: ':externalPostingId', whiteboardEnabled: true },
    success: [200, 201],
    refusals: [...always, ...withBody],
  },
  {
    method: 'GET',
    path: '/v1/templates',
    scope: 'templates:read',
    query: ['externalPostingId', ...page],
    success: [200],
    refusals: [...always, 'invalid_cursor'],
  },
  {
    method: 'GET',
    path: '/v1/templates/:templateId',
    scope: 'templates:read',
    success: [200],
    refusals: [...always, 'bad_url', 'template_not_found'],
  },
  {
    method: 'PATCH',
    path: '/v1/templates/:templateId',
    scope: 'templates:write',
    body: { title: 'T', description: 'D', externalPostingId: ':externalPostingId', whiteboardEnabled: false },
    success: [200],
    refusals: [...always, ...withBody, 'bad_url', 'no_changes', 'template_not_found', 'posting_taken'],
  },
  {
    method: 'POST',
    path: '/v1/interview-invitations',
    scope: 'invitations:write',
    body: {
      templateId: ':templateId',
      candidate: { email: 'grace@example.com', firstName: 'Grace', lastName: 'Hopper' },
      expiresInDays: 3,
    },
    success: [200, 201],
    refusals: [...always, ...withBody, 'template_not_found'],
  },
  {
    method: 'GET',
    path: '/v1/interview-results',
    scope: 'results:read',
    query: ['invitationId', 'resultId', 'templateId', 'completedAfter', 'completedBefore', ...page],
    success: [200],
    refusals: [
      ...always,
      ...(['invalid_cursor', 'times_reversed'] as const),
      ...(['template_not_found', 'invitation_not_found', 'result_not_found'] as const),
    ],
  },
]

/** The route as the OpenAPI document writes it. */
export function documentedName({ method, path }: Pick<PartnerRoute, 'method' | 'path'>): string {
  return `${method} ${path.replace(/:\w+/, '{id}')}`
}

/** A valid request to this route with these IDs. */
export function requestFor({ path, body, success }: PartnerRoute, ids: Record<string, string>) {
  const filled = (text: string) => text.replace(/:(\w+)/g, (name, id: string) => ids[id] ?? name)
  const json: unknown = body === undefined ? undefined : JSON.parse(filled(JSON.stringify(body)))
  return { path: filled(path), json, status: success.at(-1) }
}
