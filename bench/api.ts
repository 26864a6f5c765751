/**
 * Measures the overhead of the service: compares the request rate of the real server with that of a bare node:http server
 * that runs the same statements through the same driver, and with one that also shares them as the service does. On both
 * databases, alternating within one run.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { startPostgres } from '../support/postgres.ts'
import { type Prepared, prepareEmbedded, preparePostgres } from './api-data.ts'
import { type Server, startServer } from './api-server.ts'
import { type Call, type Caller, openCaller, requestsPerSecond } from './load.ts'
import { type Pace, printAlone } from './pace.ts'
import { median, type Row, rounded, type Table } from './table.ts'

const connections = 32
// Many short rounds, so that other load on the machine slows down both servers of a round equally.
const turnMilliseconds = 200
// The same program compiles a little better or worse on each start. The embedded database is WebAssembly, which reaches
// its full speed only after thousands of statements.
const thorough = { rounds: 42, starts: 3, warmUpMilliseconds: 4_000 }
const quick = { rounds: 6, starts: 1, warmUpMilliseconds: 1_000 }
type Effort = typeof thorough

const servers = ['bare', 'sharing', 'ours'] as const
type Name = (typeof servers)[number]
type Rates = Record<Name, number>

const note =
  'Goals, compared to the sharing server: 0.9 for GET, 0.85 for POST. The sharing server checks the keys of concurrent requests in one statement, as the service does. The bare server runs that batch statement once per request.'

if (import.meta.main) await printAlone(measureApi)

export async function measureApi(pace: Pace): Promise<Table[]> {
  const effort = pace.quick ? quick : thorough
  const directory = await mkdtemp(join(tmpdir(), 'bench-api-'))
  const postgres = await startPostgres()
  try {
    const onPostgres = await preparePostgres(await postgres.createDatabase())
    pace.say('API on PostgreSQL')
    const rows = await compare('PostgreSQL', onPostgres, effort, directory)
    pace.say('API on the embedded database')
    rows.push(...(await compare('embedded', await prepareEmbedded(directory), effort, directory)))
    return [{ title: 'The API beside a bare server with the same statements', note, rows }]
  } finally {
    await postgres.close()
    await rm(directory, { recursive: true })
  }
}

async function compare(engine: string, prepared: Prepared, effort: Effort, directory: string): Promise<Row[]> {
  const routes = Object.entries(prepared.calls).map(([name, call]) => ({ name, call, rates: [] as Rates[] }))
  for (let start = 0; start < effort.starts; start++) {
    const started = {
      bare: await startServer('bench/bare-server.ts', prepared.bare, directory),
      sharing: await startServer('bench/bare-server.ts', { ...prepared.sharing, SHARE_STATEMENTS: '1' }, directory),
      ours: await startServer('server/main.ts', prepared.ours, directory),
    }
    const callersOf = ({ url }: Server) => Array.from({ length: connections }, () => openCaller(url, prepared.takeKey))
    const match = {
      bare: callersOf(started.bare),
      sharing: callersOf(started.sharing),
      ours: callersOf(started.ours),
    }
    try {
      for (const { call, rates } of routes) rates.push(...(await takeTurns(match, call, effort)))
    } finally {
      for (const name of servers) await started[name].stop()
    }
  }
  return routes.map(({ name, rates }) => {
    const rate = (server: Name) => Math.round(median(rates.map((round) => round[server])))
    const ratio = (server: Name) => rounded(median(rates.map((round) => round.ours / round[server])))
    return {
      engine,
      route: name,
      'bare requests/s': rate('bare'),
      'sharing requests/s': rate('sharing'),
      'ours requests/s': rate('ours'),
      'to bare': ratio('bare'),
      'to sharing': ratio('sharing'),
    }
  })
}

type Match = Record<Name, Caller[]>

async function takeTurns(match: Match, call: Call, { rounds, warmUpMilliseconds }: Effort): Promise<Rates[]> {
  const answers = await Promise.all(servers.flatMap((name) => match[name]).map((caller) => caller(call)))
  const [first, ...others] = answers.map((text): unknown => JSON.parse(text))
  if (others.some((other) => !isDeepStrictEqual(other, first))) throw new Error('The responses differ')

  for (const name of servers) await requestsPerSecond(match[name], call, warmUpMilliseconds)

  const rates: Rates[] = []
  for (let round = 0; round < rounds; round++) {
    const rate = { bare: 0, sharing: 0, ours: 0 }
    // Each affects the one after it, so all orders take turns.
    const first = round % servers.length
    const rotated = [...servers.slice(first), ...servers.slice(0, first)]
    const order = round % 2 === 0 ? rotated : rotated.toReversed()
    for (const name of order) rate[name] = await requestsPerSecond(match[name], call, turnMilliseconds)
    rates.push(rate)
  }
  return rates
}
