import sql, { type Sql } from 'sql-template-tag'
import type { Database, Queryable } from '../database/database.ts'
import { addAttemptCounts } from '../deliveries/attempt-counts.ts'
import type { AttemptError } from '../deliveries/outcome.ts'

/** `still_failing` is reported once, after an hour. */
export type EndpointState = 'failing' | 'still_failing' | 'recovered'

export type EndpointChange = {
  organizationId: string
  state: EndpointState
  /** When it began to fail. */
  since: string
  lastError: AttemptError
  failures: number
  /** The host that failed, which the endpoint may have moved away from since. */
  failedHost: string
}

/** Called in the transaction that records the change, so that a message about it is neither lost nor sent twice. */
export type Announce = (transaction: Queryable, change: EndpointChange) => Promise<void>

const anHour = 3_600_000
// A receiver that restarts must not wake anyone. This is less than an event waits for its last attempt.
const patience = { failures: 3, milliseconds: 120_000 }
// By then, concurrent writes are committed.
const settledAfter = 5_000
// No clock that is kept in time is this far ahead. An attempt whose clock was must not hold up all others until then.
const impossiblyAhead = 60_000
const batchSize = 5_000

/**
 * Evaluates the attempts since the last call and returns the changes that someone should hear of. An endpoint is failing
 * while no attempt has succeeded after its first failure. That is reported once an event was given up on, or when several
 * attempts in a row have failed for a while; the recovery is reported if the failure was. Saving the endpoint starts over,
 * and image errors don't count because they say nothing about the endpoint.
 */
export async function updateEndpointHealth(
  database: Database,
  now: Date,
  announce: Announce = async () => {},
): Promise<EndpointChange[]> {
  const changes: EndpointChange[] = []
  for (let more = true; more; ) {
    const batch = await database.transaction(async (transaction) => {
      const evaluated = await evaluateBatch(transaction, now)
      for (const change of evaluated.changes) await announce(transaction, change)
      return evaluated
    })
    changes.push(...batch.changes)
    more = batch.more
  }
  const stillFailing = await database.transaction(async (transaction) => {
    const marked = await markStillFailing(transaction, now)
    for (const change of marked) await announce(transaction, change)
    return marked
  })
  return [...changes, ...stillFailing]
}

async function evaluateBatch(transaction: Queryable, now: Date): Promise<{ changes: EndpointChange[]; more: boolean }> {
  const settled = new Date(now.getTime() - settledAfter)
  const impossible = new Date(now.getTime() + impossiblyAhead)
  const [position] = await transaction.query<{ after: number }>(sql`
    select attempt_id as after from endpoint_look for update`)
  const after = position?.after ?? 0
  // Attempts are written when they end. Stop before the first that is so recent that an earlier ID may be uncommitted.
  const [batch] = await transaction.query<{ last: number | null; count: number }>(sql`
    with next as materialized (
      select id, at <= ${settled} or at > ${impossible} as settled
      from delivery_attempts cross join lateral (select coalesce(finished_at, started_at) as at) time
      where id > ${after}::bigint order by id limit ${batchSize}
    )
    select max(id) as last, count(*) from next
    where id < coalesce((select min(id) from next where not settled), 9223372036854775807)`)
  if (!batch || batch.last === null) return { changes: [], more: false }

  const isInBatch = sql`a.id > ${after}::bigint and a.id <= ${batch.last}::bigint`
  await addAttemptCounts(transaction, isInBatch)
  const health = await readHealth(transaction, isInBatch)
  const changes: EndpointChange[] = []
  for (const endpoint of health) changes.push(...(await recordHealth(transaction, endpoint, now)))
  await transaction.query(sql`update endpoint_look set attempt_id = ${batch.last}`)
  return { changes, more: batch.count === batchSize }
}

/** The failures of an endpoint since its last success, and its previous state. */
type Health = {
  organizationId: string
  url: string
  succeededAt: string | null
  failures: number
  firstFailureAt: string
  lastFailureAt: string
  lastError: AttemptError | null
  /** Whether one of these failures was the end of its delivery. */
  gaveUp: boolean
  wasFailing: PreviousHealth | null
}

