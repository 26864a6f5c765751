/**
 * Measures what a second process gains on this machine, on PostgreSQL: the same server with PROCESSES=1 and 2. The load
 * generator, the receiver and PostgreSQL need CPUs, too, so with few of them the gain is small.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../support/postgres.ts'
import { preparePostgres } from './api-data.ts'
import { startServer } from './api-server.ts'
import { imageOf, sizes } from './deliveries.ts'
import { deliverAll, openBench, prepareLoad } from './delivering.ts'
import { openCaller, requestsPerSecond } from './load.ts'
import { type Pace, printAlone } from './pace.ts'
import { median, type Row, rounded, type Table } from './table.ts'

if (import.meta.main) await printAlone(measureScaling)

export async function measureScaling(pace: Pace): Promise<Table[]> {
  const rows = [...(await scaleApi(pace)), await scaleDeliveries(pace)]
  const cores = availableParallelism()
  const short = `This machine has ${cores}: there is no room for a second process, and the figures show only what it costs.`
  const note = `To reach: 1.6, where two processes, PostgreSQL, the load and the receiver have a core each. ${cores < 5 ? short : ''}`
  return [{ title: 'A second process on the same machine', note: note.trim(), rows }]
}

type Rates = { one: number; two: number }

function rowOf(work: string, rates: Rates[]): Row {
  return {
    work,
    'one process, per second': Math.round(median(rates.map(({ one }) => one))),
    'two processes, per second': Math.round(median(rates.map(({ two }) => two))),
    'two to one': rounded(median(rates.map(({ one, two }) => two / one))),
  }
}

async function scaleApi(pace: Pace): Promise<Row[]> {
  pace.say('scaling of the API')
  const { rounds, turn, warmUp } = pace.quick
    ? { rounds: 3, turn: 300, warmUp: 1_000 }
    : { rounds: 21, turn: 500, warmUp: 4_000 }
  const directory = await mkdtemp(join(tmpdir(), 'bench-scaling-'))
  const postgres = await startPostgres()
  try {
    const prepared = await preparePostgres(await postgres.createDatabase())
    const start = async (processes: number) => {
      const environment = { ...prepared.ours, PROCESSES: String(processes), ROLES: 'api', LOG_LEVEL: 'warn' }
      const server = await startServer('server/main.ts', environment, directory)
      return { server, callers: Array.from({ length: 64 }, () => openCaller(server.url, prepared.takeKey)) }
    }
    const [one, two] = [await start(1), await start(2)]
    const rows: Row[] = []
    try {
      for (const [name, call] of Object.entries(prepared.calls)) {
        for (const { callers } of [one, two]) await requestsPerSecond(callers, call, warmUp)
        const rates: Rates[] = []
        for (let round = 0; round < rounds; round++) {
          const first = await requestsPerSecond((round % 2 === 0 ? one : two).callers, call, turn)
          const second = await requestsPerSecond((round % 2 === 0 ? two : one).callers, call, turn)
          rates.push(round % 2 === 0 ? { one: first, two: second } : { one: second, two: first })
        }
        rows.push(rowOf(name, rates))
      }
    } finally {
      await one.server.stop()
      await two.server.stop()
    }
    return rows
  } finally {
    await postgres.close()
    await rm(directory, { recursive: true })
  }
}

async function scaleDeliveries(pace: Pace): Promise<Row> {
  pace.say('scaling of deliveries')
  const [size] = sizes
  if (!size) throw new Error('There is no size')
  const count = pace.quick ? size.count / 5 : size.count
  const bench = await openBench(pace)
  try {
    const image = imageOf(size)
    const prepared = await prepareLoad(bench, { engine: 'PostgreSQL', image, judging: 'at upload', count })
    const run = async (processes: number) =>
      (await deliverAll(bench, prepared, { PROCESSES: String(processes) })).perSecond
    const rates: Rates[] = []
    for (let round = 0; round < (pace.quick ? 1 : 5); round++) rates.push({ one: await run(1), two: await run(2) })
    return rowOf(`deliveries with ${size.name}`, rates)
  } finally {
    await bench.close()
  }
}
