/**
 * Measures what clients notice of crashes: a single process gets `kill -9` two seconds after each start and is restarted
 * immediately, under a hundred requests a second. `--against` compares with an older version.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { startPostgres } from '../support/postgres.ts'
import type { Environment } from './api-data.ts'
import { freePort, type Server, startServer } from './api-server.ts'
import { atExit } from './at-exit.ts'
import { cpuTime } from './cpu-time.ts'
import { type Version, versionsOf } from './live-version.ts'
import { type Pace, printAlone } from './pace.ts'
import { median, type Row, rounded, type Table } from './table.ts'

const secondsBetweenKills = 2
const requestEvery = 10
const patience = 5_000
const engineToken = 'bench-'.repeat(8)

if (import.meta.main) await printAlone(measureCrash)

export async function measureCrash(pace: Pace): Promise<Table[]> {
  const kills = pace.quick ? 3 : 10
  const directory = await mkdtemp(join(tmpdir(), 'bench-crash-'))
  const postgres = await startPostgres({ durable: true })
  const starts: Row[] = []
  const crashes: Row[] = []
  try {
    for (const version of await versionsOf(pace.live)) {
      for (const engine of ['PostgreSQL', 'embedded'] as const) {
        pace.say(`crash: ${version.name} on ${engine}`)
        const data = await mkdtemp(join(directory, 'data-'))
        const store: Environment =
          engine === 'embedded' ? { DATA_DIR: data } : { DATABASE_URL: await postgres.createDatabase() }
        const secrets = { ENGINE_TOKEN: engineToken, SECRETS_KEY: Buffer.alloc(32).toString('base64') }
        const environment = { ...store, ...secrets }
        starts.push({ engine, version: version.name, ...(await measureStarts(version, environment, directory)) })
        crashes.push({ engine, version: version.name, ...(await killAgainAndAgain(version, environment, kills)) })
      }
    }
  } finally {
    await postgres.close()
    await rm(directory, { recursive: true, force: true, maxRetries: 20 })
  }
  return [
    {
      title: 'From the start of a process until it is ready',
      note: 'Median of five starts on a database that is there, without a compile cache. Memory is that of the idle process two seconds later.',
      rows: starts,
    },
    {
      title: `One process killed ${kills} times under load and started again at once`,
      note: `Killed ${secondsBetweenKills} s after each start; 100 requests a second, each of which looks for an invitation in the database. Answered is what got any answer but a 5xx within 5 s; what was refused, reset or late is not.`,
      rows: crashes,
    },
  ]
}

async function measureStarts(version: Version, environment: Environment, directory: string): Promise<Row> {
  const start = () => startServer(version.script, environment, directory, version)
  await (await start()).stop()
  const figures: { cpu: number; milliseconds: number; megabytes: number }[] = []
  for (let round = 0; round < 5; round++) {
    const from = performance.now()
    const server = await start()
    figures.push({ milliseconds: performance.now() - from, ...(await costOf(server)) })
    await server.stop()
  }
  return {
    'CPU s': rounded(median(figures.map(({ cpu }) => cpu)) / 1000),
    seconds: rounded(median(figures.map(({ milliseconds }) => milliseconds)) / 1000),
    'idle MB': Math.round(median(figures.map(({ megabytes }) => megabytes))),
  }
}

async function costOf({ pid = 0 }: Server): Promise<{ cpu: number; megabytes: number }> {
  const cpu = cpuTime(pid)
  await setTimeout(2_000)
  return { cpu, megabytes: residentMegabytes(pid) }
}

function residentMegabytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

async function killAgainAndAgain(version: Version, environment: Environment, kills: number): Promise<Row> {
  const port = await freePort()
  const start = () => {
    const env = { PATH: process.env.PATH, NODE_ENV: 'production', PORT: String(port), ...environment }
    return spawn(version.node, [version.script], { cwd: version.directory, env, stdio: 'ignore' })
  }
  let server: ChildProcess = start()
  const emergency = atExit(() => server.kill('SIGKILL'))
  while (!(await isServed(port))) await setTimeout(100)

  const load = startLoad(port)
  for (let kill = 0; kill < kills; kill++) {
    await setTimeout(secondsBetweenKills * 1000)
    server.kill('SIGKILL')
    await once(server, 'exit')
    server = start()
  }
  await setTimeout(secondsBetweenKills * 1000)
  const answers = await load.stop()
  server.kill('SIGKILL')
  await once(server, 'exit')
  emergency.cancel()
  const answered = answers.filter(Boolean).length
  return { requests: answers.length, answered, 'of 100': rounded((100 * answered) / answers.length, 1) }
}

/** Sends at a constant rate, whether or not earlier requests have completed. */
function startLoad(port: number): { stop(): Promise<boolean[]> } {
  const requests: Promise<boolean>[] = []
  const timer = setInterval(() => requests.push(isServed(port)), requestEvery)
  return {
    stop() {
      clearInterval(timer)
      return Promise.all(requests)
    },
  }
}

async function isServed(port: number): Promise<boolean> {
  const headers = { authorization: `Bearer ${engineToken}` }
  const signal = AbortSignal.timeout(patience)
  return fetch(`http://127.0.0.1:${port}/internal/v1/invitations/unknown`, { headers, signal }).then(
    async (response) => {
      await response.arrayBuffer()
      return response.status < 500
    },
    () => false,
  )
}
