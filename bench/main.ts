/**
 * Runs all benchmarks, or those named: api, deliveries, live, backlog, settings, images, growth, scaling, crash. `--quick`
 * makes a short run, `--full` adds ten million deliveries to `growth`; the options of `live` are in live-options.ts. Every
 * ratio is between figures of the same run. The tables are printed and saved in results.json and results.md next to this
 * file; those of a quick or partial run are only printed.
 */
import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { measureApi } from './api.ts'
import { measureBacklog } from './backlog.ts'
import { measureCrash } from './crash.ts'
import { measureDeliveries } from './deliveries.ts'
import { measureGrowth } from './growth.ts'
import { measureImages } from './images.ts'
import { measureLive } from './live.ts'
import { describeMachine, type Machine } from './machine.ts'
import { type Pace, readPace } from './pace.ts'
import { measureScaling } from './scaling.ts'
import { measureSettings } from './settings.ts'
import { markdown, type Table } from './table.ts'

const benchmarks: Record<string, (pace: Pace) => Promise<Table[]>> = {
  api: measureApi,
  deliveries: measureDeliveries,
  live: measureLive,
  backlog: measureBacklog,
  settings: measureSettings,
  images: measureImages,
  growth: measureGrowth,
  scaling: measureScaling,
  crash: measureCrash,
}

/** The last tables of each benchmark, when they were measured and on what. */
type Results = Record<string, { measuredAt: string; machine: Machine; tables: Table[] }>

const { pace, names } = readPace()
const unknown = names.filter((name) => !(name in benchmarks))
if (unknown.length > 0) throw new Error(`There is no benchmark ${unknown.join(', ')}: ${Object.keys(benchmarks)}`)

// What production runs.
execFileSync(process.execPath, [join(import.meta.dirname, '../ops/compile.ts')])
const machine = await describeMachine()
const results = await readResults()
for (const [name, measure] of Object.entries(benchmarks)) {
  if (names.length > 0 && !names.includes(name)) continue
  const tables = await measure(pace)
  for (const table of tables) console.log(markdown(table))
  results[name] = { measuredAt: new Date().toISOString(), machine, tables }
  if (!pace.partial) await keep(results)
}

async function readResults(): Promise<Results> {
  const text = await readFile(join(import.meta.dirname, 'results.json'), 'utf8').catch(() => '{}')
  return JSON.parse(text)
}

async function keep(results: Results): Promise<void> {
  await writeFile(join(import.meta.dirname, 'results.json'), `${JSON.stringify(results, null, 2)}\n`)
  const known = Object.keys(benchmarks).flatMap((name) => (results[name] ? [[name, results[name]] as const] : []))
  const parts = known.map(([name, { measuredAt, machine, tables }]) =>
    [`## ${name}`, '', `${measuredAt.slice(0, 10)}, ${inWords(machine)}`, '', ...tables.map(markdown)].join('\n'),
  )
  const head = '# Measured\n\nMade by `npm run bench`: every ratio is between figures of one run, on one machine.\n'
  await writeFile(join(import.meta.dirname, 'results.md'), [head, ...parts].join('\n'))
}

function inWords({ processor, cores, memoryGigabytes, system, node, postgres, pglite }: Machine): string {
  const software = `Node ${node}, PostgreSQL ${postgres}, PGlite ${pglite}, ${system}`
  return `${cores} × ${processor}, ${memoryGigabytes} GB, ${software}`
}
