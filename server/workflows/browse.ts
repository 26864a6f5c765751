import sql, { join, type Sql } from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { isId } from '../database/ids.ts'
import { decodeCursor, isCursorTime, type Page, pageOf } from '../database/paging.ts'
import type { DeliveryStatus } from '../deliveries/outcome.ts'
import { candidateMatches, startsWith } from '../interviews/candidate-search.ts'
import { type InterviewStatus, statusAt } from '../interviews/interview-status.ts'
import { resultUrl } from '../interviews/results.ts'
import { searchBounded } from './bounded-search.ts'

/** Templates, invitations and results as the settings area lists them: newest first, with the delivery they led to. */

export type BrowseQuery = { limit: number; cursor?: string; search?: string }

export type BrowsedTemplate = {
  id: string
  title: string
  description: string
  externalPostingId: string | null
  whiteboardEnabled: boolean
  createdAt: string
  updatedAt: string
}

/** Found by ID, posting ID, or the start of the title. */
export async function browseTemplates(
  database: Queryable,
  organizationId: string,
  { limit, cursor, search }: BrowseQuery,
): Promise<Page<BrowsedTemplate> | 'invalid_cursor'> {
  const before = cursor === undefined ? null : idIn(cursor, 'tpl')
  if (before === 'invalid_cursor') return before
  const own = sql`t.organization_id = ${organizationId}`
  const page = [own, ...(before === null ? [] : [sql`t.id < ${before}`])]
  const read = (templates: Sql, conditions: Sql[]) =>
    database.query<BrowsedTemplate>(sql`
    select t.id, t.title, t.description, t.external_posting_id as "externalPostingId",
      t.whiteboard_enabled as "whiteboardEnabled", t.created_at as "createdAt", t.updated_at as "updatedAt"
    from ${templates} t where ${join(conditions, ' and ')} order by t.id desc limit ${limit + 1}`)
  const rows =
    search === undefined
      ? await read(sql`templates`, page)
      : await searchBounded(database, {
          matching: sql`select t.* from templates t where ${own} and ${templateMatches(search)}`,
          fromMatching: (matching) => read(matching, page),
          fromNewest: (count) =>
            read(sql`(select t.* from templates t where ${join(page, ' and ')} order by t.id desc limit ${count})`, [
              templateMatches(search),
            ]),
          wanted: limit + 1,
        })
  return pageOf(rows, limit, ({ id }) => [id])
}

function templateMatches(search: string): Sql {
  return sql`(t.id = ${search} or t.external_posting_id = ${search} or ${startsWith(sql`lower(t.title)`, search)})`
}

type Person = { email: string; firstName: string; lastName: string }

type LinkedDelivery = { deliveryId: string | null; deliveryStatus: DeliveryStatus | null }

export type BrowsedInvitation = LinkedDelivery & {
  id: string
  templateId: string
  templateName: string
  candidate: Person
  status: InterviewStatus
  expiresAt: string
  createdAt: string
  resultId: string | null
}

/** Found by invitation or template ID, or by candidate. */
export async function browseInvitations(
  database: Queryable,
  organizationId: string,
  { limit, cursor, search }: BrowseQuery,
  now: Date,
): Promise<Page<BrowsedInvitation> | 'invalid_cursor'> {
  const before = cursor === undefined ? null : idIn(cursor, 'inv')
  if (before === 'invalid_cursor') return before
  const own = sql`i.organization_id = ${organizationId}`
  const page = [own, ...(before === null ? [] : [sql`i.invitation_id < ${before}`])]
  const read = (interviews: Sql, conditions: Sql[]) =>
    database.query<Omit<BrowsedInvitation, 'candidate'> & Person>(sql`
    select i.invitation_id as id, t.id as "templateId", t.title as "templateName", i.email, i.first_name as "firstName",
      i.last_name as "lastName", ${statusAt(now)} as status, i.expires_at as "expiresAt", i.created_at as "createdAt",
      r.id as "resultId", d.id as "deliveryId", d.status as "deliveryStatus"
    from ${interviews} i join templates t on t.id = i.template_id
    left join results r on r.interview_id = i.id and r.final
    left join deliveries d on d.result_id = r.id
    where ${join(conditions, ' and ')} order by i.invitation_id desc limit ${limit + 1}`)
  const wide = wideSearch(search)
  const rows =
    wide === null
      ? await read(sql`interviews`, [...page, ...hasId(search)])
      : await searchBounded(database, {
          matching: sql`select i.* from interviews i where ${own} and ${wide}`,
          fromMatching: (matching) => read(matching, page),
          fromNewest: (count) =>
            read(
              sql`(select i.* from interviews i where ${join(page, ' and ')} order by i.invitation_id desc limit ${count})`,
              [wide],
            ),
          wanted: limit + 1,
        })
  return pageOf(rows.map(withCandidate), limit, ({ id }) => [id])
}

