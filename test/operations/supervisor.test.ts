import assert from 'node:assert/strict'
import cluster, { type Worker } from 'node:cluster'
import { join } from 'node:path'
import { test } from 'node:test'
import { startSupervisor } from '../../server/operations/processes/supervisor.ts'

test('a process that does not exit is killed, when it is replaced and when the service stops', async () => {
  cluster.setupPrimary({ exec: join(import.meta.dirname, 'stubborn-process.ts'), execArgv: [] })
  const started: Worker[] = []
  const warnings: string[] = []
  const supervisor = await startSupervisor({
    count: 1,
    stopDelaySeconds: 0,
    exitTimeout: 100,
    logger: { info() {}, warn: (_, text) => warnings.push(text), error: (_, text) => assert.fail(text) },
    onStart: (child) => started.push(child),
    onGiveUp: () => assert.fail('gave up'),
  })
  assert.ok(supervisor)
  await supervisor.replaceAll()
  assert.equal(started.length, 2)
  await supervisor.stop()
  assert.deepEqual(
    started.map(({ process }) => process.signalCode),
    ['SIGKILL', 'SIGKILL'],
  )
  assert.deepEqual(warnings, Array(2).fill('process did not exit in time; killing it'))
  assert.equal(supervisor.deaths(), 0)
})
