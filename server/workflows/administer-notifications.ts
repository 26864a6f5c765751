import type { Database } from '../database/database.ts'
import { type ChatWebhook, findChatWebhook, removeChatWebhook, saveChatWebhook } from '../notifications/chat-webhook.ts'
import type { Channel } from '../notifications/message.ts'
import type { Outbox, Queued } from '../notifications/outbox.ts'
import { recordActivity } from '../organizations/activity.ts'
import { setAlertEmails } from '../organizations/alert-preferences.ts'
import { findOrganization } from '../organizations/organizations.ts'
import type { DestinationGuard, Vetting } from '../outbound/destination.ts'
import { deadlineMilliseconds } from '../outbound/post.ts'
import type { Change } from './administer.ts'

/** What admins can change about the messages they get. Each change is in one transaction with its activity entry. */

export type ChatWebhookSaved =
  | { outcome: 'saved'; webhook: ChatWebhook }
  | { outcome: 'refused'; vetting: Vetting & { ok: false } }

/** Only a URL that passes the guard that every delivery passes. */
export async function setChatWebhook(
  { database, guard, secretsKey }: { database: Database; guard: DestinationGuard; secretsKey: Buffer },
  { organizationId, actor }: Change,
  url: string,
  now: Date,
): Promise<ChatWebhookSaved> {
  // Before the transaction, because the embedded database must not wait for a name server.
  const vetting = await guard.vet(url, AbortSignal.timeout(deadlineMilliseconds))
  if (!vetting.ok) return { outcome: 'refused', vetting }
  return database.transaction(async (transaction) => {
    const dependencies = { database: transaction, secretsKey }
    const webhook = await saveChatWebhook(dependencies, organizationId, vetting.destination, now)
    const subject = webhook.host
    await recordActivity(transaction, { organizationId, actor, action: 'chat_webhook.saved', subject }, now)
    return { outcome: 'saved', webhook }
  })
}

/** Null if there is none. */
export async function unsetChatWebhook(
  database: Database,
  { organizationId, actor }: Change,
  now: Date,
): Promise<ChatWebhook | null> {
  return database.transaction(async (transaction) => {
    const removed = await removeChatWebhook(transaction, organizationId)
    if (!removed) return null
    const subject = removed.host
    await recordActivity(transaction, { organizationId, actor, action: 'chat_webhook.removed', subject }, now)
    return removed
  })
}

/** A member's own choice. Records nothing if there is nothing to change. */
export async function chooseAlertEmails(
  database: Database,
  { organizationId, actor, userId }: Change & { userId: string },
  wanted: boolean,
  now: Date,
): Promise<void> {
  await database.transaction(async (transaction) => {
    if (!(await setAlertEmails(transaction, { organizationId, userId, wanted }))) return
    const action = wanted ? 'alert_emails.enabled' : 'alert_emails.disabled'
    await recordActivity(transaction, { organizationId, actor, action, subject: actor }, now)
  })
}

/** Queues a message to the chat, or to whoever asks for it. */
export async function queueTestMessage(
  { database, outbox }: { database: Database; outbox: Outbox },
  { organizationId, actor }: Change,
  channel: Channel,
  now: Date,
): Promise<Queued | 'no_chat_webhook'> {
  return database.transaction(async (transaction) => {
    const organization = (await findOrganization(transaction, organizationId))?.name ?? ''
    const chat = channel === 'chat' ? await findChatWebhook(transaction, organizationId) : null
    if (channel === 'chat' && !chat) return 'no_chat_webhook'
    const message = { kind: 'test', organizationId, values: { organization } } as const
    const queued =
      channel === 'chat'
        ? await outbox.queueChatMessage(transaction, message)
        : await outbox.queueMail(transaction, { ...message, to: actor })
    if (queued !== 'queued') return queued
    const subject = chat?.host ?? actor
    await recordActivity(transaction, { organizationId, actor, action: 'notifications.tested', subject }, now)
    return queued
  })
}
