import sql, { type Sql } from 'sql-template-tag'
import type { Database, Queryable } from '../database/database.ts'
import type { AttemptError } from '../deliveries/deliveries.ts'
import { startScheduled } from '../operations/scheduler.ts'

/** What is told of an endpoint: it has begun to fail, it has done so for an hour, it works again. */
export type EndpointState = 'failing' | 'still_failing' | 'recovered'

export type EndpointChange = {
  organizationId: string
  state: EndpointState
  /** When it began to fail. */
  since: string
  lastError: AttemptError
  failures: number
}

const anHour = 3_600_000
// By then an attempt has ended and its outcome is written down, or its worker is gone.
const settledAfter = 30_000
const attemptsAtOnce = 5_000

/**
 * Looks at what came of the attempts since the last look, and says which endpoints fare otherwise than before. An
 * endpoint fails while no attempt has succeeded after its first failure. Saving the endpoint anew makes a new beginning,
 * and what is wrong with an image says nothing about the endpoint.
 */
export async function lookAtEndpoints(database: Database, now: Date): Promise<EndpointChange[]> {
  const changes: EndpointChange[] = []
  for (;;) {
    const { seen, more } = await database.transaction((transaction) => lookAtSome(transaction, now))
    changes.push(...seen)
    if (!more) return [...changes, ...(await noteStillFailing(database, now))]
  }
}

async function lookAtSome(transaction: Queryable, now: Date): Promise<{ seen: EndpointChange[]; more: boolean }> {
  const settled = new Date(now.getTime() - settledAfter)
  const [look] = await transaction.query<{ after: number }>(sql`
    select attempt_id as after from endpoint_look for update`)
  const after = look?.after ?? 0
  const [found] = await transaction.query<{ last: number | null; count: number }>(sql`
    select max(id) as last, count(*) from (
      select id, started_at from delivery_attempts where id > ${after}::bigint order by id limit ${attemptsAtOnce}
    ) next where started_at <= ${settled}`)
  if (!found || found.last === null) return { seen: [], more: false }

  const fared = await readFared(transaction, sql`a.id > ${after}::bigint and a.id <= ${found.last}::bigint`)
  const seen: EndpointChange[] = []
  for (const one of fared) seen.push(...(await note(transaction, one)))
  await transaction.query(sql`update endpoint_look set attempt_id = ${found.last}`)
  return { seen, more: found.count === attemptsAtOnce }
}

/** How an endpoint fared: failures after the last success, and what was known before. */
type Fared = {
  organizationId: string
  succeededAt: string | null
  failures: number
  firstFailureAt: string
  lastFailureAt: string
  lastError: AttemptError | null
  wasFailing: { since: string; lastError: AttemptError; failures: number; sameEndpoint: boolean } | null
}

/** Only of those that failed, or did before: of the many that go well there is nothing to note. */
function readFared(transaction: Queryable, looked: Sql): Promise<Fared[]> {
  return transaction.query(sql`
    with outcomes as (
      select a.id, d.organization_id, a.started_at, a.finished_at, a.error, e.updated_at as saved_at
      from delivery_attempts a
      join deliveries d on d.id = a.delivery_id
      join webhook_endpoints e on e.organization_id = d.organization_id
      where ${looked} and a.finished_at is not null and a.started_at >= e.updated_at
        and (a.error is null or not starts_with(a.error, 'THUMBNAIL_'))
    ), successes as (
      select organization_id, max(id) as last, min(finished_at) as at from outcomes where error is null
      group by organization_id
    ), failures as (
      select o.organization_id, count(*) as count, min(o.started_at) as first_at, max(o.started_at) as last_at,
        (array_agg(o.error order by o.id desc))[1] as error
      from outcomes o left join successes s on s.organization_id = o.organization_id
      where o.error is not null and o.id > coalesce(s.last, 0)
      group by o.organization_id
    )
    select e.organization_id as "organizationId", s.at as "succeededAt", coalesce(f.count, 0) as failures,
      f.first_at as "firstFailureAt", f.last_at as "lastFailureAt", f.error as "lastError",
      case when known.failing_since is not null then json_build_object('since', known.failing_since,
        'lastError', known.last_error, 'failures', known.failures,
        'sameEndpoint', e.updated_at <= known.last_failure_at) end as "wasFailing"
    from webhook_endpoints e
    left join successes s on s.organization_id = e.organization_id
    left join failures f on f.organization_id = e.organization_id
    left join endpoint_states known on known.organization_id = e.organization_id
    where f.count > 0 or (s.last is not null and known.failing_since is not null)`)
}

