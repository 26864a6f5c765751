import { settingsRoutes } from '../test/settings/routes.ts'
import type { Credentials } from './tenants.ts'

export type FuzzedRoute = {
  method: string
  /** With `:name` where an id of that name goes. */
  path: string
  as: (keyof Credentials)[]
  query?: string[]
  /** A body that would be served; `:name` in it stands for an id. */
  body?: unknown
}

const page = ['limit', 'cursor']
const filter = ['error', 'from', 'to', 'search']

const scoring = {
  ...{ technical_score: 90, technical_feedback: 'Good.', soft_skills_score: 80, soft_skills_feedback: 'Good.' },
  ...{ language_proficiency: 95, language_proficiency_feedback: 'Fluent.', weighted_score: 87.5, feedback: 'Hire.' },
  ...{ highlights: ['Queues'], suggestions: ['Databases'], duration: 1800 },
}

const partner: FuzzedRoute[] = [
  { method: 'GET', path: '/v1/templates', as: ['partner'], query: ['externalPostingId', ...page] },
  { method: 'GET', path: '/v1/templates/:templateId', as: ['partner'] },
  {
    ...{ method: 'POST', path: '/v1/templates', as: ['partner'] },
    body: { title: 'T', description: 'D', externalPostingId: ':externalPostingId', whiteboardEnabled: true },
  },
  {
    ...{ method: 'PATCH', path: '/v1/templates/:templateId', as: ['partner'] },
    body: { title: 'T', description: 'D', externalPostingId: ':externalPostingId', whiteboardEnabled: false },
  },
  {
    ...{ method: 'POST', path: '/v1/interview-invitations', as: ['partner'] },
    body: {
      templateId: ':templateId',
      candidate: { email: 'grace@example.com', firstName: 'Grace', lastName: 'Hopper' },
      expiresInDays: 3,
    },
  },
  {
    ...{ method: 'GET', path: '/v1/interview-results', as: ['partner'] },
    query: ['invitationId', 'resultId', 'templateId', 'completedAfter', 'completedBefore', ...page],
  },
]

const engine: FuzzedRoute[] = [
  { method: 'GET', path: '/internal/v1/invitations/:token', as: ['engine'] },
  {
    ...{ method: 'POST', path: '/internal/v1/interviews/:interviewId/status', as: ['engine'] },
    body: { status: 'IN_PROGRESS' },
  },
  { method: 'PUT', path: '/internal/v1/interviews/:interviewId/thumbnail', as: ['engine'], body: 'JPEG' },
  {
    ...{ method: 'PUT', path: '/internal/v1/interviews/:interviewId/result', as: ['engine'], query: ['final'] },
    body: { completedAt: '2026-01-02T03:04:05.678Z', scoring, analysis: { transcript: ['Hello'] } },
  },
]

// Whoever signs out or in, or changes a password, does so without the session that the other requests need.
const withoutSession = new Set(['POST /sign-in', 'POST /sign-out', 'POST /password'])

const settings: FuzzedRoute[] = settingsRoutes.map(({ name, body }) => {
  const [method = '', path = ''] = name.split(' ')
  return {
    method,
    path: `/settings/api${path}`,
    as: withoutSession.has(name) ? ['nobody'] : ['admin', 'viewer'],
    ...(body !== undefined && { body }),
    ...(path.endsWith('/deliveries') && { query: ['status', ...filter, ...page] }),
    ...(path.endsWith('/failed-count') && { query: filter }),
    ...(path.endsWith('/activity') && { query: page }),
  }
})

/** Every route of /v1, /internal/v1 and /settings/api. */
export const fuzzedRoutes: FuzzedRoute[] = [...partner, ...engine, ...settings]
