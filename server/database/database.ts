import { createHash } from 'node:crypto'
import pg from 'pg'
import { columnTypes } from './column-types.ts'
import { DatabaseUnavailable, isConnectionLost, poolExhausted, toUnavailable, translateError } from './failures.ts'
import { parsePostgresUrl } from './postgres-url.ts'
import { createPrimaryFinder, type PrimaryFinder } from './primary.ts'
import { followPrimary } from './primary-client.ts'
import { type SessionSettings, sessionSettings, unlimitedSession } from './session-settings.ts'
import { shareConnection } from './shared-connection.ts'

/** SQL with $1, $2, … and their values, as produced by the `sql` tag. */
export type Statement = { text: string; values: unknown[] }

export type Queryable = {
  /** With `use`, each row is used as soon as it arrives and left out of the list. */
  query<Row>(statement: Statement, use?: (row: Row) => void): Promise<Row[]>
  /** Several statements in one text, without values. */
  script(text: string): Promise<void>
}

export type Database = Queryable & {
  /** The work must only query the transaction it is given: the embedded engine has a single connection. */
  transaction<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result>
  /** For the sign-in library, which has its own statements. */
  execute<Row>(text: string, values?: unknown[]): Promise<{ rows: Row[] }>
  connections(): PoolStats
  close(): Promise<void>
}

/** `waits`, `waitedSeconds` and `moves` are totals since the start. `moves`: how often another server became the primary. */
export type PoolStats = {
  open: number
  idle: number
  waiting: number
  waits: number
  waitedSeconds: number
  moves: number
}

export type PostgresOptions = {
  url: string
  connections: number
  /** How long a statement waits for a free connection. Default: five seconds, because someone waits for the response. */
  maxWaitMilliseconds?: number
  /** Turns off statement timeouts, for example to migrate large tables. */
  unlimited?: boolean
}

/** If the URL names several servers, connections go to the one that takes writes, and move with it. */
export function openPostgres(options: PostgresOptions): Database {
  const address = parsePostgresUrl(options.url)
  if ('fault' in address) throw new Error(`The database URL ${address.fault}`)
  const { servers } = address
  const [only = ''] = servers
  return createDatabase(
    {
      connectionString: only,
      max: options.connections,
      connectionTimeoutMillis: options.maxWaitMilliseconds ?? 5_000,
      // Detects a server that disappeared without closing the connection.
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      ...(!options.unlimited && { query_timeout: 35_000 }),
      application_name: 'partner-interview-api',
    },
    {
      session: options.unlimited ? unlimitedSession : sessionSettings,
      primary: servers.length > 1 ? createPrimaryFinder(servers) : null,
    },
  )
}

type MeasuredPool = {
  pool: pg.Pool
  primary: PrimaryFinder | null
  hasConnected: boolean
  waits: number
  waitedSeconds: number
  moves: number
}

export function createDatabase(
  settings: pg.PoolConfig,
  { session = unlimitedSession, primary = null }: { session?: SessionSettings; primary?: PrimaryFinder | null } = {},
): Database {
  // Not as startup parameters: PgBouncer rejects those it doesn't know.
  const prepareSession = [
    ...Object.entries(session).map(([name, value]) => `set ${name} = '${value}'`),
    'show transaction_read_only',
  ].join('; ')
  const config = { ...settings, types: columnTypes }
  const following = primary && followPrimary(primary, config)
  const pool = new pg.Pool({
    ...config,
    ...(following && { Client: following.Client }),
    async onConnect(client) {
      // A connection in use emits its error here as well as rejecting its query. Listen from the start: a server that
      // shuts down may break a connection right after it became ready.
      client.on('error', () => {})
      const results: unknown = await client.query(prepareSession)
      if (isReadOnly(results)) throw new DatabaseUnavailable('the server is read-only, like a standby')
      if (following?.isOutdated(client)) throw new DatabaseUnavailable('another server has become the primary')
      measured.hasConnected = true
    },
  })
  // A broken idle connection is replaced at the next query; without a listener the error would end the process.
  pool.on('error', () => {})
  following?.dropOutdated(pool)
  const measured: MeasuredPool = { pool, primary, hasConnected: false, waits: 0, waitedSeconds: 0, moves: 0 }
  primary?.onMoved(() => {
    measured.moves += 1
  })
  const forStatement = settings.pipeline
    ? shareConnection({ connect: () => connect(measured), isAwaited: () => pool.waitingCount > 0 || pool.ending })
    : <Result>(work: (client: pg.PoolClient) => Promise<Result>) => withConnection(measured, work)
  return {
    // Not pool.query: it discards the connection after every failed statement, and the embedded database has only one.
    query: (statement, use) => forStatement((client) => queryable(client).query(statement, use)),
    script: (text) => withConnection(measured, (client) => queryable(client).script(text)),
    transaction: (work) => transaction(measured, work),
    execute: (text, values) => execute(measured, text, values),
    connections: () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      waits: measured.waits,
      waitedSeconds: measured.waitedSeconds,
      moves: measured.moves,
    }),
    close() {
      primary?.close()
      return pool.end()
    },
  }
}

