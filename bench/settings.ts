/**
 * Measures response times of the settings API with a million deliveries, on PostgreSQL: the real routes over HTTP, with a
 * session, compared with ten thousand deliveries.
 */
import sql from 'sql-template-tag'
import { openPostgres } from '../server/database/database.ts'
import { encodeCursor } from '../server/database/paging.ts'
import { updateEndpointHealth } from '../server/endpoints/endpoint-health.ts'
import { engine } from '../support/engines.ts'
import { signedInMember } from '../support/members.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { type Service, startService } from '../support/service.ts'
import { type Pace, printAlone } from './pace.ts'
import { fillDeliveries } from './settings-data.ts'
import { quantile, type Row, rounded, type Table } from './table.ts'

const allowedMilliseconds = 100

type Times = { first: number; p50: number; p95: number }

if (import.meta.main) await printAlone(measureSettings)

export async function measureSettings(pace: Pace): Promise<Table[]> {
  const postgres = await startPostgres()
  const counts = pace.quick ? { few: 10_000, many: 100_000, runs: 10 } : { few: 10_000, many: 1_000_000, runs: 40 }
  try {
    const few = await measure(postgres, counts.few, counts.runs, pace)
    const many = await measure(postgres, counts.many, counts.runs, pace)
    const title = `The settings area with ${counts.many.toLocaleString('en')} deliveries`
    const column = `p50 to ${counts.few.toLocaleString('en')}`
    return [{ title, rows: [...many].map(([name, times]) => rowOf(name, times, { column, few: few.get(name) })) }]
  } finally {
    await postgres.close()
  }
}

async function measure(
  postgres: PostgresServer,
  count: number,
  runs: number,
  { say }: Pace,
): Promise<Map<string, Times>> {
  const service = await startService(
    engine('PostgreSQL', async () => openPostgres({ url: await postgres.createDatabase(), connections: 10 })),
  )
  try {
    service.time.now = new Date()
    const organizationId = await fill(service, count, say)
    const admin = await signedInMember(service, 'admin', organizationId)
    const times = new Map<string, Times>()
    for (const [name, path] of Object.entries(await requests(service, organizationId))) {
      const taken: number[] = []
      for (let run = 0; run <= runs; run++) {
        const started = performance.now()
        const { status, text } = await admin.call('GET', `/organizations/${organizationId}${path}`)
        taken.push(performance.now() - started)
        if (status !== 200) throw new Error(`${name}: ${status} ${text}`)
      }
      const [first = Number.NaN, ...later] = taken
      times.set(name, { first, p50: quantile(later, 0.5), p95: quantile(later, 0.95) })
    }
    return times
  } finally {
    await service.close()
  }
}

/** One organization with this many deliveries in the last 24 hours, and another that fails most of the time. */
async function fill({ database, time }: Service, count: number, say: Pace['say']): Promise<string> {
  const started = performance.now()
  const until = time.now
  const organizationId = await fillDeliveries(database, { series: 1, count, hours: 24, until, failed: 2 })
  await fillDeliveries(database, { series: 2, count: count / 10, hours: 720, until, failed: 60 })
  // As a worker does every minute.
  await updateEndpointHealth(database, new Date(until.getTime() + 60_000))
  // What autovacuum would otherwise do at a random time.
  await database.script('vacuum analyze')
  const seconds = ((performance.now() - started) / 1000).toFixed(0)
  say(`settings: filled with ${count.toLocaleString('en')} deliveries in ${seconds} s`)
  return organizationId
}

async function requests({ database, time }: Service, organizationId: string): Promise<Record<string, string>> {
  const [deep] = await database.query<{ id: string; resultId: string; email: string; createdAt: string }>(sql`
    select d.id, d.result_id as "resultId", i.email, d.created_at as "createdAt"
    from deliveries d join results r on r.id = d.result_id join interviews i on i.id = r.interview_id
    where d.organization_id = ${organizationId} order by d.created_at desc offset 5000 limit 1`)
  const [page1000 = deep] = await database.query<{ id: string; createdAt: string }>(sql`
    select id, created_at as "createdAt" from deliveries
    where organization_id = ${organizationId} order by created_at desc offset 49950 limit 1`)
  if (!deep || !page1000) throw new Error('There are too few deliveries')
  const hoursAgo = (hours: number) => new Date(time.now.getTime() - hours * 3_600_000).toISOString()
  const list = (filter: Record<string, string>) => `/deliveries?${new URLSearchParams(filter)}`
  return {
    'first page': list({}),
    'page 1,000 by cursor': list({ cursor: encodeCursor([page1000.createdAt, page1000.id]) }),
    'status: delivered': list({ status: 'DELIVERED' }),
    'status: failed (2 %)': list({ status: 'FAILED' }),
    'status: pending (1 %)': list({ status: 'PENDING' }),
    'error: time-out': list({ error: 'TIMEOUT' }),
    'error: DNS (1 in 50,000)': list({ error: 'DNS' }),
    'error: TLS (none)': list({ error: 'TLS' }),
    'time: an hour in the middle': list({ from: hoursAgo(12), to: hoursAgo(11) }),
    'time: failed in the first hour': list({ status: 'FAILED', to: hoursAgo(23) }),
    'status and error: pending, time-out (none)': list({ status: 'PENDING', error: 'TIMEOUT' }),
    'search: result id': list({ search: deep.resultId }),
    'search: whole email address': list({ search: deep.email }),
    'search: "ada.4" (1 in 320)': list({ search: 'ada.4' }),
    'search: "ada" (5 %)': list({ search: 'ada' }),
    'search: "a" (10 %)': list({ search: 'a' }),
    'search: "zz" (none)': list({ search: 'zz' }),
    'search and status: "ada", failed': list({ search: 'ada', status: 'FAILED' }),
    'search and error: "ada", DNS': list({ search: 'ada', error: 'DNS' }),
    'count of failed': '/deliveries/failed-count',
    'count of failed: "ada"': '/deliveries/failed-count?search=ada',
    health: '/deliveries/health',
    'health, 30 days': '/deliveries/health?last=month',
    detail: `/deliveries/${deep.id}`,
    payload: `/deliveries/${deep.id}/payload`,
  }
}

function rowOf(
  name: string,
  { first, p50, p95 }: Times,
  { column, few }: { column: string; few: Times | undefined },
): Row {
  return {
    request: name,
    'first, ms': rounded(first, 1),
    'p50, ms': rounded(p50, 1),
    'p95, ms': rounded(p95, 1),
    [`p95 < ${allowedMilliseconds} ms`]: p95 < allowedMilliseconds ? 'yes' : 'NO',
    [column]: rounded(p50 / (few?.p50 ?? Number.NaN), 1),
  }
}
