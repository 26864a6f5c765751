import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import type { DestinationGuard, Vetting } from '../outbound/destination.ts'
import { deadlineMilliseconds } from '../outbound/post.ts'
import { seal, unseal } from './secrets.ts'

export type Endpoint = { url: string; enabled: boolean; createdAt: string; updatedAt: string }

export type EndpointDependencies = { database: Queryable; guard: DestinationGuard; secretsKey: Buffer }

export type Saved =
  | { outcome: 'saved'; endpoint: Endpoint; secret: string; generated: boolean }
  | { outcome: 'refused'; vetting: Vetting & { ok: false } }
  | { outcome: 'invalid_secret' }

/**
 * Saves the one endpoint of an organization, after the same guard that every delivery passes. The signing secret is the
 * one given, or the one it has, or a new one.
 */
export async function saveEndpoint(
  { database, guard, secretsKey }: EndpointDependencies,
  organizationId: string,
  wanted: { url: string; secret?: string },
  now: Date,
): Promise<Saved> {
  if (wanted.secret !== undefined && !isSecret(wanted.secret)) return { outcome: 'invalid_secret' }
  const vetting = await guard.vet(wanted.url, AbortSignal.timeout(deadlineMilliseconds))
  if (!vetting.ok) return { outcome: 'refused', vetting }

  const secret = wanted.secret ?? newSecret()
  // Whether the secret stays is decided by the statement that writes: a rotation a moment ago must not be undone.
  const [row] = await database.query<Endpoint & { sealed: Buffer }>(sql`
    insert into webhook_endpoints as e (organization_id, url, enabled, sealed_secret, created_at, updated_at)
    values (${organizationId}, ${vetting.destination.url.href}, true, ${seal(secretsKey, secret, organizationId)}, ${now}, ${now})
    on conflict (organization_id) do update set url = excluded.url, updated_at = excluded.updated_at,
      sealed_secret = case when ${wanted.secret !== undefined}::boolean then excluded.sealed_secret else e.sealed_secret end
    returning url, enabled, created_at as "createdAt", updated_at as "updatedAt", sealed_secret as sealed`)
  if (!row) throw new Error('The endpoint was not saved')
  const { sealed, ...endpoint } = row
  const current = unseal(secretsKey, sealed, organizationId)
  return { outcome: 'saved', endpoint, secret: current, generated: wanted.secret === undefined && current === secret }
}

export async function findEndpoint(database: Queryable, organizationId: string): Promise<Endpoint | null> {
  const [endpoint] = await database.query<Endpoint>(sql`
    select url, enabled, created_at as "createdAt", updated_at as "updatedAt"
    from webhook_endpoints where organization_id = ${organizationId}`)
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
    returning url, enabled, created_at as "createdAt", updated_at as "updatedAt"`)
  return endpoint ?? null
}

/** Deliveries that are queued when it goes find none and end as WEBHOOK_DISABLED. */
export async function removeEndpoint(database: Queryable, organizationId: string): Promise<Endpoint | null> {
  const [endpoint] = await database.query<Endpoint>(sql`
    delete from webhook_endpoints where organization_id = ${organizationId}
    returning url, enabled, created_at as "createdAt", updated_at as "updatedAt"`)
  return endpoint ?? null
}

/** Another secret, given or new, signed with from the next attempt on. There is always exactly one. */
export async function rotateSecret(
  { database, secretsKey }: Pick<EndpointDependencies, 'database' | 'secretsKey'>,
  organizationId: string,
  now: Date,
  secret = newSecret(),
): Promise<{ endpoint: Endpoint; secret: string } | null> {
  const [endpoint] = await database.query<Endpoint>(sql`
    update webhook_endpoints set sealed_secret = ${seal(secretsKey, secret, organizationId)}, updated_at = ${now}
    where organization_id = ${organizationId}
    returning url, enabled, created_at as "createdAt", updated_at as "updatedAt"`)
  return endpoint ? { endpoint, secret } : null
}

function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64url')}`
}

export function isSecret(text: string): boolean {
  return /^[\x21-\x7e]{16,256}$/.test(text)
}
