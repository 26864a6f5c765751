import sql from 'sql-template-tag'
import { sampleEvent } from '../../sdk/src/sample-event.ts'
import type { Queryable } from '../database/database.ts'
import { buildEvent } from '../deliveries/event.ts'
import { type EventColumns, eventColumns, eventJoins, toEventSource } from '../deliveries/event-source.ts'
import type { EventImages } from '../images/event-images.ts'
import { joinThumbnail, readThumbnail, type ThumbnailColumns, thumbnailColumns } from '../images/thumbnail-store.ts'
import type { ThumbnailFault } from '../images/thumbnail-verdict.ts'
import type { ListenerIdentity } from './listen-authenticator.ts'
import { isSampleId } from './listen-samples.ts'

/** Null: there is nothing to show, for example because the candidate was erased. */
export type EventCopy = { ok: true; body: Buffer } | (ThumbnailFault & { occurredAt: string }) | null

/** A client can ask for any event by its position, so each is checked again. */
type ListenerScope = Pick<ListenerIdentity, 'organizationId' | 'since'>

export type EventCopies = {
  /** The bytes that a delivery of this event would send. */
  build(listener: ListenerScope, eventId: string): Promise<EventCopy>
}

export function createEventCopies(dependencies: {
  database: Queryable
  images: EventImages
  appUrl: string
}): EventCopies {
  const { database, images, appUrl } = dependencies
  return {
    async build({ organizationId, since }, id) {
      if (isSampleId(id)) return buildSample(database, { organizationId, since }, id)
      const [row] = await database.query<EventColumns & ThumbnailColumns>(sql`
        select ${eventColumns}, ${thumbnailColumns}
        from (
          select organization_id, id as result_id, interview_id, created_at from results
          where id = ${id} and final and arrived >= ${since}::xid8
        ) d ${eventJoins} ${joinThumbnail(sql`d.interview_id`)}
        where d.organization_id = ${organizationId} and i.erased_at is null`)
      if (!row) return null
      const { interviewId, occurredAt } = row
      const request = { interviewId, organizationId, stored: readThumbnail(row) }
      const image = await images.provide(request, async (base64) => buildEvent(toEventSource(row, appUrl), base64))
      return image.ok ? { ok: true, body: image.result } : { ...image, occurredAt }
    },
  }
}

async function buildSample(
  database: Queryable,
  { organizationId, since }: ListenerScope,
  id: string,
): Promise<EventCopy> {
  const [sample] = await database.query<{ createdAt: string }>(sql`
    select created_at as "createdAt" from listen_samples
    where id = ${id} and organization_id = ${organizationId} and arrived >= ${since}::xid8`)
  return sample ? { ok: true, body: Buffer.from(JSON.stringify(sampleEvent(id, new Date(sample.createdAt)))) } : null
}
