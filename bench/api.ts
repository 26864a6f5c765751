/**
 * Measures the overhead of the service: compares the request rate of the real server with that of a bare node:http server
 * that runs the same statements through the same driver. On both databases, alternating within one run.
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
const thorough = { rounds: 41, starts: 3, warmUpMilliseconds: 4_000 }
const quick = { rounds: 5, starts: 1, warmUpMilliseconds: 1_000 }
type Effort = typeof thorough

type Rates = { bare: number; ours: number }

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
    return [{ title: 'The API beside a bare server with the same statements', note: 'To reach: 0.8.', rows }]
  } finally {
    await postgres.close()
    await rm(directory, { recursive: true })
  }
}

async function compare(engine: string, prepared: Prepared, effort: Effort, directory: string): Promise<Row[]> {
  const routes = Object.entries(prepared.calls).map(([name, call]) => ({ name, call, rates: [] as Rates[] }))
  for (let start = 0; start < effort.starts; start++) {
    const bare = await startServer('bench/bare-server.ts', prepared.bare, directory)
    const ours = await startServer('server/main.ts', prepared.ours, directory)
    const callersOf = ({ url }: Server) => Array.from({ length: connections }, () => openCaller(url, prepared.takeKey))
    const match = { bare: callersOf(bare), ours: callersOf(ours) }
    try {
      for (const { call, rates } of routes) rates.push(...(await takeTurns(match, call, effort)))
    } finally {
      await bare.stop()
      await ours.stop()
    }
  }
  return routes.map(({ name, rates }) => ({
    engine,
    route: name,
    'bare requests/s': Math.round(median(rates.map((round) => round.bare))),
    'ours requests/s': Math.round(median(rates.map((round) => round.ours))),
    ratio: rounded(median(rates.map((round) => round.ours / round.bare))),
  }))
}

type Match = { bare: Caller[]; ours: Caller[] }

async function takeTurns(match: Match, call: Call, { rounds, warmUpMilliseconds }: Effort): Promise<Rates[]> {
  const answers = await Promise.all([...match.bare, ...match.ours].map((caller) => caller(call)))
  const [first, ...others] = answers.map((text): unknown => JSON.parse(text))
  if (others.some((other) => !isDeepStrictEqual(other, first))) throw new Error('The responses differ')

  await requestsPerSecond(match.bare, call, warmUpMilliseconds)
  await requestsPerSecond(match.ours, call, warmUpMilliseconds)

  const rates: Rates[] = []
  for (let round = 0; round < rounds; round++) {
    const rate = { bare: 0, ours: 0 }
    // The first one affects the second, so they swap every round.
    const order = round % 2 === 0 ? (['bare', 'ours'] as const) : (['ours', 'bare'] as const)
    for (const name of order) rate[name] = await requestsPerSecond(match[name], call, turnMilliseconds)
    rates.push(rate)
  }
  return rates
}
