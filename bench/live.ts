/**
 * Measures everyday traffic: many clients keep uploading images and reporting results while the events are received.
 * `--against` alternates with an older version under the same load. See live-options.ts.
 */
import { imageOf, sizes } from './deliveries.ts'
import { type Bench, openBench } from './delivering.ts'
import { type LiveData, prepareLiveData, removeLiveData } from './live-data.ts'
import { type LoadGenerator, startLoadGenerator } from './live-load.ts'
import type { LiveDatabase } from './live-options.ts'
import { type LiveCounts, type LiveRound, runLiveRound } from './live-round.ts'
import { type LiveMeasurement, liveTables } from './live-tables.ts'
import { type Version, versionsOf } from './live-version.ts'
import { type Pace, printAlone } from './pace.ts'
import { openStatementCounter, type StatementCounter } from './statement-count.ts'
import type { Table } from './table.ts'

if (import.meta.main) await printAlone(measureLive)

export async function measureLive(pace: Pace): Promise<Table[]> {
  const versions = await versionsOf(pace.live)
  const images = pace.live.images.map(sizeOf)
  const bench = await openBench(pace)
  const generator = startLoadGenerator()
  try {
    const counter = await openStatementCounter(bench.postgres)
    const measurements: LiveMeasurement[] = []
    for (const database of pace.live.databases) {
      measurements.push(...(await measureDatabase({ bench, generator, counter, versions, images }, database)))
    }
    return liveTables(measurements, { ...pace.live, versions, counted: counter !== null })
  } finally {
    generator.close()
    await bench.close()
  }
}

type Size = (typeof sizes)[number]

function sizeOf(bytes: number): Size {
  const size = sizes.find((size) => size.bytes === bytes)
  if (!size) throw new Error(`There is no image of ${bytes} bytes: ${sizes.map(({ bytes }) => bytes).join(', ')}`)
  return size
}

type Setting = {
  bench: Bench
  generator: LoadGenerator
  counter: StatementCounter | null
  versions: Version[]
  images: Size[]
}

async function measureDatabase(setting: Setting, database: LiveDatabase): Promise<LiveMeasurement[]> {
  const { bench, versions, images } = setting
  const { organizations } = bench.pace.live
  const interviews = Math.max(...images.map((size) => sum(countsOf(bench.pace, database, size))))
  const prepared: { version: Version; data: LiveData }[] = []
  for (const version of versions) {
    bench.pace.say(`live: preparing ${interviews} interviews on ${database} for ${version.name} (${version.commit})`)
    const data = await prepareLiveData(bench, { version, database, organizations, interviews })
    prepared.push({ version, data })
  }
  const measurements: LiveMeasurement[] = []
  for (const size of images) measurements.push(...(await takeTurns(setting, database, size, prepared)))
  for (const { data } of prepared) await removeLiveData(bench, data)
  return measurements
}

async function takeTurns(
  { bench, generator, counter }: Setting,
  database: LiveDatabase,
  size: Size,
  prepared: { version: Version; data: LiveData }[],
): Promise<LiveMeasurement[]> {
  const { rounds: count, processes } = bench.pace.live
  const counts = countsOf(bench.pace, database, size)
  const turns = prepared.map((one) => ({ ...one, rounds: [] as LiveRound[] }))
  for (let round = 1; round <= count; round++) {
    for (const { version, data, rounds } of turns) {
      const stage = { bench, generator, counter, version, data, image: imageOf(size), processes, counts }
      const result = await runLiveRound(stage)
      rounds.push(result)
      bench.pace.say(progress(`${size.name} on ${database}, ${version.name}, round ${round} of ${count}`, result))
    }
  }
  return turns.map(({ version, rounds }) => ({ database, image: size.name, version, rounds }))
}

function progress(what: string, { perSecond, cpu, repeated }: LiveRound): string {
  const figures = `${perSecond.toFixed(0)} events/s, ${(cpu.service + cpu.postgres).toFixed(2)} CPU ms per event`
  return `live: ${what}: ${figures}${repeated > 0 ? `, ${repeated} events sent more than once` : ''}`
}

/** Enough for several seconds under load. Large images and the embedded database take longer. */
function countsOf({ quick, live }: Pace, database: LiveDatabase, { bytes }: Size): LiveCounts {
  const usual = (database === 'postgres' ? 3_000 : 1_500) / (bytes > 10_000 ? 3 : 1)
  const measured = quick ? usual / 5 : usual
  return {
    warmUp: Math.ceil(measured / 5),
    measured,
    counted: Math.ceil(measured / 10),
    alone: Math.ceil((quick ? 20 : 100) / live.rounds),
  }
}

function sum({ warmUp, measured, counted, alone }: LiveCounts): number {
  return warmUp + measured + counted + alone
}
