import sql, { type Sql } from 'sql-template-tag'
import type { Database } from '../../server/database/database.ts'

/**
 * Makes requests meet: all of them run into what `hold` has locked, and go on at the same moment when that is undone,
 * or committed where `end` says so.
 * For PostgreSQL, and for fewer requests than it has connections; the embedded engine does one thing at a time anyway.
 */
export async function meet<Result>(
  database: Database,
  hold: Sql,
  requests: () => Promise<Result>[],
  end: 'undo' | 'commit' = 'undo',
): Promise<Result[]> {
  const held = Promise.withResolvers<void>()
  const letGo = Promise.withResolvers<void>()
  const holding = database.transaction(async (transaction) => {
    await transaction.query(hold)
    held.resolve()
    await letGo.promise
  })
  await Promise.race([held.promise, holding])

  let answered = 0
  const pending = requests().map((request) => request.finally(() => answered++))
  while (answered + (await waiting(database)) < pending.length);
  if (end === 'commit') letGo.resolve()
  else letGo.reject(new Error('undo it'))
  await holding.catch(() => {})
  return Promise.all(pending)
}

async function waiting(database: Database): Promise<number> {
  const [row] = await database.query<{ count: number }>(sql`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`)
  return row?.count ?? 0
}
