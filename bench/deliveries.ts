/**
 * Measures how fast completed results are sent as events: compares the real server with a bare loop that builds, signs,
 * checks and sends the same events without a database, and with one that takes them from the same PostgreSQL, alternating
 * within one run. Images are checked on upload, before the clock starts, so there is a second figure with unchecked images.
 * `--engine PostgreSQL` or `embedded` and `--image "2 kB"` measure a part.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openPostgres } from '../server/database/database.ts'
import { padded, photograph } from '../support/jpeg.ts'
import { prepareBareQueue } from './bare-queue.ts'
import {
  type Bench,
  deliverAll,
  type Engine,
  enginesOf,
  forget,
  type Judging,
  judgings,
  type Measured,
  measure,
  openBench,
  type Prepared,
  prepareLoad,
} from './delivering.ts'
import { type Pace, printAlone } from './pace.ts'
import type { Receiving } from './receiving.ts'
import { median, type Row, rounded, type Table } from './table.ts'

export const sizes = [
  { name: '2 kB', bytes: 2_000, width: 64, height: 64, grain: 8, count: 20_000 },
  { name: '30 kB', bytes: 30_000, width: 320, height: 240, grain: 60, count: 1_000 },
  { name: '100 kB', bytes: 100_000, width: 640, height: 480, grain: 70, count: 400 },
  { name: '750 kB', bytes: 750_000, width: 1600, height: 1200, grain: 90, count: 150 },
]
type Size = (typeof sizes)[number]

if (import.meta.main) await printAlone(measureDeliveries)

export async function measureDeliveries(pace: Pace): Promise<Table[]> {
  const bench = await openBench(pace)
  try {
    const beside: Record<Bare, Row[]> = { alone: [], queue: [] }
    for (const engine of enginesOf(pace)) {
      for (const size of sizes) {
        if ((pace.image ?? size.name) !== size.name) continue
        const rows = await compare(bench, engine, size)
        beside.alone.push(...rows.alone)
        beside.queue.push(...rows.queue)
      }
    }
    return [
      {
        title: 'Deliveries beside a bare loop without a database',
        note: 'To reach with 2 kB on PostgreSQL: 0.9 judged at upload, 0.75 in the attempt. The bare loop judges each image. The service has done so when it was uploaded, before the clock runs; where it judges in the attempt, both do the same work.',
        rows: beside.alone,
      },
      {
        title: 'Deliveries beside a bare loop with a database',
        note: 'The bare loop claims and settles in batches on the same PostgreSQL, and judges images when the service does.',
        rows: beside.queue,
      },
    ]
  } finally {
    await bench.close()
  }
}

/** A loop without a database, or one that takes its events from a queue in PostgreSQL. */
type Bare = 'alone' | 'queue'

type Compared = {
  judging: Judging
  prepared: Prepared
  ours: Measured[]
  queue: Measured[]
}

async function compare(bench: Bench, engine: Engine, size: Size): Promise<Record<Bare, Row[]>> {
  const { pace, directory, receiving } = bench
  pace.say(`deliveries with ${size.name} on ${engine}`)
  const file = join(directory, `${size.bytes}.jpg`)
  await writeFile(file, imageOf(size))
  const image = readFileSync(file)
  const count = countOf(pace, engine, size)
  const queue = engine === 'PostgreSQL' ? await prepareQueue(bench, image, count) : null
  const alone: Measured[] = []
  const compared: Compared[] = []
  for (const judging of judgings) {
    const prepared = await prepareLoad(bench, { engine, image, judging, count })
    compared.push({ judging, prepared, ours: [], queue: [] })
  }
  for (let round = 0; round < roundsOf(pace, engine, size); round++) {
    alone.push(await runBare(receiving, count, 'bench/bare-loop.ts', { IMAGE: file, COUNT: String(count) }))
    for (const { judging, prepared, ...measured } of compared) {
      measured.ours.push(await deliverAll(bench, prepared))
      if (queue !== null) measured.queue.push(await runQueue(bench, queue, judging, count))
    }
  }
  for (const { prepared } of compared) await forget(bench, prepared)
  if (queue !== null) await bench.postgres.dropDatabase(queue)
  const row = ({ judging, ours }: Compared, bare: Measured[]) => ({
    engine,
    image: size.name,
    judged: judging,
    ...comparison(bare, ours),
  })
  return {
    alone: compared.map((one) => row(one, alone)),
    queue: queue === null ? [] : compared.map((one) => row(one, one.queue)),
  }
}

/** Enough to warm up. The embedded database is much slower. */
function countOf({ quick }: Pace, engine: Engine, size: Size): number {
  const count = engine === 'PostgreSQL' ? size.count : Math.min(size.count, 8_000)
  return quick ? Math.ceil(count / 5) : count
}

/** Rounds with the smallest images are the shortest, so other load on the machine affects them most. */
function roundsOf({ quick }: Pace, engine: Engine, { bytes }: Size): number {
  if (quick) return 1
  return engine === 'PostgreSQL' && bytes < 10_000 ? 9 : 3
}

function comparison(bare: Measured[], ours: Measured[]): Row {
  const ratios = ours.map(({ perSecond }, round) => perSecond / (bare[round]?.perSecond ?? Number.NaN))
  const rate = (all: Measured[]) => Math.round(median(all.map(({ perSecond }) => perSecond)))
  const cpu = (all: Measured[]) => rounded(median(all.map(({ cpuMilliseconds }) => cpuMilliseconds)))
  return {
    'bare events/s': rate(bare),
    'ours events/s': rate(ours),
    ratio: rounded(median(ratios)),
    'bare CPU ms per event': cpu(bare),
    'ours CPU ms per event': cpu(ours),
    'peak MB': Math.round(Math.max(...ours.map(({ peakMegabytes }) => peakMegabytes))),
  }
}

export function imageOf({ bytes, width, height, grain }: Size): Buffer {
  const smaller = Array.from({ length: 19 }, (_, step) => photograph({ width, height, grain, quality: 95 - step * 5 }))
  const drawn = smaller.find((jpeg) => jpeg.length <= bytes)
  if (!drawn) throw new Error(`No picture of ${width} × ${height} fits into ${bytes} bytes`)
  return padded(drawn, bytes)
}

/** The URL of a database with bare tables. */
async function prepareQueue({ postgres }: Bench, image: Buffer, count: number): Promise<string> {
  const url = await postgres.createDatabase()
  const database = openPostgres({ url, connections: 1 })
  await prepareBareQueue(database, image, count)
  await database.close()
  return url
}

async function runQueue(
  { postgres, receiving }: Bench,
  url: string,
  judging: Judging,
  count: number,
): Promise<Measured> {
  const copy = await postgres.copyDatabase(url)
  const judge = judging === 'in the attempt' ? { JUDGE: '1' } : {}
  const measured = await runBare(receiving, count, 'bench/bare-worker.ts', { DATABASE_URL: copy, ...judge })
  await postgres.dropDatabase(copy)
  return measured
}

async function runBare(
  receiving: Receiving,
  count: number,
  script: string,
  environment: Record<string, string>,
): Promise<Measured> {
  await receiving.reset()
  const loop = spawn(process.execPath, [script], {
    env: { PATH: process.env.PATH, URL: receiving.url, CA: receiving.ca, ...environment },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const exited = once(loop, 'exit')
  const measured = await measure(loop.pid, receiving, count)
  loop.kill()
  await exited
  return measured
}
