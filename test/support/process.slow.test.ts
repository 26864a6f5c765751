import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { sharedPostgres } from '../../support/postgres.ts'
import { eventually, postgresEnvironment, runServer } from '../../support/process.ts'

test('a server is gone soon after the process that started it, even if that was killed', async () => {
  const environment = postgresEnvironment(await (await sharedPostgres()).createDatabase())
  const module = pathToFileURL(join(import.meta.dirname, '../../support/process.ts'))
  const script = `
    const { startServer } = await import('${module}')
    console.log((await startServer(${JSON.stringify(environment)})).url)
    setInterval(() => {}, 1000)`
  const owner = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { value: url } = await createInterface({ input: owner.stdout })[Symbol.asyncIterator]().next()
  assert.equal((await fetch(`${url}/healthz`)).status, 200)

  owner.kill('SIGKILL')

  const gone = () =>
    fetch(`${url}/healthz`).then(
      () => false,
      () => true,
    )
  assert.ok(await eventually(gone), 'it still responds')
})

test('the developer’s own settings do not reach a server under test', async () => {
  process.env.LOG_LEVEL = 'wrong'
  try {
    const { stderr } = await runServer({ PORT: 'wrong' })
    assert.match(stderr, /PORT/)
    assert.doesNotMatch(stderr, /LOG_LEVEL/)
  } finally {
    delete process.env.LOG_LEVEL
  }
})