type PreviousHealth = {
  since: string
  lastError: AttemptError
  failures: number
  sameEndpoint: boolean
  /** Null if nobody was alerted. */
  alertedHost: string | null
  /** Whether members were alerted to the endpoint as it is now. */
  isAlerted: boolean
}

/** Only endpoints that failed or were failing: for the many healthy ones there is nothing to record. */
function readHealth(transaction: Queryable, isInBatch: Sql): Promise<Health[]> {
  return transaction.query(sql`
    with outcomes as (
      select a.id, d.organization_id, a.started_at, a.finished_at, a.error,
        coalesce(d.failure_reason in ('RECEIVER_REJECTED', 'RECEIVES_EXHAUSTED'), false) as gave_up
      from delivery_attempts a
      join deliveries d on d.id = a.delivery_id
      join webhook_endpoints e on e.organization_id = d.organization_id
      where ${isInBatch} and a.finished_at is not null and a.started_at >= e.updated_at
        and (a.error is null or not starts_with(a.error, 'THUMBNAIL_'))
    ), successes as (
      select organization_id, max(id) as last, min(finished_at) as at from outcomes where error is null
      group by organization_id
    ), failures as (
      select o.organization_id, count(*) as count, min(o.started_at) as first_at, max(o.started_at) as last_at,
        (array_agg(o.error order by o.id desc))[1] as error, bool_or(o.gave_up) as gave_up
      from outcomes o left join successes s on s.organization_id = o.organization_id
      where o.error is not null and o.id > coalesce(s.last, 0)
      group by o.organization_id
    )
    select e.organization_id as "organizationId", e.url, s.at as "succeededAt", coalesce(f.count, 0) as failures,
      f.first_at as "firstFailureAt", f.last_at as "lastFailureAt", f.error as "lastError",
      coalesce(f.gave_up, false) as "gaveUp",
      case when previous.failing_since is not null then json_build_object('since', previous.failing_since,
        'lastError', previous.last_error, 'failures', previous.failures,
        'sameEndpoint', e.updated_at <= previous.last_failure_at, 'alertedHost', previous.alerted_host,
        'isAlerted', coalesce(e.updated_at < previous.alerted_at, false)) end as "wasFailing"
    from webhook_endpoints e
    left join successes s on s.organization_id = e.organization_id
    left join failures f on f.organization_id = e.organization_id
    left join endpoint_states previous on previous.organization_id = e.organization_id
    where f.count > 0 or (s.last is not null and previous.failing_since is not null)`)
}

async function recordHealth(transaction: Queryable, health: Health, now: Date): Promise<EndpointChange[]> {
  const { organizationId, succeededAt, wasFailing, lastError } = health
  if (lastError === null) {
    if (wasFailing === null) return []
    await transaction.query(sql`
      update endpoint_states set failing_since = null, alerted_at = null, alerted_host = null, told_again_at = null,
        recovered_at = ${succeededAt}
      where organization_id = ${organizationId}`)
    const { since, failures, alertedHost: failedHost } = wasFailing
    if (failedHost === null) return []
    const isoSince = new Date(since).toISOString()
    const outage = { since: isoSince, lastError: wasFailing.lastError, failures, failedHost }
    return [{ organizationId, state: 'recovered', ...outage }]
  }
  const wasKnown = wasFailing?.sameEndpoint === true
  const continues = wasKnown && succeededAt === null
  const since = continues ? new Date(wasFailing.since).toISOString() : health.firstFailureAt
  const failures = continues ? wasFailing.failures + health.failures : health.failures
  const lasted = Date.parse(health.lastFailureAt) - Date.parse(since)
  const isDue = health.gaveUp || (failures >= patience.failures && lasted >= patience.milliseconds)
  const isNews = isDue && wasFailing?.isAlerted !== true
  const failedHost = new URL(health.url).host
  await transaction.query(sql`
    insert into endpoint_states as s
      (organization_id, failing_since, last_failure_at, last_error, failures, alerted_at, alerted_host)
    values (${organizationId}, ${since}, ${health.lastFailureAt}, ${lastError}, ${failures},
      ${isNews ? now : null}, ${isNews ? failedHost : null})
    on conflict (organization_id) do update set failing_since = excluded.failing_since, recovered_at = null,
      last_failure_at = excluded.last_failure_at, last_error = excluded.last_error, failures = excluded.failures,
      -- An alert about an earlier URL stays until something works: whoever got it waits for the all-clear.
      alerted_at = coalesce(excluded.alerted_at, case when s.failing_since is not null then s.alerted_at end),
      alerted_host = coalesce(excluded.alerted_host, case when s.failing_since is not null then s.alerted_host end),
      told_again_at = case when ${continues}::boolean then s.told_again_at end`)
  return isNews ? [{ organizationId, state: 'failing', since, lastError, failures, failedHost }] : []
}

