import sql from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { isId } from '../database/ids.ts'
import type { Static } from '../schema.ts'
import { buildEvent, eventHeaders, type resultCompleted } from './event.ts'
import { type EventColumns, eventColumns, eventTables, toEventSource } from './event-source.ts'

export type PayloadView = { headers: Record<string, string>; body: Static<typeof resultCompleted> }

/** The request as the next attempt would send it, without the signature. The image is not loaded. */
export async function viewPayload(
  { database, appUrl }: { database: Queryable; appUrl: string },
  organizationId: string,
  id: string,
): Promise<PayloadView | null> {
  if (!isId('dlv', id)) return null
  const [row] = await database.query<EventColumns & { imageSize: number | null }>(sql`
    select ${eventColumns}, n.size as "imageSize"
    from ${eventTables} left join thumbnails n on n.interview_id = i.id
    where d.id = ${id} and d.organization_id = ${organizationId}`)
  if (!row) return null
  const bytes = buildEvent(toEventSource(row, appUrl), imagePlaceholder(row.imageSize))
  const { 'x-service-signature': _, ...headers } = eventHeaders(row.resultId, '')
  return { headers, body: JSON.parse(bytes.toString()) }
}

function imagePlaceholder(size: number | null): string {
  if (size === null) return '(no image stored)'
  return `(${(Math.ceil(size / 3) * 4).toLocaleString('en')} characters of Base64 not shown)`
}
