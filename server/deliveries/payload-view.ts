import sql from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { isId } from '../database/ids.ts'
import { findThumbnail } from '../images/thumbnail-store.ts'
import type { Static } from '../schema.ts'
import { buildEvent, eventHeaders, type resultCompleted } from './event.ts'
import { type EventColumns, eventColumns, eventTables, toEventSource } from './event-source.ts'

export type PayloadView = {
  /** Where events are sent now; null without a webhook. */
  url: string | null
  headers: Record<string, string>
  body: Static<typeof resultCompleted>
}

/** The request as the next attempt would send it, without the signature. The image is not loaded. */
export async function viewPayload(
  { database, appUrl }: { database: Queryable; appUrl: string },
  organizationId: string,
  id: string,
): Promise<PayloadView | 'erased' | null> {
  if (!isId('dlv', id)) return null
  const [row] = await database.query<EventColumns & Erased & { imageSize: number | null; url: string | null }>(sql`
    select ${eventColumns}, ${erased}, n.size as "imageSize", e.url
    from ${eventTables} left join thumbnails n on n.interview_id = i.id
    left join webhook_endpoints e on e.organization_id = d.organization_id
    where d.id = ${id} and d.organization_id = ${organizationId}`)
  if (!row) return null
  if (row.erased) return 'erased'
  const bytes = buildEvent(toEventSource(row, appUrl), imagePlaceholder(row.imageSize))
  const { 'x-service-signature': _, ...headers } = eventHeaders(row.resultId, '')
  return { url: row.url, headers, body: JSON.parse(bytes.toString()) }
}

/** The body byte for byte as the next attempt would send it. Without a stored image, its place is empty. */
export async function readEventBody(
  { database, appUrl }: { database: Queryable; appUrl: string },
  organizationId: string,
  id: string,
): Promise<Buffer | 'erased' | null> {
  if (!isId('dlv', id)) return null
  const [row] = await database.query<EventColumns & Erased>(sql`
    select ${eventColumns}, ${erased} from ${eventTables} where d.id = ${id} and d.organization_id = ${organizationId}`)
  if (!row) return null
  if (row.erased) return 'erased'
  const image = await findThumbnail(database, row.interviewId)
  return buildEvent(toEventSource(row, appUrl), image?.base64 ?? '')
}

type Erased = { erased: boolean }
const erased = sql`d.erased_at is not null as erased`

function imagePlaceholder(size: number | null): string {
  if (size === null) return '(no image stored)'
  return `(${(Math.ceil(size / 3) * 4).toLocaleString('en')} characters of Base64 not shown)`
}
