import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import type { Destination } from '../outbound/destination.ts'
import { endPause, removePace } from '../queue/pauses.ts'
import { seal } from './secrets.ts'

export type Endpoint = {
  url: string
  enabled: boolean
  createdAt: string
  updatedAt: string
  /** When the next signing secret was prepared. Null: none is. */
  pendingSecretSince: string | null
  /** The most events a second. Null: no limit. */
  maxPerSecond: number | null
}

export type EndpointDependencies = { database: Queryable; secretsKey: Buffer }

/** A null `secret` means that the stored one was kept. */
export type SavedEndpoint = { endpoint: Endpoint; secret: string | null; generated: boolean }

export const endpointColumns = sql`url, enabled, created_at as "createdAt", updated_at as "updatedAt",
  next_secret_prepared_at as "pendingSecretSince", (
    select p.max_per_second from endpoint_paces p where p.organization_id = webhook_endpoints.organization_id
  ) as "maxPerSecond"`

/** The signing secret is the given one, else the stored one, else a new one. */
export async function saveEndpoint(
  { database, secretsKey }: EndpointDependencies,
  organizationId: string,
  { destination, secret: given }: { destination: Destination; secret?: string | undefined },
  now: Date,
): Promise<SavedEndpoint> {
  const secret = given ?? newSecret()
  const isGiven = given !== undefined
  const newlySealed = seal(secretsKey, secret, organizationId)
  // The writing statement decides whether the stored secret stays, so that a concurrent rotation is not undone.
  const [row] = await database.query<Endpoint & { sealed: Buffer }>(sql`
    insert into webhook_endpoints (organization_id, url, enabled, sealed_secret, created_at, updated_at)
    values (${organizationId}, ${destination.url.href}, true, ${newlySealed}, ${now}, ${now})
    on conflict (organization_id) do update set url = excluded.url, updated_at = excluded.updated_at,
      sealed_secret = case when ${isGiven}::boolean then excluded.sealed_secret else webhook_endpoints.sealed_secret end,
      sealed_next_secret = case when not ${isGiven}::boolean then webhook_endpoints.sealed_next_secret end,
      next_secret_prepared_at = case when not ${isGiven}::boolean then webhook_endpoints.next_secret_prepared_at end
    returning ${endpointColumns}, sealed_secret as sealed`)
  if (!row) throw new Error('The endpoint was not saved')
  await endPause(database, organizationId)
  const { sealed, ...endpoint } = row
  const isNew = sealed.equals(newlySealed)
  return { endpoint, secret: isNew ? secret : null, generated: isNew && !isGiven }
}

/** Whether events go there. It stays so until the transaction ends. */
export async function isCurrentUrl(transaction: Queryable, organizationId: string, url: string): Promise<boolean> {
  const found = await transaction.query(sql`
    select from webhook_endpoints where organization_id = ${organizationId} and url = ${url} for share`)
  return found.length > 0
}

export async function findEndpoint(database: Queryable, organizationId: string): Promise<Endpoint | null> {
  const [endpoint] = await database.query<Endpoint>(sql`
    select ${endpointColumns} from webhook_endpoints where organization_id = ${organizationId}`)
  return endpoint ?? null
}

export async function setEndpointEnabled(
  database: Queryable,
  organizationId: string,
  enabled: boolean,
  now: Date,
): Promise<Endpoint | null> {
  const [endpoint] = await database.query<Endpoint>(sql`
    update webhook_endpoints set enabled = ${enabled}, updated_at = ${now} where organization_id = ${organizationId}
    returning ${endpointColumns}`)
  return endpoint ?? null
}

/** Queued deliveries fail with WEBHOOK_DISABLED. */
export async function removeEndpoint(database: Queryable, organizationId: string): Promise<Endpoint | null> {
  const [endpoint] = await database.query<Endpoint>(sql`
    delete from webhook_endpoints where organization_id = ${organizationId} returning ${endpointColumns}`)
  await removePace(database, organizationId)
  return endpoint ?? null
}

/** The new secret, given or generated, takes effect with the next attempt. A prepared one is discarded. */
export async function rotateSecret(
  { database, secretsKey }: EndpointDependencies,
  organizationId: string,
  now: Date,
  secret = newSecret(),
): Promise<{ endpoint: Endpoint; secret: string } | null> {
  const [endpoint] = await database.query<Endpoint>(sql`
    update webhook_endpoints set sealed_secret = ${seal(secretsKey, secret, organizationId)}, updated_at = ${now},
      sealed_next_secret = null, next_secret_prepared_at = null
    where organization_id = ${organizationId} returning ${endpointColumns}`)
  return endpoint ? { endpoint, secret } : null
}

export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64url')}`
}

export function isSecret(text: string): boolean {
  return /^[\x21-\x7e]{16,256}$/.test(text)
}
