/** One round of the live benchmark: a version on a fresh copy of its data, under load and then one result at a time. */
import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import type { PostgresServer } from '../support/postgres.ts'
import { type Server, startServer } from './api-server.ts'
import { cpuTime, parentOf } from './cpu-time.ts'
import type { Bench } from './delivering.ts'
import { copyLiveData, engineToken, environmentOf, type LiveData, removeLiveData } from './live-data.ts'
import type { LoadGenerator, LoadReport } from './live-load.ts'
import type { Version } from './live-version.ts'
import type { Arrival } from './receiving.ts'
import { scoring } from './results.ts'
import type { StatementCounter } from './statement-count.ts'

export const clients = 32

/** How many results are reported in each part of a round. */
export type LiveCounts = { warmUp: number; measured: number; counted: number; alone: number }

export type LiveRound = {
  perSecond: number
  /** CPU time per event. PostgreSQL's is 0 if the database is embedded. */
  cpu: { service: number; postgres: number }
  /** From sending a result to receiving its event, on an otherwise idle service. */
  latencies: number[]
  /** Statements per result. Null if they can't be counted. */
  statements: { underLoad: number; alone: number } | null
  /** Events that arrived more than once during the measurement. */
  repeated: number
}

type Stage = {
  bench: Bench
  generator: LoadGenerator
  counter: StatementCounter | null
  version: Version
  data: LiveData
  image: Buffer
  processes: number
  counts: LiveCounts
}

// Recording the last events counts, too, and so does deferred work.
const settlingMilliseconds = 1_000

export async function runLiveRound(stage: Stage): Promise<LiveRound> {
  const { bench, counter, version, counts, processes } = stage
  const data = await copyLiveData(bench, stage.data)
  const { url } = bench.receiving
  const environment = { ...environmentOf(bench, data), PROCESSES: String(processes), RECEIVER_URL: url }
  const server = await startServer(version.script, environment, bench.directory, version)
  try {
    if (version.name !== 'bare') await allListening(server, processes)
    const interviews = data.interviews.values()
    const report = (count: number, atOnce: number) =>
      deliver({ ...stage, server }, interviews.take(count).toArray(), atOnce)

    await report(counts.warmUp, clients)
    await setTimeout(settlingMilliseconds)
    const measured = await measure(bench, server, data, () => report(counts.measured, clients))

    const count = async (results: number, work: () => Promise<unknown>) => {
      if (data.url === null || counter === null) return work().then(() => Number.NaN)
      return (await counter.count(data.url, work)) / results
    }
    const underLoad = await count(counts.counted, async () => {
      await report(counts.counted, clients)
      await setTimeout(settlingMilliseconds)
    })
    const latencies: number[] = []
    const alone = await count(counts.alone, async () => {
      for (let index = 0; index < counts.alone; index++) latencies.push(await reportAlone(() => report(1, 1)))
    })
    return { ...measured, latencies, statements: Number.isNaN(underLoad) ? null : { underLoad, alone } }
  } finally {
    await server.stop()
    await removeLiveData(bench, data)
  }
}

/** The first process that listens would get every connection of the warm-up, and the others would be measured cold. */
async function allListening(server: Server, processes: number): Promise<void> {
  const deadline = performance.now() + 60_000
  while ((await server.output()).split('"msg":"listening on ').length <= processes) {
    if (performance.now() > deadline) throw new Error(`Fewer than ${processes} processes listen`)
    await setTimeout(50)
  }
}

type Delivered = LoadReport & { arrivals: Arrival[] }

/** Reports the results of these interviews and waits for all their events. */
async function deliver(
  { bench: { receiving }, generator, server, image }: Stage & { server: Server },
  interviews: string[],
  clients: number,
): Promise<Delivered> {
  await receiving.reset()
  const result = JSON.stringify({ scoring })
  const reported = await generator.run({ url: server.url, engineToken, image, result, interviews, clients })
  await receiving.until(interviews.length)
  const arrivals = await receiving.arrivals()
  const arrived = new Set(arrivals.map(({ resultId }) => resultId))
  const missing = reported.reports.filter(({ resultId }) => !arrived.has(resultId))
  if (missing.length > 0) throw new Error(`${missing.length} of ${interviews.length} events did not arrive`)
  if (arrivals.some(({ bytes }) => bytes < (image.length * 4) / 3))
    throw new Error('An event arrived without its image')
  return { ...reported, arrivals }
}

async function measure(
  { postgres }: Bench,
  { pid = 0 }: Server,
  { url }: LiveData,
  work: () => Promise<Delivered>,
): Promise<Pick<LiveRound, 'perSecond' | 'cpu' | 'repeated'>> {
  const postmaster = url === null ? null : await postmasterOf(postgres)
  const usage = () => ({ service: cpuTime(pid), postgres: postmaster === null ? 0 : cpuTime(postmaster) })
  const before = usage()
  const { startedAt, arrivals } = await work()
  await setTimeout(settlingMilliseconds)
  const after = usage()
  const count = arrivals.length
  const lastAt = Math.max(...arrivals.map(({ at }) => at))
  return {
    perSecond: (count / (lastAt - startedAt)) * 1000,
    cpu: {
      service: (after.service - before.service) / count,
      postgres: (after.postgres - before.postgres) / count,
    },
    repeated: arrivals.filter(({ times }) => times > 1).length,
  }
}

/** PostgreSQL's main process, the parent of its connection processes. */
async function postmasterOf({ url }: PostgresServer): Promise<number> {
  const client = new Client(url)
  try {
    await client.connect()
    const { rows } = await client.query('select pg_backend_pid() as pid')
    return parentOf(rows[0].pid)
  } finally {
    await client.end()
  }
}

async function reportAlone(report: () => Promise<Delivered>): Promise<number> {
  const { reports, arrivals } = await report()
  // Wait until the last one is recorded, too.
  await setTimeout(50)
  return (arrivals[0]?.at ?? Number.NaN) - (reports[0]?.sentAt ?? Number.NaN)
}
