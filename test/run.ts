/** Runs the tests (all of them, or those named on the command line) with one PostgreSQL server for all of them. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { startPostgres } from './support/postgres.ts'

const given = process.argv.slice(2)
const namesFiles = given.some((argument) => !argument.startsWith('-'))

const postgres = await startPostgres()
const tests = spawn(
  process.execPath,
  [
    // A file that never ends fails after a while instead of holding up the others for ever.
    ...['--test', '--test-reporter=spec', '--test-concurrency=3', '--test-timeout=600000'],
    ...given,
    ...(namesFiles ? [] : ['test/**/*.test.ts']),
  ],
  { stdio: 'inherit', env: { ...process.env, TEST_POSTGRES_URL: postgres.url } },
)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => tests.kill(signal))

await once(tests, 'exit')
await postgres.close()
process.exitCode = tests.exitCode ?? 1
