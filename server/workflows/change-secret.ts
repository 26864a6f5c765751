import type { Database } from '../database/database.ts'
import { type Endpoint, isSecret } from '../endpoints/endpoint.ts'
import { activateSecret, discardSecret, prepareSecret } from '../endpoints/pending-secret.ts'
import { type Change, recordWebhook, type WebhookDependencies } from './administer.ts'

/** Changes a signing secret without losing an event: prepare it, let the receiver accept both, activate it. */

/** Prepares the secret given, or a new one. Replaces one that is already prepared. Null without a webhook. */
export async function preparePendingSecret(
  { database, secretsKey }: Pick<WebhookDependencies, 'database' | 'secretsKey'>,
  change: Change,
  given: string | undefined,
  now: Date,
): Promise<{ endpoint: Endpoint; secret: string } | 'invalid_secret' | null> {
  if (given !== undefined && !isSecret(given)) return 'invalid_secret'
  return database.transaction(async (transaction) => {
    const prepared = await prepareSecret({ database: transaction, secretsKey }, change.organizationId, now, given)
    if (prepared) await recordWebhook(transaction, change, 'webhook.secret_prepared', prepared.endpoint, now)
    return prepared
  })
}

/** `checked` is the secret the receiver was seen to accept. Null if it, or any, is no longer prepared. */
export async function activatePendingSecret(
  database: Database,
  change: Change,
  now: Date,
  checked: Buffer | null = null,
): Promise<Endpoint | null> {
  return database.transaction(async (transaction) => {
    const endpoint = await activateSecret(transaction, change.organizationId, now, checked)
    if (endpoint) await recordWebhook(transaction, change, 'webhook.secret_activated', endpoint, now)
    return endpoint
  })
}

export async function discardPendingSecret(database: Database, change: Change, now: Date): Promise<Endpoint | null> {
  return database.transaction(async (transaction) => {
    const endpoint = await discardSecret(transaction, change.organizationId)
    if (endpoint) await recordWebhook(transaction, change, 'webhook.secret_discarded', endpoint, now)
    return endpoint
  })
}
