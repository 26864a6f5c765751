import type { Database } from '../database/database.ts'
import { type Endpoint, isSecret, rotateSecret } from '../endpoints/endpoint.ts'
import { activateSecret, discardSecret, prepareSecret } from '../endpoints/pending-secret.ts'
import type { Action } from '../organizations/activity.ts'
import { type Change, recordWebhook, type WebhookDependencies } from './administer.ts'

/** Replaces the secret at once: a receiver that does not know the new one refuses what is sent meanwhile. */
export const changeSecret = storeWith(rotateSecret, 'webhook.secret_changed')

/**
 * Changes the secret without losing an event: prepare it, let the receiver accept both, activate it. Replaces one that is
 * already prepared.
 */
export const preparePendingSecret = storeWith(prepareSecret, 'webhook.secret_prepared')

/** The secret given, or a new one. Null without a webhook. */
function storeWith(store: typeof rotateSecret, action: Action) {
  return async (
    { database, secretsKey }: Pick<WebhookDependencies, 'database' | 'secretsKey'>,
    change: Change,
    given: string | undefined,
    now: Date,
  ): Promise<{ endpoint: Endpoint; secret: string } | 'invalid_secret' | null> => {
    if (given !== undefined && !isSecret(given)) return 'invalid_secret'
    return database.transaction(async (transaction) => {
      const stored = await store({ database: transaction, secretsKey }, change.organizationId, now, given)
      if (stored) await recordWebhook(transaction, change, action, stored.endpoint, now)
      return stored
    })
  }
}

/** Null if no secret is prepared, or not the one of `preparedAt`. */
export async function activatePendingSecret(
  database: Database,
  change: Change,
  now: Date,
  preparedAt: Date | null = null,
): Promise<Endpoint | null> {
  return database.transaction(async (transaction) => {
    const endpoint = await activateSecret(transaction, change.organizationId, now, preparedAt)
    if (endpoint) await recordWebhook(transaction, change, 'webhook.secret_activated', endpoint, now)
    return endpoint
  })
}

/** Null if no secret is prepared, or not the one of `preparedAt`. */
export async function discardPendingSecret(
  database: Database,
  change: Change,
  now: Date,
  preparedAt: Date | null = null,
): Promise<Endpoint | null> {
  return database.transaction(async (transaction) => {
    const endpoint = await discardSecret(transaction, change.organizationId, preparedAt)
    if (endpoint) await recordWebhook(transaction, change, 'webhook.secret_discarded', endpoint, now)
    return endpoint
  })
}
