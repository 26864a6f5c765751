import { randomBytes } from 'node:crypto'
import fastify from 'fastify'
import { createSignIn } from '../server/auth/sign-in.ts'
import { createUnseal } from '../server/endpoints/secrets.ts'
import { settingsApi } from '../server/http/settings/api.ts'
import { createOutbox } from '../server/notifications/outbox.ts'
import type { Service } from './service.ts'
import { apiUrl, appUrl } from './service.ts'

export type SettingsRoute = {
  /** The method and the path below /settings/api, as the route is declared. */
  name: string
  access: 'anyone' | 'signed in' | 'viewer' | 'admin'
  /** A valid body. */
  body?: unknown
}

const organization = '/organizations/:organizationId'

/** Every route of the settings API. A test compares this table with the registered routes. */
export const settingsRoutes: SettingsRoute[] = [
  { name: 'POST /sign-in', access: 'anyone', body: { email: 'a@example.com', password: 'x' } },
  { name: 'GET /sign-in', access: 'anyone' },
  { name: 'POST /invitation', access: 'anyone', body: { token: 'x' } },
  { name: 'POST /invitation/acceptance', access: 'anyone', body: { token: 'x' } },
  { name: 'POST /password-resets', access: 'anyone', body: { email: 'a@example.com' } },
  { name: 'POST /password-reset', access: 'anyone', body: { token: 'x', password: 'another password' } },
  { name: 'GET /session', access: 'signed in' },
  { name: 'POST /sign-in/code', access: 'anyone', body: { code: '123456' } },
  { name: 'POST /single-sign-on', access: 'anyone', body: { email: 'a@example.com' } },
  { name: 'GET /single-sign-on/callback', access: 'anyone' },
  { name: 'POST /second-factor', access: 'signed in', body: { password: 'x' } },
  { name: 'POST /second-factor/confirmation', access: 'signed in', body: { code: '123456' } },
  { name: 'POST /second-factor/recovery-codes', access: 'signed in', body: { password: 'x' } },
  { name: 'POST /second-factor/removal', access: 'signed in', body: { password: 'x' } },
  { name: 'GET /sessions', access: 'signed in' },
  { name: 'DELETE /sessions', access: 'signed in' },
  { name: 'DELETE /sessions/:sessionId', access: 'signed in' },
  { name: 'POST /sign-out', access: 'signed in' },
  { name: 'POST /password', access: 'signed in', body: { current: 'x', next: 'another password' } },
  { name: `GET ${organization}/keys`, access: 'admin' },
  { name: `POST ${organization}/keys`, access: 'admin', body: { label: 'L', scopes: ['results:read'] } },
  { name: `PATCH ${organization}/keys/:keyId`, access: 'admin', body: { label: 'L' } },
  {
    name: `POST ${organization}/keys/:keyId/successor`,
    access: 'admin',
    body: { oldEndsAt: '2040-01-01T00:00:00.000Z' },
  },
  { name: `POST ${organization}/keys/:keyId/revocation`, access: 'admin' },
  { name: `GET ${organization}/webhook`, access: 'admin' },
  { name: `PUT ${organization}/webhook`, access: 'admin', body: { url: 'https://hooks.example.com/' } },
  { name: `PATCH ${organization}/webhook`, access: 'admin', body: { enabled: false } },
  { name: `DELETE ${organization}/webhook`, access: 'admin' },
  { name: `POST ${organization}/webhook/secret`, access: 'admin', body: {} },
  { name: `POST ${organization}/webhook/pending-secret`, access: 'admin', body: {} },
  {
    name: `POST ${organization}/webhook/pending-secret/checks`,
    access: 'admin',
    body: { preparedAt: '2026-01-02T03:04:05.678Z' },
  },
  {
    name: `POST ${organization}/webhook/pending-secret/activation`,
    access: 'admin',
    body: { preparedAt: '2026-01-02T03:04:05.678Z' },
  },
  { name: `DELETE ${organization}/webhook/pending-secret`, access: 'admin' },
  { name: `PUT ${organization}/webhook/pace`, access: 'admin', body: { maxPerSecond: 10 } },
  { name: `GET ${organization}/pace`, access: 'viewer' },
  { name: `POST ${organization}/webhook/preflight`, access: 'admin', body: { url: 'https://hooks.example.com/' } },
  { name: `GET ${organization}/webhook/checks`, access: 'admin' },
  { name: `POST ${organization}/webhook/checks/:name`, access: 'admin' },
  { name: `GET ${organization}/listen-tokens`, access: 'admin' },
  { name: `POST ${organization}/listen-tokens`, access: 'admin' },
  { name: `POST ${organization}/listen-tokens/:tokenId/revocation`, access: 'admin' },
  { name: `GET ${organization}/deliveries`, access: 'viewer' },
  { name: `GET ${organization}/deliveries/export.csv`, access: 'viewer' },
  { name: `POST ${organization}/deliveries/retries`, access: 'admin', body: { ids: ['dlv_x'] } },
  { name: `GET ${organization}/deliveries/health`, access: 'viewer' },
  { name: `GET ${organization}/deliveries/failed-count`, access: 'viewer' },
  { name: `GET ${organization}/deliveries/:deliveryId`, access: 'viewer' },
  { name: `GET ${organization}/deliveries/:deliveryId/payload`, access: 'viewer' },
  { name: `GET ${organization}/deliveries/:deliveryId/event.json`, access: 'viewer' },
  { name: `POST ${organization}/deliveries/:deliveryId/retries`, access: 'admin' },
  { name: `POST ${organization}/retry-runs`, access: 'admin', body: {} },
  { name: `GET ${organization}/retry-runs/current`, access: 'viewer' },
  { name: `GET ${organization}/retry-runs/:runId`, access: 'viewer' },
  { name: `GET ${organization}/templates`, access: 'viewer' },
  { name: `GET ${organization}/invitations`, access: 'viewer' },
  { name: `GET ${organization}/results`, access: 'viewer' },
  { name: `GET ${organization}/requests`, access: 'admin' },
  { name: `GET ${organization}/activity`, access: 'admin' },
  { name: `GET ${organization}/activity/export.csv`, access: 'admin' },
  { name: `GET ${organization}/alert`, access: 'viewer' },
  { name: `GET ${organization}/members`, access: 'admin' },
  { name: `PATCH ${organization}/members/:memberId`, access: 'admin', body: { role: 'viewer' } },
  { name: `DELETE ${organization}/members/:memberId`, access: 'admin' },
  { name: `POST ${organization}/members/:memberId/sign-out`, access: 'admin' },
  { name: `POST ${organization}/members/:memberId/password-resets`, access: 'admin' },
  { name: `DELETE ${organization}/members/:memberId/second-factor`, access: 'admin' },
  { name: `GET ${organization}/single-sign-on`, access: 'admin' },
  {
    name: `PUT ${organization}/single-sign-on`,
    access: 'admin',
    body: { issuer: 'https://id.example.com', clientId: 'x', clientSecret: 'x', domain: 'example.com' },
  },
  { name: `DELETE ${organization}/single-sign-on`, access: 'admin' },
  { name: `GET ${organization}/security`, access: 'admin' },
  { name: `PUT ${organization}/security`, access: 'admin', body: { requiresSecondFactor: false } },
  {
    name: `POST ${organization}/member-invitations`,
    access: 'admin',
    body: { email: 'a@example.com', role: 'viewer' },
  },
  { name: `POST ${organization}/member-invitations/:memberInvitationId/links`, access: 'admin' },
  { name: `DELETE ${organization}/member-invitations/:memberInvitationId`, access: 'admin' },
  { name: `GET ${organization}/notifications`, access: 'admin' },
  { name: `PUT ${organization}/notifications/alert-emails`, access: 'admin', body: { enabled: false } },
  {
    name: `PUT ${organization}/notifications/chat-webhook`,
    access: 'admin',
    body: { url: 'https://chat.example.com/' },
  },
  { name: `DELETE ${organization}/notifications/chat-webhook`, access: 'admin' },
  { name: `POST ${organization}/notifications/test-messages`, access: 'admin', body: { channel: 'chat' } },
]

