import sql, { join, type Sql } from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { isId } from '../database/ids.ts'
import { decodeCursor, encodeCursor, type Page } from './paging.ts'

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

export type ResultsRefused = 'invalid_cursor' | 'invitation_not_found' | 'template_not_found' | 'result_not_found'

/**
 * Final results, oldest completion first.
 *
 * A result can arrive late: its completion may lie before a page that was already read. So a walk through the pages
 * first reads the results that were there when it began (up to a position), in their order, and then those that arrived
 * meanwhile, as a second batch in theirs; and so on until none is new. None is read twice and none is left out.
 */
export async function listResults(
  database: Queryable,
  organizationId: string,
  filter: ResultFilter,
  options: { appUrl: string },
): Promise<Page<ResultSummary> | ResultsRefused> {
  const { invitationId, resultId, templateId } = filter
  if (invitationId !== undefined && !isId('inv', invitationId)) return 'invitation_not_found'
  if (templateId !== undefined && !isId('tpl', templateId)) return 'template_not_found'
  if (resultId !== undefined && !isId('res', resultId)) return 'result_not_found'
  const place = filter.cursor === undefined ? { after: 0 } : readPlace(filter.cursor)
  if (!place) return 'invalid_cursor'

  const conditions: Sql[] = [sql`r.organization_id = ${organizationId}`, sql`r.position > ${place.after}::bigint`]
  if (place.upTo !== undefined) conditions.push(sql`r.position <= ${place.upTo}::bigint`)
  if (place.last)
    conditions.push(sql`(r.completed_at, r.id) > (${place.last.completedAt}::timestamptz, ${place.last.id})`)
  if (invitationId !== undefined) conditions.push(sql`i.invitation_id = ${invitationId}`)
  if (templateId !== undefined) conditions.push(sql`r.template_id = ${templateId}`)
  if (resultId !== undefined) conditions.push(sql`r.id = ${resultId}`)
  if (filter.completedAfter) conditions.push(sql`r.completed_at >= ${filter.completedAfter}`)
  if (filter.completedBefore) conditions.push(sql`r.completed_at <= ${filter.completedBefore}`)

  const rows = await database.query<Row>(sql`
    select known.*, page.* from (
      select coalesce((select last from result_positions where organization_id = ${organizationId}), 0)::bigint as newest,
        ${exists(sql`interviews where invitation_id = ${invitationId} and organization_id = ${organizationId}`, invitationId)}
          as "invitationFound",
        ${exists(sql`templates where id = ${templateId} and organization_id = ${organizationId}`, templateId)}
          as "templateFound",
        ${exists(sql`results where id = ${resultId} and organization_id = ${organizationId} and position is not null`, resultId)}
          as "resultFound"
    ) known
    left join lateral (
      select r.id as "resultId", i.invitation_id as "invitationId", r.token, r.overall_score as "overallScore",
        r.completed_at as "completedAt"
      from results r join interviews i on i.id = r.interview_id
      where ${join(conditions, ' and ')}
      order by r.completed_at, r.id limit ${filter.limit + 1}
    ) page on true`)

  const [first] = rows
  if (!first?.invitationFound) return 'invitation_not_found'
  if (!first.templateFound) return 'template_not_found'
  if (!first.resultFound) return 'result_not_found'

  const found = rows.filter((row): row is Row & Found => row.resultId !== null)
  const page = found.slice(0, filter.limit)
  const upTo = place.upTo ?? first.newest
  return {
    data: page.map((row) => ({
      resultId: row.resultId,
      invitationId: row.invitationId,
      resultUrl: resultUrl(options.appUrl, row.token),
      overallScore: row.overallScore,
    })),
    nextCursor: nextPlace({ after: place.after, upTo, newest: first.newest, more: found.length > filter.limit, page }),
  }
}

/** Where people read a result. Whoever holds the link may. */
export function resultUrl(appUrl: string, token: string): string {
  return `${appUrl}/shared/interview-details/${token}`
}

type Found = { resultId: string; invitationId: string; token: string; overallScore: number; completedAt: string }
type Missing = { resultId: null }
type Row = (Found | Missing) & {
  newest: number
  invitationFound: boolean
  templateFound: boolean
  resultFound: boolean
}

/** Only what was asked for is looked up; what was not counts as found. */
function exists(rows: Sql, asked: string | undefined): Sql {
  return asked === undefined ? sql`true` : sql`exists (select from ${rows})`
}

type Place = { after: number; upTo?: number; last?: { completedAt: Date; id: string } }

function readPlace(cursor: string): Place | null {
  const parts = decodeCursor(cursor)
  if (!parts) return null
  const [after, upTo, completedAt, id] = parts
  if (!isPosition(after) || !isPosition(upTo)) return null
  if (parts.length === 2) return { after, upTo }
  if (typeof completedAt !== 'string' || typeof id !== 'string' || !isId('res', id)) return null
  const time = new Date(completedAt)
  // No completion lies further back, and the database could not hold what does. Not true of an invalid time either.
  return time.getUTCFullYear() >= -1 ? { after, upTo, last: { completedAt: time, id } } : null
}

function isPosition(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

function nextPlace(walk: { after: number; upTo: number; newest: number; more: boolean; page: Found[] }): string | null {
  const last = walk.page.at(-1)
  if (walk.more && last) return encodeCursor([walk.after, walk.upTo, last.completedAt, last.resultId])
  if (walk.newest > walk.upTo) return encodeCursor([walk.upTo, walk.newest])
  return null
}
