import type { Database } from '../database/database.ts'
import type { Fetched, FetchedJob } from './queue-consumer.ts'

/**
 * Each organization's jobs in the order in which they came, and nothing but those that wait. Asked for first: to be told
 * that it is there, the statement itself would wait for everybody who writes.
 */
export async function createWaitingIndex(database: Database): Promise<void> {
  const { rows } = await database.execute<{ there: boolean }>(
    `select to_regclass('pgboss.jobs_waiting') is not null as there`,
  )
  if (rows[0]?.there) return
  await database.execute(`
    create index if not exists jobs_waiting on pgboss.job (name, group_id, created_on, start_after, id)
    where state < 'active'`)
}

// What PostgreSQL knows about the size of a queue is mostly from when it was empty: it would read and sort all that wait,
// though an index has the order. Nor does it know how many will be asked for, and would plan for each number anew.
// And nobody needs to wait until a fetch is on the disk: whatever an attempt writes down comes after it there, and should
// the server crash before that, the job was never fetched.
// Before PostgreSQL 18 a plan that goes against a setting counts as so dear that it is compiled: 0.4 s for each fetch.
const settings = `set local enable_seqscan = off; set local enable_bitmapscan = off;
  set local plan_cache_mode = force_generic_plan; set local synchronous_commit = off; set local jit = off`

const organizationsAtOnce = 128

/**
 * Takes jobs from pg-boss's table and marks them as its own fetch would. That one reads all that wait, oldest first, until
 * it has enough: behind an organization at its share it passes over everything that one has, and what a dead endpoint
 * leaves in a day took 0.3 s at each look. Here the organizations that have something due are found first, and each that
 * has a place for it gives its oldest.
 */
export function createFetch(
  database: Database,
  { queueName, perOrganization }: { queueName: string; perOrganization: number },
): (most: number) => Promise<Fetched> {
  const text = fetchStatement(queueName)
  /** Where to go on when there are more organizations than are asked at once; empty when all were. */
  let after = ''

  async function take(most: number): Promise<Fetched> {
    const rows = await database.queryUnder<Asked & (FetchedJob | { id: null })>(settings, {
      text,
      values: [after, perOrganization, most],
    })
    const { asked = 0, last = null, heldBack = null } = rows[0] ?? {}
    after = asked < organizationsAtOnce ? '' : (last ?? '')
    return { jobs: rows.flatMap((row) => (row.id === null ? [] : [row])), heldBack: new Set(heldBack) }
  }

  return async (most) => {
    let heldBack = new Set<string>()
    for (const begin of new Set([after, ''])) {
      after = begin
      do {
        const taken = await take(most)
        heldBack = heldBack.union(taken.heldBack)
        if (taken.jobs.length > 0) return { jobs: taken.jobs, heldBack }
      } while (after !== '')
    }
    return { jobs: [], heldBack }
  }
}

type Asked = { asked: number; last: string | null; heldBack: string[] | null }

function fetchStatement(queueName: string): string {
  const waiting = `pgboss.job where name = '${queueName}' and state < 'active' and start_after <= now()`
  const order = 'created_on, start_after, id'
  // What another process is just taking is passed over, its organization too if need be: so there is no limit before
  // `taken`. The place of the first spares it the way over all those that are gone and not yet cleared away.
  return `
    with recursive asked (organization, created_on, start_after, id, number) as (
      (select group_id, ${order}, 1 from ${waiting} and group_id > $1::text order by group_id, ${order} limit 1)
      union all
      select next.*, number + 1
      from asked cross join lateral (
        select group_id, ${order} from ${waiting} and group_id > asked.organization order by group_id, ${order} limit 1
      ) next
      where number < ${organizationsAtOnce}
    ), running as materialized (
      select group_id as organization, count(*)::int as count from pgboss.job
      where name = '${queueName}' and state = 'active' and group_id is not null group by group_id
    ), due as materialized (
      select asked.*, $2::int - coalesce(count, 0) as places from asked left join running using (organization)
    ), able as materialized (
      select * from due where places > 0 order by ${order}
    ), taken as materialized (
      select job.id
      from able cross join lateral (
        select id from ${waiting} and group_id = able.organization
          and (created_on, start_after, id) >= (able.created_on, able.start_after, able.id)
        order by ${order} limit least(places, (select ceil($3::int / least(count(*), $3::int)::real) from able))
        for update skip locked
      ) job
      limit $3::int
    ), fetched as (
      update pgboss.job set state = 'active', started_on = now(), heartbeat_on = now(),
        retry_count = retry_count + case when started_on is null then 0 else 1 end
      where name = '${queueName}' and id = any(array(select id from taken))
      returning id, retry_count as "retryCount", group_id as "organizationId", data ->> 'deliveryId' as "deliveryId"
    )
    select asked.*, fetched.* from (
      select (select count(*)::int from asked) as asked, (select max(organization) from asked) as last,
        (select array_agg(organization) from due where places <= 0) as "heldBack"
    ) asked left join fetched on true`
}
