import { setTimeout } from 'node:timers/promises'
import sql from 'sql-template-tag'
import type { Database } from '../server/database/database.ts'
import { retryCommand, rowsOf } from './commands.ts'
import type { Site } from './site.ts'

// The longest path is the minute of a Retry plus four receives whose workers died, ten seconds each until their leases
// expire; on SQS thirty, and a message that got lost is sent again within six minutes.
const timeout = 10 * 60_000

/** Waits until nothing is pending anymore, with a timeout. Returns how much is left. */
export async function settle(
  site: Site,
  { hurry, progress }: { hurry: boolean; progress: (state: string) => void },
): Promise<number> {
  const deadline = performance.now() + timeout
  if (hurry) await site.inspect(skipWaiting)
  for (let checks = 1; ; checks++) {
    site.over.signal.throwIfAborted()
    const left = site.name === 'embedded' ? await leftByCommand(site) : await site.inspect(leftInDatabase)
    if (left === 0 || performance.now() > deadline) return left
    if (checks % 5 === 0) progress(`${site.name}: ${left} not settled yet`)
    await setTimeout(site.name === 'embedded' ? 3_000 : 1_000)
  }
}

/** Makes waiting retries due now. */
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

/** Asks the server, because it would have to stop to open its embedded database, and a restart moves deliveries on. */
async function leftByCommand(site: Site): Promise<number> {
  let left = 0
  for (const { organizationId } of site.partners) {
    const list = ['delivery', 'list', '--organization', organizationId, '--limit', '10000']
    const deliveries = rowsOf(await retryCommand(site, list))
    left += deliveries.filter(
      ({ status, failureReason }) => status === 'PENDING' || failureReason === 'ENQUEUE_FAILED',
    ).length
  }
  return left
}