async function note(transaction: Queryable, fared: Fared): Promise<EndpointChange[]> {
  const { organizationId, succeededAt, wasFailing, lastError } = fared
  if (lastError === null) {
    if (wasFailing === null) return []
    await transaction.query(sql`
      update endpoint_states set failing_since = null, told_again_at = null, recovered_at = ${succeededAt}
      where organization_id = ${organizationId}`)
    const { since, failures } = wasFailing
    const isoSince = new Date(since).toISOString()
    return [{ organizationId, state: 'recovered', since: isoSince, lastError: wasFailing.lastError, failures }]
  }
  const goesOn = wasFailing?.sameEndpoint === true
  const unbroken = goesOn && succeededAt === null
  const since = unbroken ? new Date(wasFailing.since).toISOString() : fared.firstFailureAt
  const failures = unbroken ? wasFailing.failures + fared.failures : fared.failures
  await transaction.query(sql`
    insert into endpoint_states as s (organization_id, failing_since, last_failure_at, last_error, failures)
    values (${organizationId}, ${since}, ${fared.lastFailureAt}, ${lastError}, ${failures})
    on conflict (organization_id) do update set failing_since = excluded.failing_since, recovered_at = null,
      last_failure_at = excluded.last_failure_at, last_error = excluded.last_error, failures = excluded.failures,
      told_again_at = case when ${unbroken}::boolean then s.told_again_at end`)
  return goesOn ? [] : [{ organizationId, state: 'failing', since, lastError, failures }]
}

const isFailing = sql`
  s.failing_since is not null and e.organization_id = s.organization_id and e.enabled and e.updated_at <= s.last_failure_at`

async function noteStillFailing(database: Database, now: Date): Promise<EndpointChange[]> {
  const rows = await database.query<Omit<EndpointChange, 'state'>>(sql`
    update endpoint_states s set told_again_at = ${now} from webhook_endpoints e
    where ${isFailing} and s.failing_since <= ${new Date(now.getTime() - anHour)} and s.told_again_at is null
    returning s.organization_id as "organizationId", s.failing_since as since, s.last_error as "lastError", s.failures`)
  return rows.map((row) => ({ ...row, state: 'still_failing' }))
}

export type EndpointAlert =
  | { state: 'failing'; since: string; lastError: AttemptError; failures: number }
  | { state: 'recovered'; at: string }

/** What the members of an organization should know: that its endpoint fails, or for an hour that it works again. */
export async function endpointAlert(
  database: Queryable,
  organizationId: string,
  now: Date,
): Promise<EndpointAlert | null> {
  const [row] = await database.query<Alarming>(sql`
    select ${isFailing} as failing, s.failing_since as since, s.last_error as "lastError", s.failures, s.recovered_at as at
    from endpoint_states s join webhook_endpoints e on e.organization_id = s.organization_id
    where s.organization_id = ${organizationId}`)
  if (!row) return null
  if (row.failing) return { state: 'failing', since: row.since, lastError: row.lastError, failures: row.failures }
  if (row.at === null || Date.parse(row.at) <= now.getTime() - anHour) return null
  return { state: 'recovered', at: row.at }
}

type Alarming =
  | { failing: true; since: string; lastError: AttemptError; failures: number }
  | { failing: false; at: string | null }

/** How many endpoints fail at this moment. */
export async function countFailingEndpoints(database: Queryable): Promise<number> {
  const [row] = await database.query<{ count: number }>(sql`
    select count(*) from endpoint_states s, webhook_endpoints e where ${isFailing}`)
  return row?.count ?? 0
}

export type EndpointLog = {
  warn(fields: object, text: string): void
  info(fields: object, text: string): void
}

/** Looks every interval, on one process at a time, and tells the log and whoever counts. */
export function startWatchingEndpoints(dependencies: {
  database: Database
  intervalSeconds: number
  clock: () => Date
  logger: EndpointLog
  observe: (state: EndpointState) => void
  report: (problem: string, error: unknown) => void
}): { stop(): Promise<void> } {
  const { database, clock, logger, observe } = dependencies
  return startScheduled({
    ...dependencies,
    name: 'look at endpoints',
    async work() {
      for (const { state, ...fields } of await lookAtEndpoints(database, clock())) {
        observe(state)
        if (state === 'failing') logger.warn(fields, 'an endpoint fails')
        if (state === 'still_failing') logger.warn(fields, 'an endpoint has been failing for an hour')
        if (state === 'recovered') logger.info(fields, 'an endpoint works again')
      }
    },
  })
}
