import { createHash } from 'node:crypto'
import { PGlite } from '@electric-sql/pglite'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import pg from 'pg'
import { DatabaseFull, DatabaseUnavailable, translated } from './failures.ts'

/** A text with $1, $2, … and their values, as the tag `sql` writes it. */
export type Statement = { text: string; values: unknown[] }

export type Queryable = {
  query<Row>(statement: Statement): Promise<Row[]>
  /** Several statements in one text, without values: migrations. */
  script(text: string): Promise<void>
}

export type Database = Queryable & {
  /** Everything inside must query by the handle it is given: on the embedded engine there is only one connection. */
  transaction<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result>
  /** For a library that brings statements of its own: sign-in. */
  execute<Row>(text: string, values?: unknown[]): Promise<{ rows: Row[] }>
  connections(): Connections
  close(): Promise<void>
}

/** The pool at this moment, and how often and how long in all somebody has waited for one of its connections. */
export type Connections = { open: number; idle: number; waiting: number; waits: number; waitedSeconds: number }

/** With `unhurried`, statements may take as long as they need: a migration of a large table does. */
export function openPostgres(options: { url: string; connections: number; unhurried?: boolean }): Database {
  const limits = options.unhurried ? {} : { statement_timeout: 30_000, query_timeout: 35_000 }
  return overPool(
    new pg.Pool({
      connectionString: options.url,
      max: options.connections,
      connectionTimeoutMillis: 5_000,
      // Or a server that has vanished without a word would be waited for, where nothing else limits it.
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      ...limits,
      application_name: 'partner-interview-api',
      types,
    }),
  )
}

/** A PostgreSQL inside this process, its files under `directory`, or in memory without one. */
export function openEmbedded(directory?: string): Database {
  const engine = new PGlite(directory)
  const database = overPool(new pg.Pool({ ...createPgConfig(engine), max: 1, idleTimeoutMillis: 0, types }))
  return {
    ...database,
    async close() {
      await database.close()
      // The pool closes only its connection. The engine has to shut down too, or each start begins with a recovery.
      await engine.close()
    },
  }
}

// Everything here is looked up by an index. A plan made while its tables were all but empty would read them as a whole,
// and a connection keeps it: on PostgreSQL until the tables are analyzed, within a minute; on the embedded database, which
// nobody analyzes, for good. Before PostgreSQL 18 a plan that goes against a setting counts as so dear that it is compiled.
const plannerSettings = 'set enable_seqscan = off; set jit = off'

type Watched = { pool: pg.Pool; waits: number; waitedSeconds: number }

function overPool(pool: pg.Pool): Database {
  // An idle connection that breaks is replaced at the next query; without a listener it would end the process.
  pool.on('error', () => {})
  // One in use says so here as well as by its query. Listening begins with the connection: a server that shuts down may
  // break it in the same breath in which it became ready, before anybody who waits for it gets to run.
  pool.on('connect', (client) => {
    client.on('error', () => {})
    client.query(plannerSettings).catch(() => {})
  })
  const watched: Watched = { pool, waits: 0, waitedSeconds: 0 }
  return {
    // Not the pool's own query: it throws the connection away with every statement that fails, and the embedded database
    // has only one.
    query: (statement) => onOneConnection(watched, (client) => queryable(client).query(statement)),
    script: (text) => onOneConnection(watched, (client) => queryable(client).script(text)),
    transaction: (work) => transaction(watched, work),
    execute: (text, values) => execute(watched, text, values),
    connections: () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      waits: watched.waits,
      waitedSeconds: watched.waitedSeconds,
    }),
    close: () => pool.end(),
  }
}

function queryable(connection: pg.PoolClient): Queryable {
  return {
    async query<Row>({ text, values }: Statement): Promise<Row[]> {
      try {
        const result = await connection.query({ name: statementName(text), text, values })
        return result.rows
      } catch (error) {
        throw translated(error)
      }
    },
    async script(text) {
      try {
        await connection.query(text)
      } catch (error) {
        throw translated(error)
      }
    },
  }
}

