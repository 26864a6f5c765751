import type { Database } from '../database/database.ts'
import type { Fetched, FetchedJob } from './consumer.ts'

/**
 * An index of our own: each organization's jobs in the order in which they came, and nothing but those that wait. And
 * three of pg-boss's as they suit so many short lives: a job that is taken is written anew next to where it stands, which
 * needs room; and entries that are joined into one cannot be marked as gone before all of them are. Asked for first: to be
 * told that the index is there, the statement itself would wait for everybody who writes.
 */
export async function prepareTable(database: Database): Promise<void> {
  const { rows } = await database.execute<{ indexed: boolean; set: boolean }>(`
    select to_regclass('pgboss.jobs_waiting') is not null as indexed, exists (
      select from pg_class where oid = to_regclass('pgboss.job_common_i7') and reloptions @> '{deduplicate_items=off}'
    ) as set`)
  const { indexed, set } = rows[0] ?? {}
  if (!indexed) {
    await database.execute(`
      create index if not exists jobs_waiting on pgboss.job (name, group_id, created_on, start_after, id)
      where state < 'active'`)
  }
  if (!set) {
    await database.execute(`
      alter index if exists pgboss.job_common_pkey set (fillfactor = 50);
      alter index if exists pgboss.job_common_i6 set (fillfactor = 50);
      alter index if exists pgboss.job_common_i7 set (deduplicate_items = off)`)
  }
}

// What PostgreSQL knows about the size of a queue is mostly from when it was empty: it would read and sort all that wait,
// though an index has the order. Nor does it know how many will be asked for, and would plan for each number anew.
// And nobody needs to wait until a fetch is on the disk: whatever an attempt writes down comes after it there, and should
// the server crash before that, the job was never fetched.
// Before PostgreSQL 18 a plan that goes against a setting counts as so dear that it is compiled: 0.4 s for each fetch.
const settings = `set local enable_seqscan = off; set local enable_bitmapscan = off;
  set local plan_cache_mode = force_generic_plan; set local synchronous_commit = off; set local jit = off`

const organizationsAtOnce = 128
// So long a retry that comes due, or what another process enqueues for an organization that had nothing, may be overlooked;
// whatever is taken meanwhile goes before it.
const goOnFor = 100

export type Fetch = {
  fetchJobs(most: number): Promise<Fetched>
  /** For whoever knows of a job that the last look cannot have seen. */
  lookAfresh(): void
}

/**
 * Takes jobs from pg-boss's table and marks them as its own fetch would. That one reads all that wait, oldest first, until
 * it has enough: behind an organization at its share it passes over everything that one has, and what a dead endpoint
 * leaves in a day took 0.3 s at each look. Here the organizations that have something due are found first, and each that
 * has a place for it gives its oldest.
 * To find them is a way over all the jobs that are gone and not yet cleared away; so the next looks go on from where
 * this one has found each organization.
 */
export function createFetch(
  database: Database,
  options: { queueName: string; perOrganization: number; clock?: () => number },
): Fetch {
  const { queueName, perOrganization, clock = () => performance.now() } = options
  const texts = {
    afresh: fetchStatement(queueName, everybody(queueName)),
    on: fetchStatement(queueName, known(queueName)),
  }
  /** Where to go on when there are more organizations than are asked at once; empty when all were. */
  let after = ''
  /** Where the last look found each organization, if it asked all there are at once. */
  let heads: string | null = null
  let lookedAfresh = Number.NEGATIVE_INFINITY
  let calls = 0

  async function take(text: string, from: string, most: number): Promise<Fetched & Pick<Told, 'asked' | 'last'>> {
    const called = calls
    heads = null
    const rows = await database.queryUnder<Told | FetchedRow>(settings, { text, values: [from, perOrganization, most] })
    const { asked, last, heldBack, more, heads: found } = rows.find((row) => row.asked !== null) ?? nobody
    if (called === calls) heads = found
    return { jobs: rows.filter((row) => row.asked === null), heldBack: new Set(heldBack), more, asked, last }
  }

  async function takeAfresh(most: number): Promise<Fetched> {
    lookedAfresh = clock()
    const from = after
    const { asked, last, ...fetched } = await take(texts.afresh, from, most)
    after = asked < organizationsAtOnce ? '' : (last ?? '')
    if (from !== after) heads = null
    return fetched
  }

  return {
    async fetchJobs(most) {
      if (heads !== null && clock() - lookedAfresh < goOnFor) {
        const taken = await take(texts.on, heads, most)
        // Nobody else was asked.
        if (taken.jobs.length > 0) return { ...taken, more: true }
      }
      let heldBack = new Set<string>()
      for (const begin of new Set([after, ''])) {
        after = begin
        do {
          const { jobs, more, ...taken } = await takeAfresh(most)
          heldBack = heldBack.union(taken.heldBack)
          if (jobs.length > 0) return { jobs, heldBack, more: more || begin !== '' || after !== '' }
        } while (after !== '')
      }
      return { jobs: [], heldBack, more: false }
    },
    lookAfresh() {
      calls++
      heads = null
    },
  }
}

