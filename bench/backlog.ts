/**
 * Measures how long claiming jobs takes while an organization that has used up its share has few or many jobs waiting.
 * The events of all others wait for that claim. On PostgreSQL.
 */
import { openPostgres } from '../server/database/database.ts'
import { migrate } from '../server/database/migrate.ts'
import { addJobs, claimJobs } from '../server/queue/jobs.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { type Pace, printAlone } from './pace.ts'
import { median, rounded, type Table } from './table.ts'

if (import.meta.main) await printAlone(measureBacklog)

export async function measureBacklog(pace: Pace): Promise<Table[]> {
  const counts = pace.quick ? [100, 2_000] : [1_000, 100_000, 400_000]
  const postgres = await startPostgres()
  const backlogs: Backlog[] = []
  try {
    for (const count of counts) {
      pace.say(`backlog: piling up ${count.toLocaleString('en')} jobs`)
      backlogs.push(await pileUp(postgres, count))
    }
    const times = await takeTurns(backlogs, pace.quick ? 20 : 500)
    const [few = []] = times
    return [
      {
        title: 'Looking for jobs behind an organization at its share',
        rows: counts.map((waiting, index) => ({
          'jobs of it that wait': waiting,
          'a look, ms': rounded(median(times[index] ?? [])),
          'speed to the first': rounded(
            median((times[index] ?? []).map((time, round) => (few[round] ?? Number.NaN) / time)),
          ),
        })),
      },
    ]
  } finally {
    for (const { close } of backlogs) await close()
    await postgres.close()
  }
}

type Backlog = { look(): Promise<number>; close(): Promise<void> }

async function pileUp(postgres: PostgresServer, count: number): Promise<Backlog> {
  const database = openPostgres({ url: await postgres.createDatabase(), connections: 1 })
  await migrate(database)
  const organizationId = 'org_at_its_share'
  for (let piled = 0; piled < count; piled += 1_000) {
    const ids = Array.from({ length: Math.min(1_000, count - piled) }, (_, index) => `dlv_${piled + index}`)
    await addJobs(
      database,
      ids.map((deliveryId) => ({ deliveryId, organizationId, round: 1 })),
    )
  }
  const slots = { free: 64, perOrganization: 32, freeByOrganization: new Map([[organizationId, 0]]) }
  return {
    async look() {
      const started = performance.now()
      const { jobs } = await claimJobs(database, { after: '', slots, leaseSeconds: 10 })
      if (jobs.length > 0) throw new Error('The organization has not used up its share')
      return performance.now() - started
    },
    close: () => database.close(),
  }
}

async function takeTurns(backlogs: Backlog[], rounds: number): Promise<number[][]> {
  const times = backlogs.map((): number[] => [])
  // The first round warms the caches.
  for (let round = -1; round < rounds; round++) {
    for (const [index, { look }] of backlogs.entries()) {
      const milliseconds = await look()
      if (round >= 0) times[index]?.push(milliseconds)
    }
  }
  return times
}