function transaction<Result>(pool: Watched, work: (transaction: Queryable) => Promise<Result>): Promise<Result> {
  return onOneConnection(pool, async (client) => {
    const inside = queryable(client)
    await inside.script('begin')
    const result = await work(inside)
    await inside.script('commit')
    return result
  })
}

async function execute<Row>(pool: Watched, text: string, values: unknown[] = []): Promise<{ rows: Row[] }> {
  return onOneConnection(pool, async (client) => {
    try {
      // Without values it may be several statements, which cannot be prepared; each then has a result of its own.
      const query = values.length > 0 ? { name: statementName(text), text, values } : { text }
      const results = [await client.query(query)].flat()
      return { rows: results.flatMap((result) => result.rows) }
    } catch (error) {
      throw translated(error)
    }
  })
}

async function onOneConnection<Result>(
  pool: Watched,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await connect(pool).catch((error) => {
    throw translated(error)
  })
  let broken = false
  try {
    return await work(client)
  } catch (error) {
    // Whatever the work began, the connection must not go back to the others in the middle of it.
    const lost = error instanceof DatabaseUnavailable && !(error instanceof DatabaseFull)
    broken = lost || !(await rolledBack(client))
    throw error
  } finally {
    client.release(broken)
  }
}

/** Only those who find every connection taken have their wait measured: the others would pay for it and learn nothing. */
function connect(watched: Watched): Promise<pg.PoolClient> {
  const { pool } = watched
  if (pool.idleCount > 0 || pool.totalCount < pool.options.max) return pool.connect()
  const asked = performance.now()
  watched.waits++
  return pool.connect().finally(() => {
    watched.waitedSeconds += (performance.now() - asked) / 1000
  })
}

async function rolledBack(client: pg.PoolClient): Promise<boolean> {
  return client.query('rollback').then(
    () => true,
    () => false,
  )
}

const names = new Map<string, string>()

// Each text is parsed and planned once per connection. Named after its content, so that a connection pooler
// between us and the server may share prepared statements among processes.
function statementName(text: string): string {
  let name = names.get(text)
  if (!name) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 24)
    names.set(text, name)
  }
  return name
}

// Times leave the database in the one form in which every answer carries them.
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === pg.types.builtins.TIMESTAMPTZ) return isoTime
    if (oid === pg.types.builtins.INT8) return Number
    return pg.types.getTypeParser(oid, format)
  },
}

/** `2026-01-02 03:04:05.67+00` is only worded otherwise; reading it as a date would cost ten times as much. */
function isoTime(text: string): string {
  if (!text.endsWith('+00') || text.length < 22 || text.length > 29 || text[10] !== ' ') return isoTimeOfAny(text)
  const fraction = text.length > 22 ? text.slice(20, -3) : ''
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
}

/**
 * Any year, before Christ as well, in any time zone. What JavaScript cannot represent becomes the nearest time that it
 * can: one value that cannot be read would fail all the rows of its statement.
 */
function isoTimeOfAny(text: string): string {
  const match = anyTime.exec(text)
  if (!match) return infinities[text] ?? text
  const [, year, month, day, hour, minute, second, fraction = '', sign, hours, minutes = 0, seconds = 0, era] = match
  const time = new Date(0)
  time.setUTCFullYear(era ? 1 - Number(year) : Number(year), Number(month) - 1, Number(day))
  time.setUTCHours(Number(hour), Number(minute), Number(second), Number(fraction.slice(1, 4).padEnd(3, '0')))
  const offset = (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * (sign === '-' ? -1_000 : 1_000)
  const value = time.getTime() - offset
  return Number.isNaN(value) ? latest : new Date(value).toISOString()
}

const anyTime = /^(\d+)-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(\.\d+)?([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?( BC)?$/
const latest = new Date(8.64e15).toISOString()
const infinities: Record<string, string> = { infinity: latest, '-infinity': new Date(-8.64e15).toISOString() }
