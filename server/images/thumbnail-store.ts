import { randomUUID } from 'node:crypto'
import sql, { type Sql } from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { isId } from '../database/ids.ts'
import { maximumThumbnailBytes, type ThumbnailVerdict } from './thumbnail-verdict.ts'

/** An image to store, valid or not, with the verdict on exactly these bytes. */
export type ThumbnailToStore = { interviewId: string; image: Buffer; verdict: ThumbnailVerdict | null; now: Date }

/**
 * Stores or replaces the image of an interview. Returns the version that identifies this upload, or null if there is no
 * such interview or its candidate was erased. Locks the interview so that no image slips in during an erasure.
 */
export async function storeThumbnail(
  database: Queryable,
  { interviewId, image, verdict, now }: ThumbnailToStore,
): Promise<string | null> {
  if (!isId('int', interviewId)) return null
  const [stored] = await database.query<{ version: string }>(sql`
    insert into thumbnails (interview_id, size, base64, version, verdict, stored_at)
    select id, ${image.length}::int, ${image.toString('base64')}, ${randomUUID()},
      ${verdict && JSON.stringify(verdict)}::jsonb, ${now}::timestamptz
    from interviews where id = ${interviewId} and erased_at is null for share
    ${replaceEarlier}
    returning version`)
  return stored?.version ?? null
}

/** Stores small images, one per interview, in one statement. Skips interviews locked by someone else. */
export async function storeThumbnails(
  database: Queryable,
  thumbnails: readonly ThumbnailToStore[],
): Promise<(string | null)[]> {
  const ids = thumbnails.map(({ interviewId }) => interviewId)
  const rows = await database.query<{ interviewId: string; version: string }>(sql`
    insert into thumbnails (interview_id, size, base64, version, verdict, stored_at)
    select i.id, t.size, t.base64, t.version, t.verdict, t.now
    from interviews i join unnest(
      ${ids}::text[],
      ${thumbnails.map(({ image }) => image.length)}::int[],
      ${thumbnails.map(({ image }) => image.toString('base64'))}::text[],
      ${thumbnails.map(() => randomUUID())}::text[],
      ${thumbnails.map(({ verdict }) => verdict && JSON.stringify(verdict))}::jsonb[],
      ${thumbnails.map(({ now }) => now.toISOString())}::timestamptz[]
    ) as t (interview_id, size, base64, version, verdict, now) on t.interview_id = i.id
    where i.id = any(${ids}) and i.erased_at is null
    for share of i skip locked
    ${replaceEarlier}
    returning interview_id as "interviewId", version`)
  const versions = new Map(rows.map(({ interviewId, version }) => [interviewId, version]))
  return ids.map((id) => versions.get(id) ?? null)
}

const replaceEarlier = sql`
  on conflict (interview_id) do update set
    size = excluded.size, base64 = excluded.base64, version = excluded.version, verdict = excluded.verdict,
    stored_at = excluded.stored_at`

/** The organization of each interview, or null if there is no such interview or its candidate was erased. */
export async function findImageOwners(
  database: Queryable,
  interviewIds: readonly string[],
): Promise<(string | null)[]> {
  const rows = await database.query<{ id: string; organizationId: string }>(sql`
    select id, organization_id as "organizationId" from interviews where id = any(${interviewIds}) and erased_at is null`)
  const owners = new Map(rows.map(({ id, organizationId }) => [id, organizationId]))
  return interviewIds.map((id) => owners.get(id) ?? null)
}

/** Stores the verdict on one upload, unless another upload has replaced it. */
export async function storeVerdict(
  database: Queryable,
  interviewId: string,
  version: string,
  verdict: ThumbnailVerdict,
): Promise<void> {
  await database.query(sql`
    update thumbnails set verdict = ${JSON.stringify(verdict)}::jsonb
    where interview_id = ${interviewId} and version = ${version} and verdict is null`)
}

export async function removeThumbnails(transaction: Queryable, interviewIds: readonly string[]): Promise<number> {
  const removed = await transaction.query(sql`
    delete from thumbnails where interview_id = any(${interviewIds}) returning interview_id`)
  return removed.length
}

/** `base64` is null if the image was too large to load. The verdict is null until the image is checked. */
export type StoredThumbnail = { base64: string | null; size: number; version: string; verdict: ThumbnailVerdict | null }

/** Loads an image of any size that an event may carry. */
export async function findThumbnail(database: Queryable, interviewId: string): Promise<StoredThumbnail | null> {
  const [thumbnail] = await database.query<StoredThumbnail>(sql`
    select case when size <= ${maximumThumbnailBytes}::int then base64 end as base64, size, version, verdict
    from thumbnails where interview_id = ${interviewId}`)
  return thumbnail ?? null
}

// Larger images would fill the memory with deliveries that are still waiting.
export const maximumInlineBytes = 65_536

/** For statements that load deliveries. Includes the image only if it is small. */
export const thumbnailColumns = sql`
  case when thumbnail.size <= ${maximumInlineBytes}::int then thumbnail.base64 end as "thumbnailBase64",
  thumbnail.size as "thumbnailSize", thumbnail.version as "thumbnailVersion", thumbnail.verdict as "thumbnailVerdict"`

/** The join that `thumbnailColumns` needs. */
export function joinThumbnail(interviewId: Sql): Sql {
  return sql`left join thumbnails thumbnail on thumbnail.interview_id = ${interviewId}`
}

export type ThumbnailColumns = {
  thumbnailBase64: string | null
  thumbnailSize: number | null
  thumbnailVersion: string | null
  thumbnailVerdict: ThumbnailVerdict | null
}

/** Turns the columns of `thumbnailColumns` into a thumbnail, or null if the interview has none. */
export function readThumbnail(row: ThumbnailColumns): StoredThumbnail | null {
  const { thumbnailBase64: base64, thumbnailSize: size, thumbnailVersion: version, thumbnailVerdict: verdict } = row
  return size === null || version === null ? null : { base64, size, version, verdict }
}