export type BrowsedResult = LinkedDelivery & {
  id: string
  invitationId: string
  templateId: string
  templateName: string
  candidate: Person
  overallScore: number
  resultUrl: string
  completedAt: string
}

/** Found by result, invitation or template ID, or by candidate. Only final results, newest completion first. */
export async function browseResults(
  { database, appUrl }: { database: Queryable; appUrl: string },
  organizationId: string,
  { limit, cursor, search }: BrowseQuery,
): Promise<Page<BrowsedResult> | 'invalid_cursor'> {
  const [completedAt, id] = cursor === undefined ? [] : (decodeCursor(cursor) ?? [])
  const page = [sql`r.organization_id = ${organizationId}`, sql`r.final`]
  if (cursor !== undefined) {
    if (!isCursorTime(completedAt) || typeof id !== 'string' || !isId('res', id)) return 'invalid_cursor'
    page.push(sql`(r.completed_at, r.id) < (${completedAt}::timestamptz, ${id})`)
  }
  const read = (results: Sql, interviews: Sql, conditions: Sql[]) =>
    database.query<Omit<BrowsedResult, 'candidate' | 'resultUrl'> & Person & { token: string }>(sql`
    select r.id, i.invitation_id as "invitationId", t.id as "templateId", t.title as "templateName", i.email,
      i.first_name as "firstName", i.last_name as "lastName", r.overall_score as "overallScore", r.token,
      r.completed_at as "completedAt", d.id as "deliveryId", d.status as "deliveryStatus"
    from ${results} r join ${interviews} i on i.id = r.interview_id join templates t on t.id = i.template_id
    left join deliveries d on d.result_id = r.id
    where ${join(conditions, ' and ')} order by r.completed_at desc, r.id desc limit ${limit + 1}`)
  const wide = wideSearch(search)
  const rows =
    wide === null
      ? await read(sql`results`, sql`interviews`, [...page, ...hasId(search)])
      : await searchBounded(database, {
          matching: sql`select i.* from interviews i where i.organization_id = ${organizationId} and ${wide}`,
          fromMatching: (matching) => read(sql`results`, matching, page),
          fromNewest: (count) =>
            read(
              sql`(select r.* from results r where ${join(page, ' and ')}
                order by r.completed_at desc, r.id desc limit ${count})`,
              sql`interviews`,
              [wide],
            ),
          wanted: limit + 1,
        })
  const results = rows.map(({ token, ...row }) => ({ ...withCandidate(row), resultUrl: resultUrl(appUrl, token) }))
  return pageOf(results, limit, (row) => [row.completedAt, row.id])
}

/** SQL condition on interviews `i` for a search that may find many, by candidate or template; null for any other. */
function wideSearch(search: string | undefined): Sql | null {
  if (search === undefined || isId('res', search) || isId('inv', search)) return null
  if (!isId('tpl', search)) return candidateMatches(search)
  // A range, because the planner takes any template for the one that has the most. In two parts, each with its own index.
  const isTemplate = sql`i.template_id between ${search} and ${search}`
  return sql`((not i.superseded and ${isTemplate}) or (i.superseded and ${isTemplate}))`
}

function hasId(search: string | undefined): Sql[] {
  if (search === undefined) return []
  return [isId('res', search) ? sql`r.id = ${search}` : sql`i.invitation_id = ${search}`]
}

function withCandidate<Row extends Person>({ email, firstName, lastName, ...rest }: Row) {
  return { ...rest, candidate: { email, firstName, lastName } }
}

function idIn(cursor: string, prefix: 'tpl' | 'inv'): string | 'invalid_cursor' {
  const [id] = decodeCursor(cursor) ?? []
  return typeof id === 'string' && isId(prefix, id) ? id : 'invalid_cursor'
}
