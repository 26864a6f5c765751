import sql from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { type Endpoint, type EndpointDependencies, endpointColumns, newSecret } from './endpoint.ts'
import { seal } from './secrets.ts'

/**
 * Stores the next secret, given or generated. Events are signed with the current one until it is activated. The time
 * names it when it is activated or discarded, so the one it replaces must have another.
 */
export async function prepareSecret(
  { database, secretsKey }: EndpointDependencies,
  organizationId: string,
  now: Date,
  secret = newSecret(),
): Promise<{ endpoint: Endpoint; secret: string } | null> {
  const [endpoint] = await database.query<Endpoint>(sql`
    update webhook_endpoints set sealed_next_secret = ${seal(secretsKey, secret, organizationId)},
      next_secret_prepared_at = greatest(${now}, next_secret_prepared_at + interval '1 millisecond')
    where organization_id = ${organizationId} returning ${endpointColumns}`)
  return endpoint ? { endpoint, secret } : null
}

/**
 * The prepared secret signs from the next attempt on. With `preparedAt`, only if it is still that one: another admin may
 * have prepared a different one since. Null if there is none to activate.
 */
export async function activateSecret(
  database: Queryable,
  organizationId: string,
  now: Date,
  preparedAt: Date | null = null,
): Promise<Endpoint | null> {
  const [endpoint] = await database.query<Endpoint>(sql`
    update webhook_endpoints set sealed_secret = sealed_next_secret, sealed_next_secret = null,
      next_secret_prepared_at = null, updated_at = ${now}
    where organization_id = ${organizationId} and sealed_next_secret is not null
      and (${preparedAt}::timestamptz is null or next_secret_prepared_at = ${preparedAt})
    returning ${endpointColumns}`)
  return endpoint ?? null
}

/** With `preparedAt`, only if it is still that one. Null if there is none to discard. */
export async function discardSecret(
  database: Queryable,
  organizationId: string,
  preparedAt: Date | null = null,
): Promise<Endpoint | null> {
  const [endpoint] = await database.query<Endpoint>(sql`
    update webhook_endpoints set sealed_next_secret = null, next_secret_prepared_at = null
    where organization_id = ${organizationId} and sealed_next_secret is not null
      and (${preparedAt}::timestamptz is null or next_secret_prepared_at = ${preparedAt})
    returning ${endpointColumns}`)
  return endpoint ?? null
}
