import { setTimeout } from 'node:timers/promises'
import sql from 'sql-template-tag'
import type { Database } from '../server/database/database.ts'
import { insist, rowsOf } from './commands.ts'
import type { Site } from './site.ts'

// The longest way is the minute of a Retry, and then four receives whose workers died, ten seconds each until their
// leases ran out.
const patience = 5 * 60_000

/** Waits until nothing is under way any more, or for as long as that may take at most. Gives how much is left then. */
export async function settle(
  site: Site,
  { hurry, progress }: { hurry: boolean; progress: (state: string) => void },
): Promise<number> {
  const deadline = performance.now() + patience
  if (hurry) await site.look(skipWaiting)
  for (let look = 1; ; look++) {
    const left = site.name === 'embedded' ? await leftBySight(site) : await site.look(leftInDatabase)
    if (left === 0 || performance.now() > deadline) return left
    if (look % 5 === 0) progress(`${site.name}: ${left} not settled yet`)
    await setTimeout(site.name === 'embedded' ? 3_000 : 1_000)
  }
}

/** For whoever has no time: the minute of a Retry is over. */
async function skipWaiting(database: Database): Promise<void> {
  await database.query(sql`update delivery_jobs set due_at = now() where leased_until is null and due_at > now()`)
}

async function leftInDatabase(database: Database): Promise<number> {
  const [row] = await database.query<{ count: number }>(sql`
    select count(distinct id) as count from (
      select id from deliveries where status = 'PENDING' or failure_reason = 'ENQUEUE_FAILED'
      union all
      select delivery_id from delivery_jobs
    ) unsettled (id)`)
  return row?.count ?? 0
}

/** The embedded database belongs to its server, which must not be stopped to be asked: a start would move things on. */
async function leftBySight(site: Site): Promise<number> {
  let left = 0
  for (const { organizationId } of site.partners) {
    const list = ['delivery', 'list', '--organization', organizationId, '--limit', '10000']
    const deliveries = rowsOf(await insist(site, list))
    left += deliveries.filter(
      ({ status, failureReason }) => status === 'PENDING' || failureReason === 'ENQUEUE_FAILED',
    ).length
  }
  return left
}
