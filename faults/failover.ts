/**
 * Fails over between two PostgreSQL servers under load, and checks what became of every accepted result. `--failovers 20`
 * sets how often; `--seed 42` repeats the choices of an earlier run.
 */
import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runFailovers } from './failovers.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(randomInt(1_000_000)) },
    failovers: { type: 'string', default: '20' },
    reporters: { type: 'string', default: '4' },
  },
})
const [failovers, reporters] = [Number(values.failovers), Number(values.reporters)]
if (![failovers, reporters].every(Number.isInteger)) throw new Error('--failovers and --reporters must be numbers')

const folder = await mkdtemp(join(tmpdir(), 'failover-'))
console.log(`seed ${values.seed}`)
const outcome = await runFailovers({
  seed: values.seed,
  failovers,
  reporters,
  folder,
  promoteAfterMilliseconds: [0, 3_000],
  restMilliseconds: [1_000, 4_000],
  progress: (state) => console.log(state),
})

const { findings } = outcome
const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(1)
const byWay = Map.groupBy(outcome.failovers, ({ how }) => how)
const range = (all: number[]) => {
  const sorted = all.toSorted((one, other) => one - other)
  return [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)].map((one) => seconds(one ?? 0)).join(' · ')
}
console.log(`
| the primary is | failovers | promoted after, s | served again after the promotion, s | 503 for, s |
|---|---:|---:|---:|---:|
${[...byWay]
  .map(([how, all]) => {
    const promoted = range(all.map((one) => one.promoted))
    const served = range(all.map((one) => Math.max(0, one.servedAgain - one.promoted)))
    return `| ${how} | ${all.length} | ${promoted} | ${served} | ${range(all.map(({ unserved }) => unserved))} |`
  })
  .join('\n')}

Shortest · median · longest.

| | |
|---|---:|
| failovers | ${outcome.failovers.length} |
| results accepted | ${outcome.accepted.toLocaleString('en')} |
| delivered | ${outcome.delivered.toLocaleString('en')} |
| events sent again, with the same IDs and body | ${outcome.repeated} |
| reports that got a 503 | ${outcome.failures.get('503') ?? 0} |
| reports without a response | ${outcome.failures.get('no response') ?? 0} |
| lost | ${findings.lost.length} |
| stuck | ${findings.stuck.length} |
| wrong | ${findings.wrong.length + outcome.wrong.length} |
`)
const problems = [...outcome.wrong, ...findings.lost, ...findings.stuck, ...findings.wrong]
if (problems.length === 0) {
  console.log('Passed: nothing is lost, stuck or wrong.')
  await rm(folder, { recursive: true, force: true, maxRetries: 20 })
} else {
  console.log(`${problems.slice(0, 20).join('\n')}\n\nFAILED. The logs are in ${folder}`)
  process.exitCode = 1
}
