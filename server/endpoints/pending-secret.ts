import sql from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { type Endpoint, type EndpointDependencies, endpointColumns, newSecret } from './endpoint.ts'
import { seal } from './secrets.ts'

/** Stores the next secret, given or generated. Events are signed with the current one until it is activated. */
export async function prepareSecret(
  { database, secretsKey }: Pick<EndpointDependencies, 'database' | 'secretsKey'>,
  organizationId: string,
  now: Date,
  secret = newSecret(),
): Promise<{ endpoint: Endpoint; secret: string } | null> {
  const [endpoint] = await database.query<Endpoint>(sql`
    update webhook_endpoints set sealed_next_secret = ${seal(secretsKey, secret, organizationId)},
      next_secret_prepared_at = ${now}
    where organization_id = ${organizationId} returning ${endpointColumns}`)
  return endpoint ? { endpoint, secret } : null
}

/**
 * The prepared secret signs from the next attempt on. With `checked`, only if it is still that one: another admin may
 * have prepared a different one since. Null if there is none to activate.
 */
export async function activateSecret(
  database: Queryable,
  organizationId: string,
  now: Date,
  checked: Buffer | null = null,
): Promise<Endpoint | null> {
  const [endpoint] = await database.query<Endpoint>(sql`
    update webhook_endpoints set sealed_secret = sealed_next_secret, sealed_next_secret = null,
      next_secret_prepared_at = null, updated_at = ${now}
    where organization_id = ${organizationId} and sealed_next_secret is not null
      and (${checked}::bytea is null or sealed_next_secret = ${checked})
    returning ${endpointColumns}`)
  return endpoint ?? null
}

/** Null if there is none to discard. */
export async function discardSecret(database: Queryable, organizationId: string): Promise<Endpoint | null> {
  const [endpoint] = await database.query<Endpoint>(sql`
    update webhook_endpoints set sealed_next_secret = null, next_secret_prepared_at = null
    where organization_id = ${organizationId} and sealed_next_secret is not null
    returning ${endpointColumns}`)
  return endpoint ?? null
}
