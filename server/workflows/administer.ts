import type { Database, Queryable } from '../database/database.ts'
import { type Delivery, retryDelivery } from '../deliveries/delivery-history.ts'
import {
  type Endpoint,
  isSecret,
  removeEndpoint,
  type SavedEndpoint,
  saveEndpoint,
  setEndpointEnabled,
} from '../endpoints/endpoint.ts'
import { type Action, recordActivity } from '../organizations/activity.ts'
import { type ApiKey, hasRoomForKey, lockKey, mintKey, revokeKey, type Scope } from '../organizations/api-keys.ts'
import { lockOrganization, type Organization, setOrganizationActive } from '../organizations/organizations.ts'
import type { DestinationGuard, Vetting } from '../outbound/destination.ts'
import { deadlineMilliseconds } from '../outbound/post.ts'

/**
 * Everything admins can change, in the settings area or on the command line. Each change is in one transaction with its
 * entry in the organization's activity.
 */

export type Change = { organizationId: string; actor: string }

export async function createKey(
  database: Database,
  { organizationId, actor }: Change,
  { label, scopes, expiresAt = null }: { label: string; scopes: Scope[]; expiresAt?: Date | null },
  now: Date,
): Promise<{ id: string; key: string; label: string; scopes: Scope[] } | 'too_many_keys'> {
  return database.transaction(async (transaction) => {
    if (!(await hasRoomForKey(transaction, organizationId))) return 'too_many_keys'
    const created = await mintKey(transaction, { organizationId, label, scopes, createdBy: actor, expiresAt }, now)
    const subject = `${label} (${created.id})`
    const entry = { organizationId, actor, action: 'key.created', subject, detail: scopes.join(', ') } as const
    await recordActivity(transaction, { ...entry, endsAt: expiresAt }, now)
    return created
  })
}

/** Null if there is no such key in the given organization, or, without one, in any. */
export async function revokeApiKey(
  database: Database,
  { id, organizationId, actor }: { id: string; organizationId: string | null; actor: string },
  now: Date,
): Promise<ApiKey | null> {
  return database.transaction(async (transaction) => {
    const key = await lockKey(transaction, id)
    if (!key || (organizationId !== null && key.organizationId !== organizationId)) return null
    if (key.revokedAt !== null) return key
    const subject = `${key.label} (${id})`
    const activity = { organizationId: key.organizationId, actor, action: 'key.revoked', subject } as const
    await recordActivity(transaction, activity, now)
    return revokeKey(transaction, id, now)
  })
}

/** `not_found` if there is no such delivery in the given organization, or, without one, in any. */
export async function retryFailed(
  database: Database,
  { id, organizationId, actor }: { id: string; organizationId: string | null; actor: string },
  now: Date,
): Promise<Delivery | 'not_found' | 'not_failed'> {
  return database.transaction(async (transaction) => {
    const retried = await retryDelivery(transaction, { id, organizationId, by: actor }, now)
    if (typeof retried === 'string') return retried
    const activity = { organizationId: retried.organizationId, actor, action: 'delivery.retried', subject: id } as const
    await recordActivity(transaction, activity, now)
    return retried
  })
}

/** Retries those of the given deliveries that are failed and belong to the organization; returns how many. */
export async function retrySelected(
  database: Database,
  { organizationId, actor }: Change,
  ids: readonly string[],
  now: Date,
): Promise<number> {
  return database.transaction(async (transaction) => {
    let retried = 0
    // Always in the same order, so that two admins can't lock each other out.
    for (const id of [...new Set(ids)].sort()) {
      const result = await retryDelivery(transaction, { id, organizationId, by: actor }, now)
      if (typeof result !== 'string') retried += 1
    }
    if (retried > 0) {
      const subject = retried === 1 ? '1 selected delivery' : `${retried} selected deliveries`
      await recordActivity(transaction, { organizationId, actor, action: 'deliveries.retried', subject }, now)
    }
    return retried
  })
}

/** Null if there is no such organization. Records nothing if there is nothing to change. */
export async function switchOrganization(
  database: Database,
  { organizationId, actor }: Change,
  active: boolean,
  now: Date,
): Promise<Organization | null> {
  return database.transaction(async (transaction) => {
    const organization = await lockOrganization(transaction, organizationId)
    if (!organization || organization.active === active) return organization
    const action = active ? 'organization.activated' : 'organization.deactivated'
    await recordActivity(transaction, { organizationId, actor, action, subject: organization.name }, now)
    return setOrganizationActive(transaction, organizationId, active)
  })
}

export type WebhookDependencies = { database: Database; guard: DestinationGuard; secretsKey: Buffer }

export type WebhookSaved =
  | ({ outcome: 'saved' } & SavedEndpoint)
  | { outcome: 'refused'; vetting: Vetting & { ok: false } }
  | { outcome: 'invalid_secret' }

/** Only a URL that passes the guard that every delivery passes. */
export async function saveWebhook(
  { database, guard, secretsKey }: WebhookDependencies,
  change: Change,
  { url, secret }: { url: string; secret?: string },
  now: Date,
): Promise<WebhookSaved> {
  if (secret !== undefined && !isSecret(secret)) return { outcome: 'invalid_secret' }
  // Before the transaction, because the embedded database must not wait for a name server.
  const vetting = await guard.vet(url, AbortSignal.timeout(deadlineMilliseconds))
  if (!vetting.ok) return { outcome: 'refused', vetting }
  const { destination } = vetting
  return database.transaction(async (transaction) => {
    const dependencies = { database: transaction, secretsKey }
    const saved = await saveEndpoint(dependencies, change.organizationId, { destination, secret }, now)
    await recordWebhook(transaction, change, 'webhook.saved', saved.endpoint, now)
    if (secret !== undefined) await recordWebhook(transaction, change, 'webhook.secret_changed', saved.endpoint, now)
    return { outcome: 'saved', ...saved }
  })
}

export async function switchWebhook(
  database: Database,
  change: Change,
  enabled: boolean,
  now: Date,
): Promise<Endpoint | null> {
  return database.transaction(async (transaction) => {
    const endpoint = await setEndpointEnabled(transaction, change.organizationId, enabled, now)
    const action = enabled ? 'webhook.enabled' : 'webhook.disabled'
    if (endpoint) await recordWebhook(transaction, change, action, endpoint, now)
    return endpoint
  })
}

export async function removeWebhook(database: Database, change: Change, now: Date): Promise<Endpoint | null> {
  return database.transaction(async (transaction) => {
    const endpoint = await removeEndpoint(transaction, change.organizationId)
    if (endpoint) await recordWebhook(transaction, change, 'webhook.removed', endpoint, now)
    return endpoint
  })
}

export async function recordWebhook(
  transaction: Queryable,
  { organizationId, actor }: Change,
  action: Action,
  { url }: Endpoint,
  now: Date,
): Promise<void> {
  // Only the host: the rest of a webhook URL often contains a token.
  await recordActivity(transaction, { organizationId, actor, action, subject: new URL(url).host }, now)
}
