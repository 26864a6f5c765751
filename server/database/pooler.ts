import pg from 'pg'
import { translateError } from './failures.ts'
import { parsePostgresUrl } from './postgres-url.ts'
import { sessionSettings } from './session-settings.ts'

/** PostgreSQL is behind a connection pooler that the service can't work with. */
export class UnsuitablePooler extends Error {
  override name = 'UnsuitablePooler'
}

/**
 * `transaction`: each transaction may run in another session, so only what the role sets itself holds. `unprepared`: the
 * same, and prepared statements get lost as well, as with PgBouncer before 1.21.
 */
export type Pooling = 'none' | 'session' | 'transaction' | 'unprepared'

/** Throws if a pooler in transaction mode takes away what the service relies on. */
export async function checkPooler(url: string): Promise<void> {
  const address = parsePostgresUrl(url)
  if ('fault' in address) throw new Error(`The database URL ${address.fault}`)
  // Where one server has a pooler, all have.
  for (const [index, server] of address.servers.entries()) {
    try {
      return await checkServer(server)
    } catch (error) {
      if (error instanceof UnsuitablePooler || index === address.servers.length - 1) throw error
    }
  }
}

async function checkServer(server: string): Promise<void> {
  await using connections = openConnections(server)
  const pooling = await detectPooling(connections.open)
  if (pooling === 'unprepared') {
    throw new UnsuitablePooler(
      'DATABASE_URL leads to a connection pooler in transaction mode that loses prepared statements. ' +
        'Set pool_mode = session, or use PgBouncer 1.21 or newer with max_prepared_statements = 500.',
    )
  }
  if (pooling !== 'transaction') return
  const missing = await missingRoleSettings(await connections.open())
  if (missing.length > 0) {
    throw new UnsuitablePooler(
      'DATABASE_URL leads to a connection pooler in transaction mode, where settings of a session get lost. ' +
        `Set pool_mode = session, or run this once and reconnect the pooler:\n${missing.join('\n')}`,
    )
  }
}

type Connections = { open(): Promise<pg.Client>; [Symbol.asyncDispose](): Promise<void> }

function openConnections(server: string): Connections {
  const clients: pg.Client[] = []
  return {
    async open() {
      const client = new pg.Client({ connectionString: server, connectionTimeoutMillis: 5_000, query_timeout: 30_000 })
      client.on('error', () => {})
      await client.connect()
      clients.push(client)
      return client
    },
    async [Symbol.asyncDispose]() {
      await Promise.allSettled(clients.map((client) => client.end()))
    },
  }
}

const rounds = 3

/**
 * A pooler in session mode gives every client its own session for as long as it is connected. In transaction mode, a
 * second client gets the session that the first has just used, or the first gets another while the second is in a
 * transaction. Both name their statement alike, so one that the pooler lost, or already has, fails.
 */
async function detectPooling(open: () => Promise<pg.Client>): Promise<Pooling> {
  try {
    const first = await open()
    const ownSession = await sessionOf(first)
    // PostgreSQL introduces a session by the ID that the session itself reports. A pooler makes one up.
    if ('processID' in first && first.processID === ownSession) return 'none'
    const second = await open()
    for (let round = 1; round <= rounds; round++) {
      await second.query('begin')
      if ((await sessionOf(second)) === ownSession || (await sessionOf(first)) !== ownSession) return 'transaction'
      await second.query('rollback')
    }
    return 'session'
  } catch (error) {
    if (isAboutPreparedStatements(error)) return 'unprepared'
    throw translateError(error)
  }
}

async function sessionOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>({
    name: 'partner_interview_session',
    text: 'select pg_backend_pid() as pid',
  })
  return rows[0]?.pid ?? 0
}

/** It does not exist, or it exists already. */
function isAboutPreparedStatements(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '26000' || error.code === '42P05')
}

/** The statements that give the role what every session needs. */
async function missingRoleSettings(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ role: string; name: string; value: string }>(
    `select quote_ident(current_user) as role, name, reset_val as value from pg_settings where name = any($1)`,
    [Object.keys(sessionSettings)],
  )
  return (
    rows
      // The format of times is followed by an order of day and month, which doesn't matter: `ISO, DMY`.
      .filter(({ name, value }) => value.split(',')[0] !== sessionSettings[name])
      // Since PostgreSQL 12, all positive values mean the same.
      .filter(({ name, value }) => name !== 'extra_float_digits' || Number(value) < 1)
      .map(({ role, name }) => `alter role ${role} set ${name} = '${sessionSettings[name]}';`)
  )
}
