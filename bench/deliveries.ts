/**
 * Measures how fast completed results are sent as events: compares the real server with a bare loop that builds, signs,
 * checks and sends the same events without a database, alternating within one run. Images are checked on upload, before
 * the clock starts, so there is a second figure with unchecked images. `--engine PostgreSQL` or `embedded` and
 * `--image "2 kB"` measure a part.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { padded, photograph } from '../support/jpeg.ts'
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
    const compared: Row[] = []
    for (const engine of enginesOf(pace)) {
      for (const size of sizes) {
        if ((pace.image ?? size.name) === size.name) compared.push(...(await compare(bench, engine, size)))
      }
    }
    return [
      {
        title: 'Deliveries beside a bare loop without a database',
        note: 'To reach: 0.7 on PostgreSQL. The bare loop judges each image. The service has done so when it was uploaded, before the clock runs; where it judges in the attempt, both do the same work.',
        rows: compared,
      },
    ]
  } finally {
    await bench.close()
  }
}

async function compare(bench: Bench, engine: Engine, size: Size): Promise<Row[]> {
  const { pace, directory, receiving } = bench
  pace.say(`deliveries with ${size.name} on ${engine}`)
  const image = join(directory, `${size.bytes}.jpg`)
  await writeFile(image, imageOf(size))
  const count = countOf(pace, engine, size)
  const load = { engine, image: readFileSync(image), count }
  const bare: Measured[] = []
  const ours: { judging: Judging; prepared: Prepared; measured: Measured[] }[] = []
  for (const judging of judgings) {
    ours.push({ judging, prepared: await prepareLoad(bench, { ...load, judging }), measured: [] })
  }
  for (let round = 0; round < roundsOf(pace, engine, size); round++) {
    bare.push(await runBare(receiving, image, count))
    for (const { prepared, measured } of ours) measured.push(await deliverAll(bench, prepared))
  }
  for (const { prepared } of ours) await forget(bench, prepared)
  return ours.map(({ judging, measured }) => ({
    engine,
    image: size.name,
    judged: judging,
    ...comparison(bare, measured),
  }))
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

async function runBare(receiving: Receiving, image: string, count: number): Promise<Measured> {
  await receiving.reset()
  const loop = spawn(process.execPath, ['bench/bare-loop.ts'], {
    env: { PATH: process.env.PATH, URL: receiving.url, CA: receiving.ca, IMAGE: image, COUNT: String(count) },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const measured = await measure(loop.pid, receiving, count)
  if (loop.exitCode === null) await once(loop, 'exit')
  return measured
}