/** Of several statements, pg returns a list with the result of each. */
function isReadOnly(results: unknown): boolean {
  const last = Array.isArray(results) ? results.at(-1) : results
  return last?.rows?.[0]?.transaction_read_only === 'on'
}

function queryable(connection: pg.PoolClient): Queryable {
  return {
    async query<Row>({ text, values }: Statement, use?: (row: Row) => void): Promise<Row[]> {
      const config = { name: statementName(text), text, values }
      try {
        if (!use) return (await connection.query(config)).rows
        await useRows(connection, config, use)
        return []
      } catch (error) {
        throw translateError(error)
      }
    },
    async script(text) {
      try {
        await connection.query(text)
      } catch (error) {
        throw translateError(error)
      }
    },
  }
}

/** If `use` throws, the rows that follow are dropped. */
function useRows<Row>(connection: pg.PoolClient, config: pg.QueryConfig, use: (row: Row) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let failure: unknown = null
    const query = new pg.Query(config, (error) => {
      if (error || failure !== null) reject(error ?? failure)
      else resolve()
    })
    query.on('row', (row) => {
      if (failure !== null) return
      try {
        use(row)
      } catch (error) {
        failure = error
      }
    })
    connection.query(query)
  })
}

function transaction<Result>(pool: MeasuredPool, work: (transaction: Queryable) => Promise<Result>): Promise<Result> {
  return withConnection(pool, async (client) => {
    const inside = queryable(client)
    await inside.script('begin')
    const result = await work(inside)
    await inside.script('commit')
    return result
  })
}

async function execute<Row>(pool: MeasuredPool, text: string, values: unknown[] = []): Promise<{ rows: Row[] }> {
  return withConnection(pool, async (client) => {
    try {
      // Without values it may be several statements, which can't be prepared and return a result each.
      const query = values.length > 0 ? { name: statementName(text), text, values } : { text }
      const results = [await client.query(query)].flat()
      return { rows: results.flatMap((result) => result.rows) }
    } catch (error) {
      throw translateError(error)
    }
  })
}

async function withConnection<Result>(
  pool: MeasuredPool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await connect(pool)
  let broken = false
  try {
    return await work(client)
  } catch (error) {
    // The connection must not go back to the pool in the middle of a transaction.
    const lost = isConnectionLost(error)
    if (lost) pool.primary?.recheck()
    broken = lost || !(await tryRollback(client))
    throw error
  } finally {
    client.release(broken)
  }
}

/**
 * A server that refuses the first connection is not set up as it should be, and the start says how. Later, whatever it says,
 * such as that the password has changed, is an outage: connections that are open may go on working.
 */
function connect(measured: MeasuredPool): Promise<pg.PoolClient> {
  return connectToPrimary(measured).catch((error) => {
    throw measured.hasConnected && !measured.pool.ending ? toUnavailable(error) : translateError(error)
  })
}

async function connectToPrimary(measured: MeasuredPool): Promise<pg.PoolClient> {
  const { primary } = measured
  if (!primary) return acquire(measured)
  if (primary.current() === '') await primary.locate()
  try {
    return await acquire(measured)
  } catch (error) {
    // Every connection is taken, which says nothing about the server.
    if (error instanceof Error && error.message === poolExhausted) throw error
    await primary.locate()
    return acquire(measured)
  }
}

/** Measures the wait only if every connection is taken, to keep the common case cheap. */
function acquire(measured: MeasuredPool): Promise<pg.PoolClient> {
  const { pool } = measured
  if (pool.idleCount > 0 || pool.totalCount < pool.options.max) return pool.connect()
  const started = performance.now()
  measured.waits++
  return pool.connect().finally(() => {
    measured.waitedSeconds += (performance.now() - started) / 1000
  })
}

async function tryRollback(client: pg.PoolClient): Promise<boolean> {
  return client.query('rollback').then(
    () => true,
    () => false,
  )
}

const names = new Map<string, string>()

// Prepared once per connection. Named after the text, so that a connection pooler can share prepared statements among
// processes.
function statementName(text: string): string {
  let name = names.get(text)
  if (!name) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 24)
    names.set(text, name)
  }
  return name
}
