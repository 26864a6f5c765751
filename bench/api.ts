/**
 * What the service costs on top of its own statements: requests a second of the real server beside a bare node:http
 * server that issues the very same statements through the same driver, on both databases, in turns within one run.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { startPostgres } from '../test/support/postgres.ts'
import { type Prepared, prepareEmbedded, preparePostgres } from './api-data.ts'
import { type Server, startServer } from './api-server.ts'
import { type Call, type Caller, openCaller, requestsPerSecond } from './load.ts'

const connections = 32
// Short turns, and many: whatever else the machine does meanwhile then slows both servers of a round alike.
const rounds = 41
const turnMilliseconds = 200
// The same program compiles a little better or worse each time it is started.
const starts = 3
// The embedded database is WebAssembly, which reaches its full speed only after thousands of statements.
const warmUpMilliseconds = 4_000

type Rates = { bare: number; ours: number }

const directory = await mkdtemp(join(tmpdir(), 'bench-api-'))
const postgres = await startPostgres()
try {
  process.stdout.write('| engine | route | bare req/s | ours req/s | ratio |\n|---|---|---:|---:|---:|\n')
  await compare('PostgreSQL', await preparePostgres(await postgres.createDatabase()))
  await compare('embedded', await prepareEmbedded(directory))
} finally {
  await postgres.close()
  await rm(directory, { recursive: true })
}

async function compare(engine: string, prepared: Prepared): Promise<void> {
  const routes = Object.entries(prepared.calls).map(([name, call]) => ({ name, call, rates: [] as Rates[] }))
  for (let start = 0; start < starts; start++) {
    const bare = await startServer('bench/bare-server.ts', prepared.bare, directory)
    const ours = await startServer('server/main.ts', prepared.ours, directory)
    const callersOf = ({ url }: Server) => Array.from({ length: connections }, () => openCaller(url, prepared.takeKey))
    const match = { bare: callersOf(bare), ours: callersOf(ours) }
    try {
      for (const { call, rates } of routes) rates.push(...(await takeTurns(match, call)))
    } finally {
      await bare.stop()
      await ours.stop()
    }
  }
  for (const { name, rates } of routes) {
    const bare = Math.round(median(rates.map((round) => round.bare)))
    const ours = Math.round(median(rates.map((round) => round.ours)))
    const ratio = median(rates.map((round) => round.ours / round.bare)).toFixed(2)
    process.stdout.write(`| ${engine} | ${name} | ${bare} | ${ours} | ${ratio} |\n`)
  }
}

type Match = { bare: Caller[]; ours: Caller[] }

async function takeTurns(match: Match, call: Call): Promise<Rates[]> {
  const answers = await Promise.all([...match.bare, ...match.ours].map((caller) => caller(call)))
  const [first, ...others] = answers.map((text): unknown => JSON.parse(text))
  if (others.some((other) => !isDeepStrictEqual(other, first))) throw new Error('The answers are not all the same')

  await requestsPerSecond(match.bare, call, warmUpMilliseconds)
  await requestsPerSecond(match.ours, call, warmUpMilliseconds)

  const rates: Rates[] = []
  for (let round = 0; round < rounds; round++) {
    const rate = { bare: 0, ours: 0 }
    // Whoever comes second finds the machine as the first has left it: they swap every time.
    const order = round % 2 === 0 ? (['bare', 'ours'] as const) : (['ours', 'bare'] as const)
    for (const name of order) rate[name] = await requestsPerSecond(match[name], call, turnMilliseconds)
    rates.push(rate)
  }
  return rates
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
