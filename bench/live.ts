/**
 * Results reported over HTTP by many at once, and their events received meanwhile: what a server does all day. Beside it,
 * in the same run, the same server with all results reported before it starts, which is how fast it makes up for an outage.
 */
import { startServer } from './api-server.ts'
import { imageOf, sizes } from './deliveries.ts'
import {
  type Bench,
  copyOf,
  deliverAll,
  type Engine,
  enginesOf,
  engineToken,
  environmentOf,
  forget,
  type Measured,
  measure,
  openBench,
  type Prepared,
  prepareLoad,
} from './delivering.ts'
import { type Pace, printAlone } from './pace.ts'
import { scoring } from './results.ts'
import { median, type Row, rounded, type Table } from './table.ts'

const reporters = 32

if (import.meta.main) await printAlone(measureLive)

export async function measureLive(pace: Pace): Promise<Table[]> {
  const bench = await openBench(pace)
  try {
    const rows: Row[] = []
    for (const engine of enginesOf(pace)) rows.push(await compare(bench, engine))
    const note = `${reporters} report at once, images of ${sizes[0]?.name}. Load, receiver and PostgreSQL run on the same machine.`
    return [{ title: 'Results reported and received at the same time', note, rows }]
  } finally {
    await bench.close()
  }
}

async function compare(bench: Bench, engine: Engine): Promise<Row> {
  const { pace } = bench
  pace.say(`results reported and received on ${engine}`)
  const [size] = sizes
  if (!size) throw new Error('There is no size')
  const load = { engine, image: imageOf(size), judging: 'at upload', count: pace.quick ? 2_000 : 10_000 } as const
  const backlog = await prepareLoad(bench, load)
  // Those that are reported before warm the server up, and the tables are not empty when it makes its plans.
  const live = await prepareLoad(bench, { ...load, reported: load.count / 5 })
  const measured: { live: Measured; backlog: Measured }[] = []
  for (let round = 0; round < (pace.quick ? 1 : 3); round++) {
    measured.push({ backlog: await deliverAll(bench, backlog), live: await reportAll(bench, live) })
  }
  for (const prepared of [backlog, live]) await forget(bench, prepared)
  const of = (take: (one: (typeof measured)[number]) => number) => median(measured.map(take))
  return {
    engine,
    'reported and received/s': Math.round(of(({ live }) => live.perSecond)),
    'received/s from a backlog': Math.round(of(({ backlog }) => backlog.perSecond)),
    ratio: rounded(of(({ live, backlog }) => live.perSecond / backlog.perSecond)),
    'CPU ms per result': rounded(of(({ live }) => live.cpuMilliseconds)),
    'from a backlog': rounded(of(({ backlog }) => backlog.cpuMilliseconds)),
  }
}

async function reportAll(bench: Bench, prepared: Prepared): Promise<Measured> {
  const { directory, receiving } = bench
  const copy = await copyOf(bench, prepared)
  await receiving.reset()
  const server = await startServer('server/main.ts', environmentOf(directory, copy.url, copy.data), directory)
  const waiting = [...prepared.unreported]
  await receiving.until(prepared.count - waiting.length)
  const report = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      const response = await fetch(`${server.url}/internal/v1/interviews/${id}/result`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${engineToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({ scoring }),
      })
      await response.arrayBuffer()
      if (response.status !== 201) throw new Error(`A result was answered with ${response.status}`)
    }
  }
  const reported = Promise.all(Array.from({ length: reporters }, report))
  const [measured] = await Promise.all([measure(server.pid, receiving, prepared.count), reported])
  await server.stop()
  await forget(bench, copy)
  return measured
}
