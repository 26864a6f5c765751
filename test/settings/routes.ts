import { randomBytes } from 'node:crypto'
import fastify from 'fastify'
import { createSignIn } from '../../server/auth/sign-in.ts'
import { settingsApi } from '../../server/http/settings/api.ts'
import type { Service } from '../support/service.ts'
import { appUrl } from '../support/service.ts'

export type SettingsRoute = {
  /** The method and the path below /settings/api, as the routes are written. */
  name: string
  access: 'anyone' | 'signed in' | 'viewer' | 'admin'
  /** A request for it that would be served. */
  body?: unknown
}

const organization = '/organizations/:organizationId'

/** Every route of the settings area's backend. A test compares this table with the routes that there are. */
export const settingsRoutes: SettingsRoute[] = [
  { name: 'POST /sign-in', access: 'anyone', body: { email: 'a@example.com', password: 'x' } },
  { name: 'GET /session', access: 'signed in' },
  { name: 'POST /sign-out', access: 'signed in' },
  { name: 'POST /password', access: 'signed in', body: { current: 'x', next: 'another password' } },
  { name: `GET ${organization}/keys`, access: 'admin' },
  { name: `POST ${organization}/keys`, access: 'admin', body: { label: 'L', scopes: ['results:read'] } },
  { name: `POST ${organization}/keys/:keyId/revocation`, access: 'admin' },
  { name: `GET ${organization}/webhook`, access: 'admin' },
  { name: `PUT ${organization}/webhook`, access: 'admin', body: { url: 'https://hooks.example.com/' } },
  { name: `PATCH ${organization}/webhook`, access: 'admin', body: { enabled: false } },
  { name: `DELETE ${organization}/webhook`, access: 'admin' },
  { name: `POST ${organization}/webhook/secret`, access: 'admin', body: {} },
  { name: `POST ${organization}/webhook/preflight`, access: 'admin', body: { url: 'https://hooks.example.com/' } },
  { name: `GET ${organization}/webhook/checks`, access: 'admin' },
  { name: `POST ${organization}/webhook/checks/:name`, access: 'admin' },
  { name: `GET ${organization}/deliveries`, access: 'viewer' },
  { name: `GET ${organization}/deliveries/health`, access: 'viewer' },
  { name: `GET ${organization}/deliveries/failed-count`, access: 'viewer' },
  { name: `GET ${organization}/deliveries/:deliveryId`, access: 'viewer' },
  { name: `GET ${organization}/deliveries/:deliveryId/payload`, access: 'viewer' },
  { name: `POST ${organization}/deliveries/:deliveryId/retries`, access: 'admin' },
  { name: `POST ${organization}/retry-runs`, access: 'admin', body: {} },
  { name: `GET ${organization}/retry-runs/current`, access: 'viewer' },
  { name: `GET ${organization}/retry-runs/:runId`, access: 'viewer' },
  { name: `GET ${organization}/activity`, access: 'admin' },
  { name: `GET ${organization}/alert`, access: 'viewer' },
]

/** The routes that the backend really has, with who may use them. */
export async function routesThereAre({ database }: Service): Promise<Pick<SettingsRoute, 'name' | 'access'>[]> {
  const found: Pick<SettingsRoute, 'name' | 'access'>[] = []
  const app = fastify()
  app.addHook('onRoute', ({ url, method, schema, config }) => {
    // What answers 405 hides itself.
    if (schema && 'hide' in schema) return
    for (const one of [method].flat().filter((name) => name !== 'HEAD')) {
      found.push({ name: `${one} ${url}`, access: config?.access ?? 'admin' })
    }
  })
  const secretsKey = randomBytes(32)
  const clock = () => new Date()
  const dependencies = { database, clock, appUrl, secretsKey, destinationCa: null }
  await app.register(settingsApi, {
    ...dependencies,
    guard: { vet: async () => ({ ok: false, error: 'DNS', code: null, phase: 'resolve', detail: '', addresses: [] }) },
    signIn: createSignIn(dependencies),
  })
  await app.close()
  return found
}
