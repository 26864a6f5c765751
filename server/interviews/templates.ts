import { randomUUID } from 'node:crypto'
import sql, { join, type Sql } from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { isUniqueViolation } from '../database/failures.ts'
import { isId, newId } from '../database/ids.ts'
import { decodeCursor, type Page, pageOf } from '../database/paging.ts'

export type Template = {
  id: string
  title: string
  description: string
  externalPostingId: string | null
  whiteboardEnabled: boolean
  createdAt: string
  updatedAt: string
}

export type TemplateFields = {
  title: string
  description: string
  externalPostingId?: string
  whiteboardEnabled?: boolean
}

// An allow-list, so that a template's internal columns can't leak.
const columns = sql`id, title, description, external_posting_id as "externalPostingId",
  whiteboard_enabled as "whiteboardEnabled", created_at as "createdAt", updated_at as "updatedAt"`

/** Creates a template, or returns the one already mapped to the same posting, unchanged. */
export async function createOrReuseTemplate(
  database: Queryable,
  organizationId: string,
  fields: TemplateFields,
  now: Date,
): Promise<{ template: Template; created: boolean }> {
  const postingId = fields.externalPostingId ?? null
  const whiteboard = fields.whiteboardEnabled ?? false
  const id = newId('tpl')
  for (;;) {
    const [row] = await database.query<Template>(sql`
      with mapped as (
        select ${columns} from templates
        where organization_id = ${organizationId} and external_posting_id = ${postingId}
      ), created as (
        insert into templates (id, organization_id, title, description, external_posting_id, whiteboard_enabled,
          whiteboard_task, created_at, updated_at)
        select ${id}, ${organizationId}, ${fields.title}, ${fields.description}, ${postingId}, ${whiteboard},
          ${whiteboard ? newWhiteboardTask() : null}::jsonb, ${now}::timestamptz, ${now}::timestamptz
        where not exists (select from mapped)
        on conflict (organization_id, external_posting_id) do nothing
        returning ${columns}
      )
      select * from mapped union all select * from created`)
    if (row) return { template: row, created: row.id === id }
    // Another request mapped the posting after this statement took its snapshot. The next iteration sees it.
  }
}

export async function findTemplate(database: Queryable, organizationId: string, id: string): Promise<Template | null> {
  if (!isId('tpl', id)) return null
  const [template] = await database.query<Template>(sql`
    select ${columns} from templates where id = ${id} and organization_id = ${organizationId}`)
  return template ?? null
}

export type TemplateFilter = { externalPostingId?: string; limit: number; cursor?: string }

/** Newest first. IDs grow with time, so templates created while paging don't shift later pages. */
export async function listTemplates(
  database: Queryable,
  organizationId: string,
  filter: TemplateFilter,
): Promise<Page<Template> | 'invalid_cursor'> {
  const conditions: Sql[] = [sql`organization_id = ${organizationId}`]
  if (filter.externalPostingId !== undefined) {
    conditions.push(sql`external_posting_id = ${filter.externalPostingId}`)
  }
  if (filter.cursor !== undefined) {
    const [before] = decodeCursor(filter.cursor) ?? []
    if (typeof before !== 'string' || !isId('tpl', before)) return 'invalid_cursor'
    conditions.push(sql`id < ${before}`)
  }
  const rows = await database.query<Template>(sql`
    select ${columns} from templates where ${join(conditions, ' and ')}
    order by id desc limit ${filter.limit + 1}`)
  return pageOf(rows, filter.limit, ({ id }) => [id])
}

export type TemplateChanges = {
  title?: string
  description?: string
  externalPostingId?: string | null
  whiteboardEnabled?: boolean
}

export async function updateTemplate(
  database: Queryable,
  organizationId: string,
  id: string,
  changes: TemplateChanges,
  now: Date,
): Promise<Template | 'not_found' | 'posting_taken'> {
  if (!isId('tpl', id)) return 'not_found'
  const assignments: Sql[] = [sql`updated_at = ${now}`]
  if (changes.title !== undefined) assignments.push(sql`title = ${changes.title}`)
  if (changes.description !== undefined) assignments.push(sql`description = ${changes.description}`)
  if (changes.externalPostingId !== undefined) {
    assignments.push(sql`external_posting_id = ${changes.externalPostingId}`)
  }
  if (changes.whiteboardEnabled !== undefined) {
    const task = changes.whiteboardEnabled ? sql`coalesce(whiteboard_task, ${newWhiteboardTask()}::jsonb)` : sql`null`
    assignments.push(sql`whiteboard_enabled = ${changes.whiteboardEnabled}, whiteboard_task = ${task}`)
  }
  try {
    const [template] = await database.query<Template>(sql`
      update templates set ${join(assignments)} where id = ${id} and organization_id = ${organizationId}
      returning ${columns}`)
    return template ?? 'not_found'
  } catch (error) {
    if (isUniqueViolation(error)) return 'posting_taken'
    throw error
  }
}

/** What the interview product needs to open the shared whiteboard. */
function newWhiteboardTask(): string {
  return JSON.stringify({ taskId: randomUUID(), flow: 'shared-whiteboard-design' })
}
