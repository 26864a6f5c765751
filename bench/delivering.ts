/** Prepares and measures one run of the server, or of anything else that sends events. */
import { readFileSync, rmSync } from 'node:fs'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Database, openPostgres } from '../server/database/database.ts'
import { openEmbedded } from '../server/database/embedded.ts'
import { migrate } from '../server/database/migrate.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { startServer } from './api-server.ts'
import { atExit } from './at-exit.ts'
import type { Pace } from './pace.ts'
import { type Receiving, startReceiving } from './receiving.ts'
import { completeAll, prepareInterviews, secretsKey } from './results.ts'

const engineToken = 'bench-'.repeat(8)

const engines = ['PostgreSQL', 'embedded'] as const
export type Engine = (typeof engines)[number]

export function enginesOf({ engine }: Pace): Engine[] {
  return engines.filter((one) => (engine ?? one) === one)
}

export const judgings = ['at upload', 'in the attempt'] as const
export type Judging = (typeof judgings)[number]

export type Measured = { perSecond: number; cpuMilliseconds: number; peakMegabytes: number }

export type Bench = {
  pace: Pace
  directory: string
  receiving: Receiving
  postgres: PostgresServer
  close(): Promise<void>
}

export async function openBench(pace: Pace): Promise<Bench> {
  const directory = await mkdtemp(join(tmpdir(), 'bench-deliveries-'))
  atExit(() => rmSync(directory, { recursive: true, force: true, maxRetries: 20 }))
  const receiving = await startReceiving()
  await writeFile(join(directory, 'ca.pem'), receiving.ca)
  const postgres = await startPostgres({ durable: true })
  return {
    pace,
    directory,
    receiving,
    postgres,
    async close() {
      await postgres.close()
      receiving.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** A database with `count` completed interviews, their results reported and their jobs queued. */
export type Prepared = { engine: Engine; count: number; url: string | null; data: string }

type Load = { engine: Engine; image: Buffer; judging: Judging; count: number }

/** Copied for every round, because reporting this many results takes longer than delivering them. */
export async function prepareLoad({ directory, receiving, postgres }: Bench, load: Load): Promise<Prepared> {
  const { engine, image, judging, count } = load
  const data = await mkdtemp(join(directory, 'data-'))
  const url = engine === 'PostgreSQL' ? await postgres.createDatabase() : null
  const database = url ? openPostgres({ url, connections: 10 }) : await openEmbedded(join(data, 'database'))
  await withSchema(database, async () => {
    const judged = judging === 'at upload'
    const ids = await prepareInterviews(database, { url: receiving.url, image, judged, count })
    await completeAll(database, ids)
    // Otherwise PostgreSQL would do it in the background during the measurement.
    await database.script('vacuum analyze')
  })
  return { engine, count, url, data }
}

async function copyOf({ directory, postgres }: Bench, prepared: Prepared): Promise<Prepared> {
  const data = await mkdtemp(join(directory, 'data-'))
  await cp(prepared.data, data, { recursive: true })
  return { ...prepared, data, url: prepared.url && (await postgres.copyDatabase(prepared.url)) }
}

export async function forget({ postgres }: Bench, { url, data }: Prepared): Promise<void> {
  if (url) await postgres.dropDatabase(url)
  await rm(data, { recursive: true, force: true })
}

/** Starts the server on a copy and waits for the events. */
export async function deliverAll(
  bench: Bench,
  prepared: Prepared,
  environment: Record<string, string> = {},
): Promise<Measured> {
  const { directory, receiving } = bench
  const copy = await copyOf(bench, prepared)
  await receiving.reset()
  const wanted = { ...environmentOf(directory, copy.url, copy.data), ...environment }
  const server = await startServer('server/main.ts', wanted, directory)
  const measured = await measure(server.pid, receiving, prepared.count)
  await server.stop()
  await forget(bench, copy)
  return measured
}

async function withSchema(database: Database, work: () => Promise<void>): Promise<void> {
  await migrate(database)
  await work()
  await database.close()
}

function environmentOf(directory: string, url: string | null, data: string): Record<string, string> {
  return {
    ...(url ? { DATABASE_URL: url } : { DATA_DIR: data }),
    ENGINE_TOKEN: engineToken,
    SECRETS_KEY: secretsKey.toString('base64'),
    DESTINATION_ALLOW_CIDRS: '127.0.0.0/8',
    DESTINATION_CA_FILE: join(directory, 'ca.pem'),
  }
}

/** Excludes startup: measuring begins when a fifth of the events has arrived. */
export async function measure(pid: number | undefined, receiving: Receiving, count: number): Promise<Measured> {
  const skipped = Math.ceil(count / 5)
  const from = await receiving.until(skipped)
  const before = usage(pid)
  const sampled = performance.now()
  let after = before
  let arrived = from
  while (arrived < count && performance.now() - sampled < 300_000) {
    after = usage(pid) ?? after
    // Rarely, because polling takes CPU time from what is measured.
    await setTimeout(50)
    arrived = await receiving.until(arrived)
  }
  if (arrived < count) throw new Error(`Only ${arrived} of ${count} events arrived`)
  const arrivals = await receiving.arrivals()
  const span = (arrivals.at(-1)?.at ?? 0) - (arrivals[skipped]?.at ?? 0)
  return {
    perSecond: ((arrivals.length - skipped - 1) / span) * 1000,
    cpuMilliseconds: ((after?.cpu ?? 0) - (before?.cpu ?? 0)) / Math.max(1, arrived - from),
    peakMegabytes: after?.peak ?? Number.NaN,
  }
}

/** CPU time in milliseconds and peak memory so far, on Linux only. */
function usage(pid: number | undefined): { cpu: number; peak: number } | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const ticks = Number(fields[11]) + Number(fields[12])
    return { cpu: ticks * 10, peak: Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024 }
  } catch {
    return null
  }
}
