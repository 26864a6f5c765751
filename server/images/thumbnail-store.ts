import { randomUUID } from 'node:crypto'
import sql, { type Sql } from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { isId } from '../database/ids.ts'
import { maximumThumbnailBytes, type ThumbnailVerdict } from './thumbnail-verdict.ts'

/**
 * Stores or replaces the image of an interview, valid or not, together with the verdict on exactly these bytes. Returns
 * the version that identifies this upload, or null if there is no such interview or its candidate was erased. Locks the
 * interview so that an image cannot slip in during an erasure.
 */
export async function storeThumbnail(
  database: Queryable,
  interviewId: string,
  { image, verdict }: { image: Buffer; verdict: ThumbnailVerdict | null },
  now: Date,
): Promise<string | null> {
  if (!isId('int', interviewId)) return null
  const [stored] = await database.query<{ version: string }>(sql`
    insert into thumbnails (interview_id, size, base64, version, verdict, stored_at)
    select id, ${image.length}::int, ${image.toString('base64')}, ${randomUUID()},
      ${verdict && JSON.stringify(verdict)}::jsonb, ${now}::timestamptz
    from interviews where id = ${interviewId} and erased_at is null for share
    on conflict (interview_id) do update set
      size = excluded.size, base64 = excluded.base64, version = excluded.version, verdict = excluded.verdict,
      stored_at = excluded.stored_at
    returning version`)
  return stored?.version ?? null
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

/** `base64` is null if the image is too large for whoever read it. The verdict is null until the image is checked. */
export type StoredThumbnail = { base64: string | null; size: number; version: string; verdict: ThumbnailVerdict | null }

/** Reads an image of any size that an event may carry. */
export async function findThumbnail(database: Queryable, interviewId: string): Promise<StoredThumbnail | null> {
  const [thumbnail] = await database.query<StoredThumbnail>(sql`
    select case when size <= ${maximumThumbnailBytes}::int then base64 end as base64, size, version, verdict
    from thumbnails where interview_id = ${interviewId}`)
  return thumbnail ?? null
}

// Larger images would fill the memory with deliveries that wait for room.
const maximumInlineBytes = 65_536

/** For a statement that loads deliveries: the thumbnail of each interview, with its image if that is small. */
export const thumbnailColumns = sql`
  case when thumbnail.size <= ${maximumInlineBytes}::int then thumbnail.base64 end as "thumbnailBase64",
  thumbnail.size as "thumbnailSize", thumbnail.version as "thumbnailVersion", thumbnail.verdict as "thumbnailVerdict"`

/** What `thumbnailColumns` refers to. */
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
