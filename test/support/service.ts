import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import pino from 'pino'
import sql from 'sql-template-tag'
import type { Database } from '../../server/database/database.ts'
import { createApp } from '../../server/http/app.ts'
import { createThumbnailChecker, type ThumbnailChecker } from '../../server/images/thumbnail-checker.ts'
import { mintKey, type Scope, scopes } from '../../server/organizations/api-keys.ts'
import { createOrganization } from '../../server/organizations/organizations.ts'
import { createDestinationGuard, type DestinationGuard } from '../../server/outbound/destination.ts'
import { createPostgresQueue, type PostgresQueue } from '../../server/queue/postgres-queue.ts'
import type { Engine } from './engines.ts'

export type Answer<Body = unknown> = { status: number; headers: Headers; body: Body; text: string }

export type Partner = {
  organizationId: string
  key: string
  keyId: string
  /** Calls the API with this organization's key, over a real connection. */
  call<Body = unknown>(method: string, path: string, body?: unknown): Promise<Answer<Body>>
}

export type Service = {
  url: string
  database: Database
  queue: PostgresQueue
  /** What the service thinks the time is. Tests move it; nothing sleeps. */
  time: { now: Date }
  /** Every line the service has logged, at every level. */
  logged(): string
  /** A new organization with a key: of all scopes unless told otherwise; `unlimited` for tests that call often. */
  partner(options?: { scopes?: Scope[]; name?: string; unlimited?: boolean }): Promise<Partner>
  close(): Promise<void>
}

/** What the interview product shows at /internal/v1. */
export const engineToken = 'a token that only the interview product knows'

/** What a service may be given instead of what it has by itself, such as a way out that leads nowhere. */
export type ServiceOptions = {
  sandbox?: boolean
  guard?: DestinationGuard
  destinationCa?: string
  secretsKey?: Buffer
  checker?: ThumbnailChecker
}

const nowhere = createDestinationGuard({ resolve: async () => [], allowCidrs: [] })

export const appUrl = 'https://interviews.example'

/** The real router on a real port, in this process, on a database of its own. */
export async function startService(engine: Engine, options: ServiceOptions = {}): Promise<Service> {
  const { sandbox = true, guard = nowhere, destinationCa = null, secretsKey = randomBytes(32) } = options
  const { checker = createThumbnailChecker({ threads: 1 }) } = options
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
  const report = (problem: string, error: unknown) => logger.error({ err: error }, problem)
  const queue = createPostgresQueue({ database })
  const app = await createApp({
    database,
    logger,
    clock: () => time.now,
    completion: { database, wake: queue.wake, report },
    engineToken,
    secretsKey,
    checker,
    guard,
    destinationCa,
    trustedProxies: [],
    appUrl,
    interviewUrl: `${appUrl}/interview/{token}`,
    roles: new Set(['api'] as const),
    sandbox,
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`

  return {
    url,
    database,
    queue,
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
      if (options.unlimited) await setWindow(database, id, -1_000_000)
      return {
        organizationId: organization.id,
        key,
        keyId: id,
        call: (method, path, body) => call(url, method, path, { 'x-service-api-key': key }, body),
      }
    },
    async close() {
      await app.close()
      await checker.close()
      await queue.stop()
      await database.close()
    },
  }
}

/** Puts the key into a window that lies ahead of the clock, so that no minute ends it, with this much of it used. */
export async function setWindow(database: Database, keyId: string, used: number): Promise<void> {
  await database.query(sql`
    insert into rate_windows (key_id, minute, used) values (${keyId}, 1000000000, ${used})
    on conflict (key_id) do update set minute = excluded.minute, used = excluded.used`)
}

export async function call<Body = unknown>(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<Answer<Body>> {
  if (body === undefined) return send(url, method, path, headers)
  return send(url, method, path, { 'content-type': 'application/json', ...headers }, JSON.stringify(body))
}

/** Sends a body as it is, JSON or not. */
export async function send<Body = unknown>(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string | Uint8Array<ArrayBuffer>,
): Promise<Answer<Body>> {
  const response = await fetch(url + path, { method, headers, ...(body !== undefined && { body }) })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: text === '' ? null : JSON.parse(text) }
}
