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

type Transaction = Queryable & {
  /** The last statements, and the rows of each: the commit goes out with them, and nothing can be said after it. */
  end(statements: Statement[]): Promise<unknown[][]>
}

export type Database = Queryable & {
  /** Everything inside must query by the handle it is given: on the embedded engine there is only one connection. */
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>
  /** One statement under settings that hold for it alone, `set local …`: all of it said at once. */
  queryUnder<Row>(settings: string, statement: Statement): Promise<Row[]>
  /** For an engine that brings statements of its own: the queue. */
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
      // Whoever says several things at once need not wait for the answer to each.
      pipeline: true,
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

type Watched = { pool: pg.Pool; waits: number; waitedSeconds: number }

function overPool(pool: pg.Pool): Database {
  // An idle connection that breaks is replaced at the next query; without a listener it would end the process.
  pool.on('error', () => {})
  // One in use says so here as well as by its query. Listening begins with the connection: a server that shuts down may
  // break it in the same breath in which it became ready, before anybody who waits for it gets to run.
  pool.on('connect', (client) => client.on('error', () => {}))
  const watched: Watched = { pool, waits: 0, waitedSeconds: 0 }
  return {
    // Not the pool's own query: it throws the connection away with every statement that fails, and the embedded database
    // has only one.
    query: (statement) => onOneConnection(watched, (client) => queryable(client).query(statement)),
    script: (text) => onOneConnection(watched, (client) => queryable(client).script(text)),
    transaction: (work) => transaction(watched, work),
    queryUnder: (settings, statement) => queryUnder(watched, settings, statement),
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

function transaction<Result>(pool: Watched, work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
  return onOneConnection(pool, async (client) => {
    const inside = inTurn(pool, queryable(client))
    // Goes out with what the work says first. Should it fail, the work gets no further; but what went along has been done.
    const begun = inside.script('begin')
    const said: Promise<unknown>[] = [begun]
    let ended = false
    const ask = async <Answer>(say: () => Promise<Answer>): Promise<Answer> => {
      if (ended) throw new Error('This transaction has ended')
      const asked = say()
      said.push(asked)
      const [answer] = await together([asked, begun])
      return answer
    }
    const handle: Transaction = {
      query: (statement) => ask(() => inside.query(statement)),
      script: (text) => ask(() => inside.script(text)),
      end: (statements) =>
        ask(async () => {
          const answers = statements.map((statement) => inside.query<unknown>(statement))
          ended = true
          const [rows] = await together([together(answers), inside.script('commit')])
          return rows
        }),
    }
    try {
      const result = await work(handle)
      if (!ended) await handle.script('commit')
      return result
    } catch (error) {
      // Whatever is still on its way must be over before the connection is used for anything else.
      ended = true
      await Promise.allSettled(said)
      throw error
    }
  })
}

async function queryUnder<Row>(pool: Watched, settings: string, statement: Statement): Promise<Row[]> {
  return onOneConnection(pool, async (client) => {
    const inside = inTurn(pool, queryable(client))
    const said = [inside.script(`begin; ${settings}`), inside.query<Row>(statement), inside.script('commit')] as const
    const [, rows] = await together(said)
    return rows
  })
}

/**
 * What was said at once, answered. All of it is waited for, so that none fails unheard. If the server refuses one, it
 * refuses those after it as well, and a commit among them is a rollback.
 */
async function together<const Said extends readonly Promise<unknown>[]>(
  said: Said,
): Promise<{ -readonly [Index in keyof Said]: Awaited<Said[Index]> }> {
  await Promise.allSettled(said)
  return Promise.all(said)
}

/** The embedded engine's connection takes nothing more before it has answered. */
function inTurn({ pool }: Watched, { query, script }: Queryable): Queryable {
  if (pool.options.pipeline) return { query, script }
  let last: Promise<unknown> = Promise.resolve()
  const after = <Answer>(say: () => Promise<Answer>): Promise<Answer> => {
    const answer = last.then(say)
    last = answer.catch(() => {})
    return answer
  }
  return { query: (statement) => after(() => query(statement)), script: (text) => after(() => script(text)) }
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
  if (!text.endsWith('+00') || text.length < 22 || text.length > 29 || text[10] !== ' ')
    return new Date(text).toISOString()
  const fraction = text.length > 22 ? text.slice(20, -3) : ''
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
}
