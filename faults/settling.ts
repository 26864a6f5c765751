import { setTimeout } from 'node:timers/promises'
import sql from 'sql-template-tag'
import type { Database } from '../server/database/database.ts'
import { cli, type Environment } from '../test/support/process.ts'
import type { Site } from './site.ts'

// The longest way back is four receives whose workers died (30 seconds each until somebody notices, and 10 for the
// looking), after a minute until the sweep has found the record.
const patience = 5 * 60_000

/** Waits until nothing is under way any more, or for as long as that may take at most. Gives how much is left then. */
export async function settle(
  site: Site,
  { hurry, progress }: { hurry: boolean; progress: (state: string) => void },
): Promise<number> {
  const deadline = performance.now() + patience
  for (let look = 1; ; look++) {
    const left = site.name === 'embedded' ? await leftBySight(site) : await site.look(leftInDatabase)
    if (left === 0 || performance.now() > deadline) return left
    if (look % 5 === 0) progress(`${site.name}: ${left} not settled yet`)
    if (hurry) await hurryOn(site)
    await setTimeout(site.name === 'embedded' ? 3_000 : 1_000)
  }
}

async function leftInDatabase(database: Database): Promise<number> {
  const [row] = await database.query<{ count: number }>(sql`
    select count(distinct id) as count from (
      select id from deliveries where status = 'PENDING' or failure_reason = 'ENQUEUE_FAILED'
      union all
      select data ->> 'deliveryId' from pgboss.job
      where name = 'deliveries' and state in ('created', 'retry', 'active')
    ) unsettled (id)`)
  return row?.count ?? 0
}

/**
 * The embedded database belongs to its server, which must not be stopped to be asked: a start would move things on. A
 * delivery is given up a moment before its job is: both must be over.
 */
async function leftBySight({ partners, environment }: Site): Promise<number> {
  const letters = await listed(['dead-letter', 'list'], environment)
  const dead = new Set(letters.map(({ deliveryId }) => deliveryId))
  let left = 0
  for (const { organizationId } of partners) {
    const deliveries = await listed(['delivery', 'list', '--organization', organizationId], environment)
    left += deliveries.filter(
      ({ id, status, failureReason }) =>
        status === 'PENDING' ||
        failureReason === 'ENQUEUE_FAILED' ||
        (failureReason === 'RECEIVES_EXHAUSTED' && !dead.has(id)),
    ).length
  }
  return left
}

type Listed = { id: string; deliveryId?: string; status?: string; failureReason?: string | null }

async function listed(command: string[], environment: Environment): Promise<Listed[]> {
  const { data } = await cli([...command, '--limit', '10000'], environment)
  if (!Array.isArray(data)) throw new Error(`${command.join(' ')} gave no list`)
  return data
}

// Longer than any attempt takes: what is older than this has no worker any more.
const orphanedAfter = '8 seconds'

/** For those who have no time: what waits for its time-out has reached it. The embedded server does that at its start. */
async function hurryOn(site: Site): Promise<void> {
  if (site.name === 'PostgreSQL') return site.look(letTimePass)
  for (const server of site.servers) {
    await server.pause()
    await server.resume()
  }
}

async function letTimePass(database: Database): Promise<void> {
  await database.script(`
    update pgboss.job set started_on = started_on - interval '30 seconds'
    where name = 'deliveries' and state = 'active'
      and started_on between now() - interval '30 seconds' and now() - interval '${orphanedAfter}';
    update deliveries set updated_at = updated_at - interval '1 minute'
    where status = 'PENDING' and updated_at between now() - interval '1 minute' and now() - interval '${orphanedAfter}'`)
}
