import sql from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { newId } from '../database/ids.ts'

export type Organization = { id: string; name: string; active: boolean }

export async function createOrganization(database: Queryable, name: string, now: Date): Promise<Organization> {
  const organization = { id: newId('org'), name, active: true }
  await database.query(sql`
    insert into organizations (id, name, active, created_at)
    values (${organization.id}, ${name}, true, ${now})`)
  return organization
}

export async function listOrganizations(database: Queryable): Promise<Organization[]> {
  return database.query(sql`select id, name, active from organizations order by id`)
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
