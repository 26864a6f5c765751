import sql, { join } from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { isId, newId } from '../database/ids.ts'
import { decodeCursor, type Page, pageOf } from '../database/paging.ts'

export type Organization = { id: string; name: string; active: boolean }

export async function createOrganization(database: Queryable, name: string, now: Date): Promise<Organization> {
  const organization = { id: newId('org'), name, active: true }
  await database.query(sql`
    insert into organizations (id, name, active, created_at)
    values (${organization.id}, ${name}, true, ${now})`)
  return organization
}

/** Oldest first. */
export async function listOrganizations(
  database: Queryable,
  { limit, cursor }: { limit: number; cursor?: string },
): Promise<Page<Organization> | 'invalid_cursor'> {
  const conditions = [sql`true`]
  if (cursor !== undefined) {
    const [after] = decodeCursor(cursor) ?? []
    if (typeof after !== 'string' || !isId('org', after)) return 'invalid_cursor'
    conditions.push(sql`id > ${after}`)
  }
  const rows = await database.query<Organization>(sql`
    select id, name, active from organizations where ${join(conditions, ' and ')} order by id limit ${limit + 1}`)
  return pageOf(rows, limit, ({ id }) => [id])
}

export async function hasOrganizations(database: Queryable): Promise<boolean> {
  const [found] = await database.query(sql`select from organizations limit 1`)
  return found !== undefined
}

export async function findOrganization(database: Queryable, id: string): Promise<Organization | null> {
  const [organization] = await database.query<Organization>(
    sql`select id, name, active from organizations where id = ${id}`,
  )
  return organization ?? null
}

export async function lockOrganization(transaction: Queryable, id: string): Promise<Organization | null> {
  const [organization] = await transaction.query<Organization>(
    sql`select id, name, active from organizations where id = ${id} for update`,
  )
  return organization ?? null
}

export async function setOrganizationActive(
  database: Queryable,
  id: string,
  active: boolean,
): Promise<Organization | null> {
  const [organization] = await database.query<Organization>(sql`
    update organizations set active = ${active} where id = ${id}
    returning id, name, active`)
  return organization ?? null
}

export async function requiresSecondFactor(database: Queryable, id: string): Promise<boolean> {
  const [found] = await database.query<{ required: boolean }>(
    sql`select requires_second_factor as required from organizations where id = ${id}`,
  )
  return found?.required ?? false
}

/** False if it was so already. */
export async function setSecondFactorRequired(database: Queryable, id: string, required: boolean): Promise<boolean> {
  const changed = await database.query(sql`
    update organizations set requires_second_factor = ${required}
    where id = ${id} and requires_second_factor <> ${required} returning 1`)
  return changed.length > 0
}
