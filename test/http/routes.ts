import type { Scope } from '../../server/organizations/api-keys.ts'

export type Route = {
  method: string
  /** As the reference writes it. */
  path: string
  scope: Scope
  /** A request that such a route serves. */
  request: (existing: { templateId: string }) => { path: string; json?: unknown; status: number }
}

/** Every route of /v1. A test compares this table with the reference. */
export const routes: Route[] = [
  {
    method: 'POST',
    path: '/v1/templates',
    scope: 'templates:write',
    request: () => ({ path: '/v1/templates', json: { title: 'T', description: 'D' }, status: 201 }),
  },
  {
    method: 'GET',
    path: '/v1/templates',
    scope: 'templates:read',
    request: () => ({ path: '/v1/templates', status: 200 }),
  },
  {
    method: 'GET',
    path: '/v1/templates/{id}',
    scope: 'templates:read',
    request: ({ templateId }) => ({ path: `/v1/templates/${templateId}`, status: 200 }),
  },
  {
    method: 'PATCH',
    path: '/v1/templates/{id}',
    scope: 'templates:write',
    request: ({ templateId }) => ({ path: `/v1/templates/${templateId}`, json: { title: 'U' }, status: 200 }),
  },
  {
    method: 'POST',
    path: '/v1/interview-invitations',
    scope: 'invitations:write',
    request: ({ templateId }) => ({
      path: '/v1/interview-invitations',
      json: { templateId, candidate: { email: 'ada@example.com', firstName: 'Ada' } },
      status: 201,
    }),
  },
  {
    method: 'GET',
    path: '/v1/interview-results',
    scope: 'results:read',
    request: () => ({ path: '/v1/interview-results', status: 200 }),
  },
]
