import sql from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { seal, type Unseal } from '../endpoints/secrets.ts'
import type { Destination } from '../outbound/destination.ts'

/** The URL works like a password: only its host is ever shown. */
export type ChatWebhook = { host: string; updatedAt: string }

const columns = sql`host, updated_at as "updatedAt"`

export async function saveChatWebhook(
  { database, secretsKey }: { database: Queryable; secretsKey: Buffer },
  organizationId: string,
  { url: { href, host } }: Destination,
  now: Date,
): Promise<ChatWebhook> {
  const [webhook] = await database.query<ChatWebhook>(sql`
    insert into chat_webhooks (organization_id, sealed_url, host, updated_at)
    values (${organizationId}, ${seal(secretsKey, href, ownerOf(organizationId))}, ${host}, ${now})
    on conflict (organization_id) do update set sealed_url = excluded.sealed_url, host = excluded.host,
      updated_at = excluded.updated_at
    returning ${columns}`)
  if (!webhook) throw new Error('The chat webhook was not saved')
  return webhook
}

export async function findChatWebhook(database: Queryable, organizationId: string): Promise<ChatWebhook | null> {
  const [webhook] = await database.query<ChatWebhook>(sql`
    select ${columns} from chat_webhooks where organization_id = ${organizationId}`)
  return webhook ?? null
}

/** Messages that wait for it are discarded when they become due. */
export async function removeChatWebhook(database: Queryable, organizationId: string): Promise<ChatWebhook | null> {
  const [webhook] = await database.query<ChatWebhook>(sql`
    delete from chat_webhooks where organization_id = ${organizationId} returning ${columns}`)
  return webhook ?? null
}

export async function readChatUrl(database: Queryable, unseal: Unseal, organizationId: string): Promise<string | null> {
  const [row] = await database.query<{ sealed: Buffer }>(sql`
    select sealed_url as sealed from chat_webhooks where organization_id = ${organizationId}`)
  return row ? unseal(row.sealed, ownerOf(organizationId)) : null
}

/** Differs from the owner of the signing secret, so that neither can be put in the other's place. */
function ownerOf(organizationId: string): string {
  return `${organizationId} chat`
}
