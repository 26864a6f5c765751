import sql, { type Sql } from 'sql-template-tag'
import type { Database } from '../server/database/database.ts'

/**
 * Makes requests race: they all block on what `hold` has locked, and continue together when that transaction ends: with a
 * rollback, a commit, or one more statement and a commit. Only for PostgreSQL, with fewer requests than it has connections;
 * the embedded engine runs one statement at a time anyway.
 */
export async function raceOnLock<Result>(
  database: Database,
  hold: Sql,
  requests: () => Promise<Result>[],
  end: 'rollback' | 'commit' | Sql = 'rollback',
): Promise<Result[]> {
  const held = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const holding = database.transaction(async (transaction) => {
    await transaction.query(hold)
    held.resolve()
    await release.promise
    if (typeof end !== 'string') await transaction.query(end)
  })
  await Promise.race([held.promise, holding])

  let answered = 0
  const pending = requests().map((request) => request.finally(() => answered++))
  while (answered + (await waiting(database)) < pending.length);
  if (end === 'rollback') release.reject(new Error('roll back'))
  else release.resolve()
  await holding.catch((error) => {
    if (end !== 'rollback') throw error
  })
  return Promise.all(pending)
}

async function waiting(database: Database): Promise<number> {
  const [row] = await database.query<{ count: number }>(sql`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`)
  return row?.count ?? 0
}