const isFailing = sql`
  s.failing_since is not null and e.organization_id = s.organization_id and e.enabled and e.updated_at <= s.last_failure_at`

async function markStillFailing(database: Queryable, now: Date): Promise<EndpointChange[]> {
  const rows = await database.query<Omit<EndpointChange, 'state'>>(sql`
    update endpoint_states s set told_again_at = ${now} from webhook_endpoints e
    where ${isFailing} and s.alerted_at > e.updated_at and s.told_again_at is null
      and greatest(s.failing_since, s.alerted_at) <= ${new Date(now.getTime() - anHour)}
    returning s.organization_id as "organizationId", s.failing_since as since, s.last_error as "lastError", s.failures,
      s.alerted_host as "failedHost"`)
  return rows.map((row) => ({ ...row, state: 'still_failing' }))
}

export type EndpointAlert =
  | { state: 'failing'; since: string; lastError: AttemptError; failures: number }
  | { state: 'recovered'; at: string }

/** What to show an organization's members: that the endpoint is failing, or for an hour that it has recovered. */
export async function endpointAlert(
  database: Queryable,
  organizationId: string,
  now: Date,
): Promise<EndpointAlert | null> {
  const [row] = await database.query<AlertRow>(sql`
    select ${isFailing} as failing, e.enabled, s.failing_since as since, s.last_error as "lastError", s.failures, s.recovered_at as at
    from endpoint_states s join webhook_endpoints e on e.organization_id = s.organization_id
    where s.organization_id = ${organizationId}`)
  if (!row) return null
  if (row.failing) return { state: 'failing', since: row.since, lastError: row.lastError, failures: row.failures }
  // A disabled endpoint accepts nothing, so saying that it works would contradict what the page says about it.
  if (row.at === null || !row.enabled || Date.parse(row.at) <= now.getTime() - anHour) return null
  return { state: 'recovered', at: row.at }
}

type AlertRow = { enabled: boolean } & (
  | { failing: true; since: string; lastError: AttemptError; failures: number }
  | { failing: false; at: string | null }
)

export async function countFailingEndpoints(database: Queryable): Promise<number> {
  const [row] = await database.query<{ count: number }>(sql`
    select count(*) from endpoint_states s, webhook_endpoints e where ${isFailing}`)
  return row?.count ?? 0
}

export type EndpointLog = {
  warn(fields: object, text: string): void
  info(fields: object, text: string): void
}

export async function watchEndpoints(dependencies: {
  database: Database
  clock: () => Date
  announce?: Announce
  logger: EndpointLog
  observe: (state: EndpointState) => void
}): Promise<void> {
  const { database, clock, announce, logger, observe } = dependencies
  for (const { state, ...fields } of await updateEndpointHealth(database, clock(), announce)) {
    observe(state)
    if (state === 'failing') logger.warn(fields, 'endpoint is failing')
    if (state === 'still_failing') logger.warn(fields, 'endpoint has been failing for an hour')
    if (state === 'recovered') logger.info(fields, 'endpoint recovered')
  }
}
