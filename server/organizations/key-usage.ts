import sql from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { type RemovalPosition, type RemovalStep, removeDueRows } from '../database/removal.ts'
import { requestsPerWindow, windowSeconds } from './authenticate.ts'

export type KeyUsage = {
  /** Requests in the current rate window. */
  thisMinute: number
  limitPerMinute: number
  /** Requests in the last 24 hours by response status, smallest first. */
  lastDay: { status: number; requests: number }[]
}

/** All on the database's clock, like the rate windows. */
export async function readKeyUsage(database: Queryable, keyIds: string[]): Promise<Map<string, KeyUsage>> {
  const rows = await database.query<{ keyId: string } & Omit<KeyUsage, 'limitPerMinute'>>(sql`
    select k.id as "keyId", coalesce(w.used, 0) as "thisMinute", coalesce(u.statuses, '[]') as "lastDay"
    from unnest(${keyIds}::text[]) as k (id)
    left join rate_windows w
      on w.key_id = k.id and w.minute = floor(extract(epoch from now()) / ${windowSeconds}::int)::bigint
    left join lateral (
      select json_agg(json_build_object('status', s.status, 'requests', s.requests) order by s.status) as statuses
      from (
        select status, sum(requests) as requests from key_usage
        where key_id = k.id and hour > now() - interval '24 hours' group by status
      ) s
    ) u on true`)
  return new Map(rows.map(({ keyId, ...usage }) => [keyId, { ...usage, limitPerMinute: requestsPerWindow }]))
}

export type UsageCount = { keyId: string; status: number; requests: number }

export async function addKeyUsage(database: Queryable, counts: readonly UsageCount[]): Promise<void> {
  await database.query(sql`
    insert into key_usage as u (key_id, hour, status, requests)
    select "keyId", date_bin('1 hour', now(), 'epoch'), status, requests
    from json_to_recordset(${JSON.stringify(counts)}::json) as counted ("keyId" text, status smallint, requests int)
    -- Always in the same order, because other processes write the same rows.
    order by "keyId", status
    on conflict (key_id, hour, status) do update set requests = u.requests + excluded.requests`)
}

export function removeOldKeyUsage(database: Queryable, position: RemovalPosition, until: Date): Promise<RemovalStep> {
  return removeDueRows(database, { table: sql`key_usage`, isDue: sql`hour < ${until}` }, position)
}
