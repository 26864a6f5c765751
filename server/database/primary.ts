import pg from 'pg'
import { DatabaseUnavailable, translateError } from './failures.ts'

/** Finds the one of several servers that takes writes, and finds it again after a failover. */
export type PrimaryFinder = {
  /** The connection string of the primary as of the last look. Empty before the first. */
  current(): string
  /** Looks now, or joins a look in progress. Throws if no server takes writes. */
  locate(): Promise<void>
  /** Looks in the background, and calls `onMoved` if there is a new primary. */
  recheck(): void
  /** Called when the primary is a different server than before. */
  onMoved(listener: (primary: string) => void): void
  close(): void
}

/** What one server says about itself. The timeline goes up with every promotion. */
export type ServerReport =
  | { server: string; state: 'primary'; timeline: number }
  | { server: string; state: 'read-only' }
  | { server: string; state: 'failed'; error: unknown }

// A server that disappears without closing its connections is noticed by this look only.
const lookEveryMilliseconds = 5_000
const probeTimeout = 3_000
// Once one server takes writes, how long the others may take to say that they were promoted later.
const graceMilliseconds = 1_000
// During a failover every request wants to know. They share a look, and its failure for this long.
const failureLastsMilliseconds = 250

export function createPrimaryFinder(
  servers: readonly string[],
  probe: (server: string) => Promise<ServerReport> = probeServer,
): PrimaryFinder {
  let current = ''
  let timeline = 0
  let looking: Promise<void> | null = null
  let failure: { error: unknown; at: number } | null = null
  const listeners: ((primary: string) => void)[] = []

  async function look(): Promise<void> {
    const reports = await collectReports(servers.map(probe))
    const primary = choosePrimary(reports, { timeline, server: current })
    if (!primary) throw whyNone(reports, current === '')
    const moved = current !== '' && primary.server !== current
    current = primary.server
    timeline = primary.timeline
    if (moved) for (const listener of listeners) listener(current)
  }

  const locate = () => {
    if (failure && performance.now() - failure.at < failureLastsMilliseconds) return Promise.reject(failure.error)
    looking ??= look()
      .then(
        () => {
          failure = null
        },
        (error: unknown) => {
          failure = { error, at: performance.now() }
          throw error
        },
      )
      .finally(() => {
        looking = null
      })
    return looking
  }
  // Requests that need the primary look themselves and report the failure.
  const recheck = () => void locate().catch(() => {})
  const timer = setInterval(recheck, lookEveryMilliseconds).unref()
  return {
    current: () => current,
    locate,
    recheck,
    onMoved: (listener) => void listeners.push(listener),
    close: () => clearInterval(timer),
  }
}

/** All reports, or those that are there a moment after a primary has answered: a dead machine may never answer. */
async function collectReports(probes: Promise<ServerReport>[]): Promise<ServerReport[]> {
  const reports: ServerReport[] = []
  const enough = Promise.withResolvers<void>()
  let grace: NodeJS.Timeout | undefined
  const all = Promise.all(
    probes.map(async (probing) => {
      const report = await probing
      reports.push(report)
      if (report.state === 'primary') grace ??= setTimeout(enough.resolve, graceMilliseconds)
    }),
  )
  await Promise.race([all, enough.promise])
  clearTimeout(grace)
  return [...reports]
}

/**
 * The server that was promoted last. An old primary that comes back without having been made a standby still takes
 * writes, which would be lost: it is never chosen over a newer one, nor after one. Two addresses may lead to the same
 * server, so connections stay where they are unless another was promoted later.
 */
function choosePrimary(reports: readonly ServerReport[], seen: { timeline: number; server: string }) {
  const primaries = reports
    .filter((report) => report.state === 'primary')
    .filter(({ timeline }) => timeline >= seen.timeline)
  const newest = Math.max(...primaries.map(({ timeline }) => timeline))
  const promoted = primaries.filter(({ timeline }) => timeline === newest)
  return promoted.find(({ server }) => server === seen.server) ?? promoted[0] ?? null
}

function whyNone(reports: readonly ServerReport[], isStart: boolean): unknown {
  const errors = reports.flatMap((report) => (report.state === 'failed' ? [report.error] : []))
  // A wrong password or database is not temporary, and the start says what to do about it. Later it is another server's
  // fault that we can't use that one.
  const lasting = errors.find((error) => !(error instanceof DatabaseUnavailable))
  if (lasting && isStart) return lasting
  const reasons = reports.map((report) =>
    report.state === 'failed' ? messageOf(report.error) : `${hostOf(report.server)} is ${describe(report)}`,
  )
  return new DatabaseUnavailable(`no server accepts writes: ${reasons.join('; ')}`)
}

function describe({ state }: ServerReport): string {
  return state === 'primary' ? 'an old primary' : 'read-only'
}

function hostOf(server: string): string {
  return new URL(server).host
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

async function probeServer(server: string): Promise<ServerReport> {
  const client = new pg.Client({
    connectionString: server,
    connectionTimeoutMillis: probeTimeout,
    query_timeout: probeTimeout,
    application_name: 'partner-interview-api',
  })
  // Without a listener, a connection that breaks would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    // The first eight digits of a WAL file's name are the timeline.
    const { rows } = await client.query<{ timeline: number | null }>(
      `select case when current_setting('transaction_read_only') = 'off'
        then ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end as timeline`,
    )
    const timeline = rows[0]?.timeline ?? null
    return timeline === null ? { server, state: 'read-only' } : { server, state: 'primary', timeline }
  } catch (error) {
    return { server, state: 'failed', error: translateError(error) }
  } finally {
    void client.end().catch(() => {})
  }
}
