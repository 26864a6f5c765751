/**
 * Checks that nothing slows down as the deliveries table grows, on PostgreSQL: the same operations on a small table and on
 * large ones, alternating within one run. `--full` adds ten million deliveries, which takes most of an hour and about
 * 25 GB of disk.
 */
import { openPostgres } from '../server/database/database.ts'
import { migrate } from '../server/database/migrate.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { openScene, type Scene } from './growth-scene.ts'
import { type Pace, printAlone } from './pace.ts'
import { median, type Row, rounded, type Table } from './table.ts'

if (import.meta.main) await printAlone(measureGrowth)

export async function measureGrowth(pace: Pace): Promise<Table[]> {
  const counts = pace.quick ? [2_000, 20_000] : [10_000, 1_000_000, ...(pace.full ? [10_000_000] : [])]
  const rounds = pace.quick ? 5 : 61
  const postgres = await startPostgres()
  await giveMemory(postgres)
  const scenes: Scene[] = []
  try {
    for (const count of counts) scenes.push(await fill(postgres, count, rounds, pace))
    pace.say('growth: measuring')
    const times = await takeTurns(scenes, rounds)
    const note = 'To reach: 0.9 of the speed with the smallest table.'
    return [{ title: 'The same work with more deliveries in the table', note, rows: rowsOf(times, counts) }]
  } finally {
    for (const scene of scenes) await scene.close()
    await postgres.close()
  }
}

/** A typical setting for tables of this size. The default is for small ones. */
async function giveMemory(postgres: PostgresServer): Promise<void> {
  const database = openPostgres({ url: postgres.url, connections: 1 })
  await database.script("alter system set shared_buffers = '2GB'")
  await database.close()
  await postgres.stop()
  await postgres.start()
}

async function fill(postgres: PostgresServer, count: number, rounds: number, pace: Pace): Promise<Scene> {
  const started = performance.now()
  // The statements that fill it exceed the service's time limit.
  const database = openPostgres({ url: await postgres.createDatabase(), connections: 10, unlimited: true })
  await migrate(database)
  const scene = await openScene(database, { count, rounds })
  const seconds = ((performance.now() - started) / 1000).toFixed(0)
  pace.say(`growth: filled with ${count.toLocaleString('en')} deliveries in ${seconds} s`)
  return scene
}

/** The milliseconds each operation took, by round, in each scene. */
type Times = Map<string, number[][]>

async function takeTurns(scenes: Scene[], rounds: number): Promise<Times> {
  const times: Times = new Map()
  const steps = scenes[0]?.steps.length ?? 0
  // The first round warms the caches.
  for (let round = -1; round < rounds; round++) {
    const order = round % 2 === 0 ? [...scenes.keys()] : [...scenes.keys()].toReversed()
    // Compare operations that ran close together: a machine can be half as fast a second later.
    for (let step = 0; step < steps; step++) {
      for (const index of order) {
        for (const [operation, milliseconds] of Object.entries((await scenes[index]?.steps[step]?.()) ?? {})) {
          const all = times.get(operation) ?? scenes.map(() => [])
          times.set(operation, all)
          if (round >= 0) all[index]?.push(milliseconds)
        }
      }
    }
  }
  return times
}

function rowsOf(times: Times, counts: number[]): Row[] {
  return [...times].map(([operation, [small = [], ...larger]]) => {
    const row: Row = { operation, [`${label(counts[0])}, ms`]: rounded(median(small)) }
    for (const [index, large] of larger.entries()) {
      const count = label(counts[index + 1])
      row[`${count}, ms`] = rounded(median(large))
      row[`speed at ${count}`] = rounded(median(large.map((time, round) => (small[round] ?? Number.NaN) / time)))
    }
    return row
  })
}

function label(count: number | undefined): string {
  return Number(count).toLocaleString('en')
}
