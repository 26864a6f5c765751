import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import pino from 'pino'
import type { Database } from '../../server/database/database.ts'
import { createApp } from '../../server/http/app.ts'
import { mintKey, type Scope, scopes } from '../../server/organizations/api-keys.ts'
import { createOrganization } from '../../server/organizations/organizations.ts'
import type { Engine } from './engines.ts'

export type Answer = { status: number; headers: Headers; body: unknown; text: string }

export type Partner = {
  organizationId: string
  key: string
  keyId: string
  /** Calls the API with this organization's key, over a real connection. */
  call(method: string, path: string, body?: unknown): Promise<Answer>
}

export type Service = {
  url: string
  database: Database
  /** What the service thinks the time is. Tests move it; nothing sleeps. */
  time: { now: Date }
  /** Every line the service has logged, at every level. */
  logged(): string
  /** A new organization with a key: of all scopes unless told otherwise. */
  partner(options?: { scopes?: Scope[]; name?: string }): Promise<Partner>
  close(): Promise<void>
}

export const appUrl = 'https://interviews.example'

/** The real router on a real port, in this process, on a database of its own. */
export async function startService(engine: Engine): Promise<Service> {
  const database = await engine.open()
  const time = { now: new Date('2026-03-01T12:00:00.000Z') }
  let lines = ''
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines += chunk
      done()
    },
  })
  const logger = pino({ level: 'trace' }, destination)
  const app = await createApp({
    database,
    logger,
    clock: () => time.now,
    appUrl,
    interviewUrl: `${appUrl}/interview/{token}`,
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`

  return {
    url,
    database,
    time,
    logged: () => lines,
    async partner(options = {}) {
      const organization = await createOrganization(database, options.name ?? 'Acme', time.now)
      const wanted = {
        organizationId: organization.id,
        label: 'test',
        scopes: options.scopes ?? [...scopes],
        createdBy: 'test',
      }
      const { id, key } = await mintKey(database, wanted, time.now)
      return {
        organizationId: organization.id,
        key,
        keyId: id,
        call: (method, path, body) => call(url, method, path, { 'x-service-api-key': key }, body),
      }
    },
    async close() {
      await app.close()
      await database.close()
    },
  }
}

export async function call(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: text === '' ? null : JSON.parse(text) }
}