/** The routes that are actually registered, and who may use them. */
export async function registeredRoutes({ database }: Service): Promise<Pick<SettingsRoute, 'name' | 'access'>[]> {
  const found: Pick<SettingsRoute, 'name' | 'access'>[] = []
  const app = fastify()
  app.addHook('onRoute', ({ url, method, config }) => {
    // The routes that return 405 are hidden.
    if (config?.catchesAll) return
    for (const one of [method].flat().filter((name) => name !== 'HEAD')) {
      found.push({ name: `${one} ${url}`, access: config?.access ?? 'admin' })
    }
  })
  const secretsKey = randomBytes(32)
  const unseal = createUnseal({ current: secretsKey, previous: null })
  const clock = () => new Date()
  const dependencies = {
    database,
    clock,
    appUrl,
    apiUrl,
    listen: true,
    secretsKey,
    unseal,
    destinationCa: null,
  }
  await app.register(settingsApi, {
    ...dependencies,
    guard: { vet: async () => ({ ok: false, error: 'DNS', code: null, phase: 'resolve', detail: '', addresses: [] }) },
    signIn: createSignIn({ ...dependencies, secretsKeys: { current: secretsKey, previous: null } }),
    outbox: createOutbox({ mailConfigured: false, secretsKey }),
  })
  await app.close()
  return found
}
