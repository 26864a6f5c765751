/**
 * Runs tests with one shared PostgreSQL server: the fast ones, the rest with --slow, or the files and folders named on the
 * command line. Other options go to Node's test runner.
 *
 * Tests for both databases run on PostgreSQL in the fast run and on the embedded database in the slow one.
 *
 * Files whose process crashed run once more: every now and then, V8 crashes when hundreds of WebAssembly databases come and
 * go in one process (nodejs/node#64500).
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync, statSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startPostgres } from '../support/postgres.ts'
import { type Batch, batches, bySpeed } from './batches.ts'
import type { Failure } from './failures.ts'

const given = process.argv.slice(2)
const options = given.filter((argument) => argument.startsWith('-') && argument !== '--slow')
const named = given.filter((argument) => !argument.startsWith('-'))
const namedFiles = named.map((name) => ({ name, files: filesOf(name) }))
const unmatched = namedFiles.filter(({ files }) => files.length === 0)
if (unmatched.length > 0) {
  // Node would take an empty list of files for all of them.
  console.error(unmatched.map(({ name }) => `No test file: ${name}`).join('\n'))
  process.exit(2)
}

const folder = await mkdtemp(join(tmpdir(), 'test-batches-'))
const postgres = await startPostgres()
let running: ChildProcess | null = null
let ended = false
const failures: Failure[] = []
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    ended = true
    running?.kill(signal)
  })
}

process.exitCode = 0
for (const part of await chosenParts()) {
  if (ended || !(await passes(part))) process.exitCode = 1
}
// Those of the first part have scrolled away by now.
for (const { text } of failures) console.log(text)
await Promise.all([postgres.close(), rm(folder, { recursive: true })])

type Part = { files: string[]; engine?: string }

async function chosenParts(): Promise<Part[]> {
  if (named.length > 0) return [{ files: namedFiles.flatMap(({ files }) => files) }]
  const { fast, slow } = bySpeed(filesOf('test'))
  if (!given.includes('--slow')) return [{ files: await writeBatches(batches(fast)), engine: 'PostgreSQL' }]
  return [{ files: slow }, { files: await writeBatches(batches(fast.filter(usesBothEngines))), engine: 'embedded' }]
}

function usesBothEngines(file: string): boolean {
  return readFileSync(file, 'utf8').includes('of engines')
}

async function passes(part: Part): Promise<boolean> {
  const first = await run(part)
  const crashed = first.failures.flatMap(({ crashed }) => crashed ?? [])
  if (first.status === 0 || ended || crashed.length === 0 || crashed.length < first.failures.length) {
    failures.push(...first.failures)
    return first.status === 0
  }
  for (const { text } of first.failures) console.log(`${text}; running it once more`)
  const second = await run({ ...part, files: crashed })
  const passed = second.status === 0
  const last = passed
    ? first.failures.map((failure) => ({ ...failure, text: `${failure.text}; passed the second time` }))
    : []
  failures.push(...last, ...second.failures)
  return passed
}

async function run({ files, engine }: Part): Promise<{ status: number; failures: Failure[] }> {
  const failuresFile = join(folder, 'failures')
  const args = [
    // A file that hangs fails eventually instead of blocking the run forever.
    ...['--test', '--test-timeout=1200000'],
    ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
    ...[`--test-reporter=${new URL('failures.ts', import.meta.url)}`, `--test-reporter-destination=${failuresFile}`],
    `--test-concurrency=${availableParallelism() + 1}`,
    ...options,
    ...files,
  ]
  const env = {
    ...process.env,
    TEST_POSTGRES_URL: postgres.url,
    ...(engine !== undefined && { TEST_ENGINE: engine }),
    NODE_COMPILE_CACHE: join(import.meta.dirname, '..', 'node_modules', '.cache', 'compiled'),
  }
  // A run that is stopped at once leaves none.
  await writeFile(failuresFile, '')
  running = spawn(process.execPath, args, { stdio: 'inherit', env })
  await once(running, 'exit')
  const lines = (await readFile(failuresFile, 'utf8')).split('\n').filter((line) => line !== '')
  return { status: running.exitCode ?? 1, failures: lines.map((line) => JSON.parse(line)) }
}

function filesOf(name: string): string[] {
  const found = statSync(name, { throwIfNoEntry: false })
  if (!found?.isDirectory()) return found ? [name] : []
  return globSync(`${name}/**/*.test.ts`).sort()
}

/** Writes one module per batch that imports its files. Not under node_modules, where Node finds no tests. */
async function writeBatches(all: Batch[]): Promise<string[]> {
  return Promise.all(
    all.map(async ({ name, files }, index) => {
      // Node runs files in order of their names.
      const path = join(folder, `${String(index).padStart(2, '0')}-${name}.mjs`)
      await writeFile(path, files.map((file) => `import '${pathToFileURL(resolve(file))}'\n`).join(''))
      return path
    }),
  )
}