/** Of one look: how many organizations were asked and which was the last, and what was found out about them. */
type Told = { asked: number; last: string | null; heldBack: string[] | null; more: boolean; heads: string | null }
type FetchedRow = FetchedJob & { [Field in keyof Told]: null }

const nobody: Told = { asked: 0, last: null, heldBack: null, more: false, heads: null }

const order = 'created_on, start_after, id'

function waitingIn(queueName: string): string {
  return `pgboss.job where name = '${queueName}' and state < 'active' and start_after <= now()`
}

/** The organizations that come after $1 and have something due, each with its oldest. */
function everybody(queueName: string): string {
  const waiting = waitingIn(queueName)
  return `recursive asked (organization, ${order}, number) as (
      (select group_id, ${order}, 1 from ${waiting} and group_id > $1::text order by group_id, ${order} limit 1)
      union all
      select next.*, number + 1
      from asked cross join lateral (
        select group_id, ${order} from ${waiting} and group_id > asked.organization order by group_id, ${order} limit 1
      ) next
      where number < ${organizationsAtOnce}
    )`
}

/** Of the organizations that are known from before, as $1 says, those that still have something due. */
function known(queueName: string): string {
  return `asked as materialized (
      select known.organization, next.*
      from json_to_recordset($1::json) as known (organization text, created_on timestamptz, start_after timestamptz, id uuid)
      cross join lateral (
        select ${order} from ${waitingIn(queueName)} and group_id = known.organization
          and (${order}) >= (known.created_on, known.start_after, known.id)
        order by ${order} limit 1
      ) next
    )`
}

function fetchStatement(queueName: string, asked: string): string {
  // What another process is just taking is passed over, its organization too if need be: so there is no limit before
  // `taken`. The place of the first spares it the way over all those that are gone and not yet cleared away. Those taken
  // are locked and stay where they are, so they are written where they stand: by their ids, PostgreSQL before 17 would
  // rather read through all jobs of the queue.
  return `
    with ${asked}, running as materialized (
      select group_id as organization, count(*)::int as count from pgboss.job
      where name = '${queueName}' and state = 'active' and group_id is not null group by group_id
    ), due as materialized (
      select asked.*, $2::int - coalesce(count, 0) as places from asked left join running using (organization)
    ), able as materialized (
      select due.*, least(places, ceil($3::int / least(count(*) over (), $3::int)::real)) as most
      from due where places > 0 order by ${order}
    ), taken as materialized (
      select place, organization, most
      from able cross join lateral (
        select ctid as place from ${waitingIn(queueName)} and group_id = able.organization
          and (${order}) >= (able.created_on, able.start_after, able.id)
        order by ${order} limit most
        for update skip locked
      ) job
      limit $3::int
    ), fetched as (
      update pgboss.job set state = 'active', started_on = now(), heartbeat_on = now(),
        retry_count = retry_count + case when started_on is null then 0 else 1 end
      where name = '${queueName}' and ctid = any(array(select place from taken))
      returning id, retry_count as "retryCount", group_id as "organizationId", data ->> 'deliveryId' as "deliveryId"
    )
    select (select count(*)::int from asked) as asked, (select max(organization) from asked) as last,
      (select array_agg(organization) from due where places <= 0) as "heldBack",
      (select count(*) from taken) >= $3::int
        or exists (select from taken group by organization, most having count(*) >= most) as more,
      (select json_agg(asked)::text from asked) as heads,
      null::uuid as id, null::int as "retryCount", null as "organizationId", null as "deliveryId"
    union all
    select null, null, null, null, null, * from fetched`
}
