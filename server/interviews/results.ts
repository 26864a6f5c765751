import sql, { join, type Sql } from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { isId } from '../database/ids.ts'
import { decodeCursor, encodeCursor, type Page } from '../database/paging.ts'
import { endSnapshotAfter, isSnapshot, type Snapshot, truncateSnapshot } from './snapshot.ts'

export type ResultSummary = { resultId: string; invitationId: string; resultUrl: string; overallScore: number }

export type ResultFilter = {
  invitationId?: string
  resultId?: string
  templateId?: string
  completedAfter?: Date
  completedBefore?: Date
  limit: number
  cursor?: string
}

export type ListResultsError = 'invalid_cursor' | 'invitation_not_found' | 'template_not_found' | 'result_not_found'

/**
 * Final results, oldest completion first.
 *
 * A result can arrive late, with a completion time before a page that was already read. So paging first goes through the
 * results that existed when it began, in order; then, as a second batch, through those that arrived in the meantime; and
 * so on until there are no new ones. The cursor holds a snapshot of the committed transactions, so no result is repeated
 * or skipped, and none has to wait for an unrelated transaction.
 */
export async function listResults(
  database: Queryable,
  organizationId: string,
  filter: ResultFilter,
  options: { appUrl: string },
): Promise<Page<ResultSummary> | ListResultsError> {
  const { invitationId, resultId, templateId } = filter
  if (invitationId !== undefined && !isId('inv', invitationId)) return 'invitation_not_found'
  if (templateId !== undefined && !isId('tpl', templateId)) return 'template_not_found'
  if (resultId !== undefined && !isId('res', resultId)) return 'result_not_found'
  const position = filter.cursor === undefined ? {} : decodePosition(filter.cursor)
  if (!position) return 'invalid_cursor'

  const statement = listStatement(organizationId, filter, position)
  let rows = await database.query<Row>(statement)
  if (rows[0]?.isRestored) {
    await resetArrivals(database, organizationId)
    rows = await database.query<Row>(statement)
  }
  const [first] = rows
  if (!first?.invitationFound) return 'invitation_not_found'
  if (!first.templateFound) return 'template_not_found'
  if (!first.resultFound) return 'result_not_found'
  if (!first.positionFound) return 'invalid_cursor'

  const results = rows.filter((row): row is Row & ResultRow => row.resultId !== null)
  const page = results.slice(0, filter.limit)
  return {
    data: page.map((row) => ({
      resultId: row.resultId,
      invitationId: row.invitationId,
      resultUrl: resultUrl(options.appUrl, row.token),
      overallScore: row.overallScore,
    })),
    nextCursor: nextCursor(
      { ...position, upTo: position.upTo ?? first.snapshot },
      results.length > filter.limit ? page.at(-1) : undefined,
      first.hasNewer,
    ),
  }
}

/** Anyone who has the link can read the result. */
export function resultUrl(appUrl: string, token: string): string {
  return `${appUrl}/shared/interview-details/${token}`
}

type ResultRow = { resultId: string; invitationId: string; token: string; overallScore: number }
type Row = (ResultRow | { resultId: null }) & {
  snapshot: Snapshot
  isRestored: boolean
  hasNewer: boolean
  positionFound: boolean
  invitationFound: boolean
  templateFound: boolean
  resultFound: boolean
}

/**
 * A batch is what `upTo` sees and `seen`, the snapshot of the previous batch, does not. Without `seen` it starts at the
 * beginning; without `upTo` it ends now.
 */
type Position = { seen?: Snapshot; upTo?: Snapshot; last?: string }

