import sql from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'

// Counting takes time, and beyond this nobody cares how many exactly.
const mostCounted = 10_000

/** How many of an organization's deliveries wait to be sent, up to 10,000. */
export async function countPending(database: Queryable, organizationId: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(sql`
    select count(*)::int from (
      select from deliveries where organization_id = ${organizationId} and status = 'PENDING' limit ${mostCounted}
    ) pending`)
  return row?.count ?? 0
}
