import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import pino from 'pino'
import sql from 'sql-template-tag'
import type { Database } from '../server/database/database.ts'
import { createUnseal } from '../server/endpoints/secrets.ts'
import { createApp } from '../server/http/app.ts'
import type { ConnectionLimits } from '../server/http/limits.ts'
import type { RecentImages } from '../server/images/recent-images.ts'
import { createThumbnailChecker, type ThumbnailChecker } from '../server/images/thumbnail-checker.ts'
import { createThumbnailUploader } from '../server/images/thumbnail-uploader.ts'
import type { ListenerLimits } from '../server/listeners/listeners.ts'
import { createOutbox } from '../server/notifications/outbox.ts'
import { mintKey, type Scope, scopes } from '../server/organizations/api-keys.ts'
import { createOrganization } from '../server/organizations/organizations.ts'
import { createDestinationGuard, type DestinationGuard } from '../server/outbound/destination.ts'
import { createPostgresQueue } from '../server/queue/postgres-queue.ts'
import type { DeliveryQueue } from '../server/queue/queue.ts'
import { createCompletion } from '../server/workflows/complete-interview.ts'
import type { Engine } from './engines.ts'

export type ApiResponse<Body = unknown> = { status: number; headers: Headers; body: Body; text: string }

export type Partner = {
  organizationId: string
  key: string
  keyId: string
  /** Calls the API with this organization's key over a real connection. */
  call<Body = unknown>(method: string, path: string, body?: unknown): Promise<ApiResponse<Body>>
}

export type Service = {
  url: string
  database: Database
  queue: DeliveryQueue
  secretsKey: Buffer
  /** The service's clock. Tests set it instead of sleeping. */
  time: { now: Date }
  /** Everything the service has logged, at every level. */
  logged(): string
  /** Creates an organization with a key. Default: every scope. `unlimited` lifts the rate limit for tests that call often. */
  partner(options?: { scopes?: Scope[]; name?: string; unlimited?: boolean }): Promise<Partner>
  close(): Promise<void>
}

/** The interview product's token for /internal/v1. */
export const engineToken = 'a token that only the interview product knows'

/** Overrides of a service's defaults. */
export type ServiceOptions = {
  sandbox?: boolean
  listen?: boolean
  listenerLimits?: ListenerLimits
  connectionLimits?: ConnectionLimits
  guard?: DestinationGuard
  destinationCa?: string
  secretsKey?: Buffer
  secretsKeyPrevious?: Buffer
  /** Default: false, as without SMTP_URL. */
  mailConfigured?: boolean
  checker?: ThumbnailChecker
  recentImages?: RecentImages
  /** The port to listen on, and the address that browsers use. Default: any port, and an address that doesn't exist. */
  at?: { port: number; appUrl: string }
  /** The queue is in the database by default. */
  openQueue?: (database: Database) => DeliveryQueue
}

const nowhere = createDestinationGuard({ resolve: async () => [], allowCidrs: [] })

export const appUrl = 'https://interviews.example'
export const apiUrl = 'https://api.interviews.example'

/** The real router on a real port, in this process, on its own database. */
export async function startService(engine: Engine, options: ServiceOptions = {}): Promise<Service> {
  const { sandbox = true, guard = nowhere, destinationCa = null, secretsKey = randomBytes(32) } = options
  const { secretsKeyPrevious = null, at = { port: 0, appUrl } } = options
  const { listen = true, listenerLimits, connectionLimits, mailConfigured = false } = options
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
  const queue = options.openQueue?.(database) ?? createPostgresQueue({ database })
  const uploader = createThumbnailUploader({ database, checker, recent: options.recentImages, report })
  const app = await createApp({
    database,
    logger,
    clock: () => time.now,
    completion: createCompletion({ database, wake: queue.wake, report }),
    engineToken,
    secretsKey,
    secretsKeyPrevious,
    unseal: createUnseal({ current: secretsKey, previous: secretsKeyPrevious }),
    uploader,
    checker,
    guard,
    destinationCa,
    outbox: createOutbox({ mailConfigured, secretsKey }),
    trustedProxies: [],
    appUrl: at.appUrl,
    apiUrl,
    interviewUrl: `${at.appUrl}/interview/{token}`,
    roles: new Set(['api'] as const),
    sandbox,
    listen,
    listenerLimits,
    connectionLimits,
  })
  await app.listen({ host: '127.0.0.1', port: at.port })
  const { port } = app.server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`

  return {
    url,
    database,
    queue,
    secretsKey,
    time,
    logged: () => lines,
    async partner(options = {}) {
      const organization = await createOrganization(database, options.name ?? 'Acme', time.now)
      const newKey = {
        organizationId: organization.id,
        label: 'test',
        scopes: options.scopes ?? [...scopes],
        createdBy: 'test',
      }
      const { id, key } = await mintKey(database, newKey, time.now)
      if (options.unlimited) await liftLimit(database, id)
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

/** Lifts a key's rate limit: a count below zero stays there in every minute. */
async function liftLimit(database: Database, keyId: string): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.query(sql`select pg_advisory_xact_lock(1)`)
    await transaction.script(`
      create or replace function keep_unlimited() returns trigger language plpgsql as
        $$ begin new.used = old.used; return new; end $$;
      create or replace trigger unlimited before update on rate_windows
        for each row when (old.used < 0) execute function keep_unlimited()`)
    await transaction.query(sql`insert into rate_windows (key_id, minute, used) values (${keyId}, 0, -1000000)`)
  })
}

/** Sets how many requests the key has used, in the next minute's window so that this minute's end doesn't reset it. */
export async function setWindow(database: Database, keyId: string, used: number): Promise<void> {
  await database.query(sql`
    insert into rate_windows (key_id, minute, used) values (${keyId}, floor(extract(epoch from now()) / 60)::bigint + 1, ${used})
    on conflict (key_id) do update set minute = excluded.minute, used = excluded.used`)
}

export async function call<Body = unknown>(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<ApiResponse<Body>> {
  if (body === undefined) return send(url, method, path, headers)
  return send(url, method, path, { 'content-type': 'application/json', ...headers }, JSON.stringify(body))
}

/** Sends a body unchanged, JSON or not. */
export async function send<Body = unknown>(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string | Uint8Array<ArrayBuffer>,
): Promise<ApiResponse<Body>> {
  const response = await fetch(url + path, { method, headers, ...(body !== undefined && { body }) })
  const text = await response.text()
  const isJson = text !== '' && !response.headers.get('content-type')?.startsWith('text/csv')
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null }
}
