import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import type { PostgresServer } from '../support/postgres.ts'

export type StatementCounter = {
  /** How many statements a database's clients execute during `work`, including BEGIN and COMMIT. */
  count(databaseUrl: string, work: () => Promise<unknown>): Promise<number>
}

/**
 * Counts with pg_stat_statements, which the server must load at startup. It is only enabled while counting, so it costs
 * the measured rounds nothing. Null if the server does not have it.
 */
export async function openStatementCounter(postgres: PostgresServer): Promise<StatementCounter | null> {
  const [available] = await query(postgres, `select from pg_available_extensions where name = 'pg_stat_statements'`)
  if (!available) return null
  await query(postgres, `alter system set shared_preload_libraries = 'pg_stat_statements'`)
  await postgres.stop()
  await postgres.start()
  await query(postgres, 'create extension pg_stat_statements')
  await track(postgres, 'none')
  return {
    async count(databaseUrl, work) {
      await track(postgres, 'top')
      await query(postgres, 'select pg_stat_statements_reset()')
      await work()
      // Deferred foreign key checks count as statements there, although no client sent them.
      const [row] = await query<{ calls: number }>(
        postgres,
        `select coalesce(sum(calls), 0)::float8 as calls
         from pg_stat_statements s join pg_database d on d.oid = s.dbid
         where d.datname = $1 and query not like 'SELECT 1 FROM ONLY % FOR KEY SHARE OF x'`,
        [new URL(databaseUrl).pathname.slice(1)],
      )
      await track(postgres, 'none')
      return row?.calls ?? Number.NaN
    },
  }
}

async function track(postgres: PostgresServer, which: 'none' | 'top'): Promise<void> {
  await query(postgres, `alter system set pg_stat_statements.track = '${which}'`)
  await query(postgres, 'select pg_reload_conf()')
  // A signal tells open connections to reload it.
  await setTimeout(200)
}

async function query<Row>({ url }: PostgresServer, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new Client(url)
  try {
    await client.connect()
    const { rows } = await client.query(text, values)
    return rows
  } finally {
    await client.end()
  }
}
