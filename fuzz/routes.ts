import { partnerRoutes } from '../support/partner-routes.ts'
import { scoring } from '../support/results.ts'
import { settingsRoutes } from '../support/settings-routes.ts'
import type { Credentials } from './tenants.ts'

export type FuzzedRoute = {
  method: string
  /** With `:name` for each ID. */
  path: string
  as: (keyof Credentials)[]
  query?: string[]
  /** A valid body; `:name` stands for an ID. */
  body?: unknown
}

const page = ['limit', 'cursor']
const filter = ['error', 'from', 'to', 'search']

const partner: FuzzedRoute[] = partnerRoutes.map((route) => ({ ...route, as: ['partner'] }))

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

// These would end the session that the other requests need.
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
    ...(path.endsWith('/pending-secret') && { query: ['preparedAt'] }),
  }
})

/** Every route of /v1, /internal/v1 and /settings/api. */
export const fuzzedRoutes: FuzzedRoute[] = [...partner, ...engine, ...settings]
