import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { isId } from '../database/ids.ts'
import { mostSentBytes, type ThumbnailVerdict } from './thumbnail.ts'

/**
 * Stores or replaces the candidate's image as it came, good enough or not, and tells which version of it that is; null
 * without such an interview. The interview is held for the moment: no image comes in behind the back of an erasure.
 */
export async function storeThumbnail(
  database: Queryable,
  interviewId: string,
  image: Buffer,
  now: Date,
): Promise<string | null> {
  if (!isId('int', interviewId)) return null
  const [stored] = await database.query<{ version: string }>(sql`
    insert into thumbnails (interview_id, size, base64, version, verdict, stored_at)
    select id, ${image.length}::int, ${image.toString('base64')}, ${randomUUID()}, null, ${now}::timestamptz
    from interviews where id = ${interviewId} and erased_at is null for share
    on conflict (interview_id) do update set
      size = excluded.size, base64 = excluded.base64, version = excluded.version, verdict = null,
      stored_at = excluded.stored_at
    returning version`)
  return stored?.version ?? null
}

/** `base64` is null when the image is too large to be sent at all, or was not asked for. */
export type StoredThumbnail = { base64: string | null; size: number; version: string; verdict: ThumbnailVerdict | null }

export async function findThumbnail(database: Queryable, interviewId: string): Promise<StoredThumbnail | null> {
  const [thumbnail] = await database.query<StoredThumbnail>(sql`
    select case when size <= ${mostSentBytes}::int then base64 end as base64, size, version, verdict
    from thumbnails where interview_id = ${interviewId}`)
  return thumbnail ?? null
}

/** Keeps what was found about one upload, unless another has taken its place meanwhile. */
export async function keepVerdict(
  database: Queryable,
  interviewId: string,
  version: string,
  verdict: ThumbnailVerdict,
): Promise<void> {
  await database.query(sql`
    update thumbnails set verdict = ${JSON.stringify(verdict)}::jsonb
    where interview_id = ${interviewId} and version = ${version} and verdict is null`)
}
