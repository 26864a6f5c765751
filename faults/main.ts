/**
 * Breaks everything that can break while results are reported, and checks what happened to each of them.
 * `--seed 42` repeats the choices of an earlier run; `--kills 1000` and `--minutes 30` set how long it runs; `--queue sqs`
 * puts the queue on SQS.
 */
import { randomInt } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { run } from './run.ts'
import { problemsIn, tableOf } from './table.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(randomInt(1_000_000)) },
    kills: { type: 'string', default: '60' },
    minutes: { type: 'string', default: '60' },
    queue: { type: 'string', default: 'postgres' },
  },
})
const [seed, kills, minutes] = [Number(values.seed), Number(values.kills), Number(values.minutes)]
if (![seed, kills, minutes].every(Number.isFinite)) throw new Error('--seed, --kills and --minutes must be numbers')

const { queue } = values
if (queue !== 'postgres' && queue !== 'sqs') throw new Error('--queue must be postgres or sqs')

const folder = await mkdtemp(join(tmpdir(), 'faults-'))
const startedAt = performance.now()
console.log(`seed ${seed}: npm run faults -- --seed ${seed} --kills ${kills} makes the same choices`)

const outcome = await run({
  seed,
  kills,
  minutes,
  minResults: 0,
  folder,
  servers: { api: 2, worker: 2, 'api,worker': 1 },
  processes: 2,
  queue,
  databaseRestMilliseconds: [3_000, 15_000],
  retryDelaySeconds: 1,
  hurry: false,
  progress: (state) => console.log(`${clock()}  ${state}`),
})

const table = tableOf(outcome)
console.log(`\n${table}`)
for (const missing of outcome.missing) console.log(`Skipped: ${missing}.`)
if (outcome.passed) {
  console.log(`\nPassed in ${clock()}: nothing is stuck, lost or wrong.`)
  await rm(folder, { recursive: true, force: true, maxRetries: 20 })
} else {
  const problems = problemsIn(outcome)
  await writeFile(join(folder, 'findings.txt'), `${table}\n${problems.join('\n')}\n`)
  console.log(`\n${problems.slice(0, 20).join('\n')}\n\nFAILED. All findings and the logs are in ${folder}`)
  process.exitCode = 1
}

function clock(): string {
  const seconds = Math.floor((performance.now() - startedAt) / 1000)
  return `${String(Math.floor(seconds / 60)).padStart(2)}:${String(seconds % 60).padStart(2, '0')}`
}