function listStatement(organizationId: string, filter: ResultFilter, { seen, upTo, last }: Position): Sql {
  const { invitationId, resultId, templateId } = filter
  const now = sql`(select snapshot from moment)`
  const end = upTo === undefined ? now : sql`${upTo}::pg_snapshot`
  const known = upTo ?? seen
  const conditions: Sql[] = [sql`pg_visible_in_snapshot(r.arrived, ${end})`]
  if (seen !== undefined) conditions.push(sql`not pg_visible_in_snapshot(r.arrived, ${seen}::pg_snapshot)`)
  if (last !== undefined) {
    conditions.push(sql`(r.completed_at, r.id) > (
      select completed_at, id from results where id = ${last} and organization_id = ${organizationId} and final)`)
  }
  if (invitationId !== undefined) {
    conditions.push(sql`r.interview_id = (select id from interviews where invitation_id = ${invitationId})`)
  }
  if (templateId !== undefined) conditions.push(sql`r.template_id = ${templateId}`)
  if (resultId !== undefined) conditions.push(sql`r.id = ${resultId}`)
  if (filter.completedAfter) conditions.push(sql`r.completed_at >= ${filter.completedAfter}`)
  if (filter.completedBefore) conditions.push(sql`r.completed_at <= ${filter.completedBefore}`)

  const ofOrganization = sql`results where organization_id = ${organizationId} and final`
  return sql`
    with newest as materialized (
      select (select arrived from ${ofOrganization} order by arrived desc limit 1) as arrived
    ), moment as materialized (
      select ${truncateSnapshot(endSnapshotAfter(sql`pg_current_snapshot()`, sql`newest.arrived`))} as snapshot,
        pg_snapshot_xmax(pg_current_snapshot()) as xmax, newest.arrived as newest
      from newest
    ), page as (
      select r.id, r.interview_id, r.token, r.overall_score, r.completed_at
      from ${seen === undefined ? sql`(select * from ${ofOrganization}) r` : arrivedSince(ofOrganization, seen, end)}
      where ${join(conditions, ' and ')}
      order by r.completed_at, r.id limit ${filter.limit + 1}
    )
    select known.*, page.id as "resultId", i.invitation_id as "invitationId", page.token,
      page.overall_score as "overallScore"
    from (
      select snapshot::text as snapshot,
        coalesce(newest >= xmax, false) as "isRestored",
        ${upTo === undefined ? sql`false` : hasNewer(ofOrganization, upTo, now)} as "hasNewer",
        ${known === undefined ? sql`true` : sql`pg_snapshot_xmax(${known}::pg_snapshot) <= xmax`}
          and ${exists(sql`${ofOrganization} and id = ${last}`, last)} as "positionFound",
        ${exists(sql`interviews where invitation_id = ${invitationId} and organization_id = ${organizationId}`, invitationId)}
          as "invitationFound",
        ${exists(sql`templates where id = ${templateId} and organization_id = ${organizationId}`, templateId)}
          as "templateFound",
        ${exists(sql`${ofOrganization} and id = ${resultId}`, resultId)} as "resultFound"
      from moment
    ) known
    left join (page join interviews i on i.id = page.interview_id) on true
    order by page.completed_at, page.id`
}

/**
 * The few results that can belong to a later batch, found by arrival. `offset 0` keeps the other conditions out: with
 * them the planner prefers to scan all results in page order. Both bounds are given because the planner assumes that a
 * range is small.
 */
function arrivedSince(results: Sql, seen: Snapshot, end: Sql): Sql {
  return sql`(
    select * from ${results} and arrived >= pg_snapshot_xmin(${seen}::pg_snapshot) and arrived < pg_snapshot_xmax(${end})
    offset 0
  ) r`
}

/** The `order by` forces the index: with a bound alone, the planner expects a sequential scan to find a match soon. */
function hasNewer(results: Sql, upTo: Snapshot, now: Sql): Sql {
  return sql`exists (
    select from (
      select arrived from ${results} and arrived >= pg_snapshot_xmin(${upTo}::pg_snapshot) order by arrived desc offset 0
    ) newer
    where not pg_visible_in_snapshot(arrived, ${upTo}::pg_snapshot) and pg_visible_in_snapshot(arrived, ${now})
  )`
}

/** An ID that is not part of the filter counts as found. */
function exists(rows: Sql, id: string | undefined): Sql {
  return id === undefined ? sql`true` : sql`exists (select from ${rows})`
}

/**
 * A visible result whose transaction ID lies in the future was restored from another server's dump. No snapshot would
 * include it until this server's transaction counter has caught up.
 */
async function resetArrivals(database: Queryable, organizationId: string): Promise<void> {
  await database.query(sql`
    update results set arrived = '3'
    where organization_id = ${organizationId} and final and arrived >= pg_snapshot_xmax(pg_current_snapshot())`)
}

function decodePosition(cursor: string): Position | null {
  const parts = decodeCursor(cursor)
  if (!parts) return null
  const [seen, upTo, last] = parts
  if (parts.length === 1) return isSnapshot(seen) ? { seen } : null
  if (parts.length !== 3 || !isSnapshot(upTo) || typeof last !== 'string' || !isId('res', last)) return null
  if (seen === '') return { upTo, last }
  return isSnapshot(seen) ? { seen, upTo, last } : null
}

function nextCursor(
  { seen = '', upTo }: Position & { upTo: Snapshot },
  last: ResultRow | undefined,
  hasNewer: boolean,
): string | null {
  if (last) return encodeCursor([seen, upTo, last.resultId])
  return hasNewer ? encodeCursor([upTo]) : null
}
