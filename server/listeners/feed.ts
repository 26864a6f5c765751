import sql, { empty, type Sql } from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { endSnapshotAfter, type Snapshot, truncateSnapshot } from '../interviews/snapshot.ts'
import type { FeedEntry, FeedPosition } from './feed-position.ts'
import type { ListenerIdentity } from './listen-authenticator.ts'

export const entriesPerPage = 100

/**
 * The events that arrived after a position, in order of arrival.
 *
 * Transaction IDs are not committed in order, so "after" can't be a number: a batch is what the snapshot `upTo` sees and
 * the snapshot `seen` does not. Nothing is lost or repeated, and every process reads the same.
 */
export async function readFeed(
  database: Queryable,
  { organizationId, since }: Pick<ListenerIdentity, 'organizationId' | 'since'>,
  { seen, batch }: FeedPosition,
): Promise<{ entries: FeedEntry[]; upTo: Snapshot }> {
  const end = batch ? sql`${batch.upTo}::pg_snapshot` : sql`(select snapshot from moment)`
  const last = batch?.last
  const rows = await database.query<{ upTo: Snapshot; arrived: string | null; id: string | null }>(sql`
    with moment as materialized (select ${currentEnd(organizationId)} as snapshot), page as (
      select arrived, id from (
        select arrived, id from results where ${isNew(organizationId, seen, { since, end })} and final
        union all
        select arrived, id from listen_samples where ${isNew(organizationId, seen, { since, end })}
      ) news
      ${last ? sql`where (arrived, id) > (${last.arrived}::xid8, ${last.id}::text)` : empty}
      order by arrived, id limit ${entriesPerPage}
    )
    select ${end}::text as "upTo", page.arrived::text as arrived, page.id
    from (select) one left join page on true order by page.arrived, page.id`)
  const [first] = rows
  if (!first) throw new Error('The feed has no moment')
  const entries = rows.flatMap(({ arrived, id }) => (arrived === null || id === null ? [] : [{ arrived, id }]))
  return { entries, upTo: first.upTo }
}

/** What has arrived for an organization until now. */
function currentEnd(organizationId: string): Sql {
  const newestIn = (rows: Sql) => sql`(select arrived from ${rows} order by arrived desc limit 1)`
  const newest = sql`greatest(
    ${newestIn(sql`results where organization_id = ${organizationId} and final`)},
    ${newestIn(sql`listen_samples where organization_id = ${organizationId}`)})`
  return truncateSnapshot(endSnapshotAfter(sql`pg_current_snapshot()`, newest))
}

/** The bounds on `arrived` are for the index; the snapshots decide. */
function isNew(organizationId: string, seen: Snapshot, { since, end }: { since: string; end: Sql }): Sql {
  return sql`organization_id = ${organizationId} and arrived >= ${since}::xid8
    and arrived >= pg_snapshot_xmin(${seen}::pg_snapshot) and arrived < pg_snapshot_xmax(${end})
    and not pg_visible_in_snapshot(arrived, ${seen}::pg_snapshot) and pg_visible_in_snapshot(arrived, ${end})`
}

/** The end of the feed right now, and whether a position is from this database rather than from one it was copied to. */
export async function findEnd(
  database: Queryable,
  organizationId: string,
  position: FeedPosition | null,
): Promise<{ end: FeedPosition; isKnown: boolean }> {
  const latest = position && (position.batch?.upTo ?? position.seen)
  const [found] = await database.query<{ snapshot: Snapshot; isKnown: boolean }>(sql`
    select ${currentEnd(organizationId)}::text as snapshot,
      coalesce(pg_snapshot_xmax(${latest}::pg_snapshot) <= pg_snapshot_xmax(pg_current_snapshot()), false) as "isKnown"`)
  if (!found) throw new Error('The feed has no end')
  return { end: { seen: found.snapshot, batch: null, waiting: [] }, isKnown: found.isKnown }
}

/** Which of these organizations have events that `seen` does not see. Without `seen`, all of them. */
export async function findOrganizationsWithNews(
  database: Queryable,
  organizationIds: readonly string[],
  seen: Snapshot | null,
): Promise<{ organizationIds: Set<string>; snapshot: Snapshot }> {
  const hasNews = (table: Sql, condition: Sql) => sql`exists (
    select from ${table} where organization_id = w.id and ${condition}
      and arrived >= pg_snapshot_xmin(${seen}::pg_snapshot) and not pg_visible_in_snapshot(arrived, ${seen}::pg_snapshot))`
  const isNewsworthy =
    seen === null ? sql`true` : sql`${hasNews(sql`results`, sql`final`)} or ${hasNews(sql`listen_samples`, sql`true`)}`
  const [found] = await database.query<{ ids: string[]; snapshot: Snapshot }>(sql`
    select array(select w.id from unnest(${organizationIds}::text[]) as w (id) where ${isNewsworthy}) as ids,
      ${truncateSnapshot(sql`pg_current_snapshot()`)}::text as snapshot`)
  if (!found) throw new Error('The feed was not read')
  return { organizationIds: new Set(found.ids), snapshot: found.snapshot }
}
