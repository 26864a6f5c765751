import assert from 'node:assert/strict'
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { createMetricsAggregator } from '../../server/operations/metrics/aggregator.ts'
import { connectMetrics } from '../../server/operations/processes/run.ts'
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

test('metrics that can’t be read are logged and refused, and do not end the supervisor', async () => {
  cluster.setupPrimary({ exec: join(import.meta.dirname, 'metrics-reader.ts'), execArgv: [] })
  const cause = new Error('no metrics')
  const aggregator = createMetricsAggregator({ serving: () => 0, deaths: () => 0 })
  const failing = { ...aggregator, text: () => Promise.reject(cause), remove: () => Promise.reject(cause) }
  const logged: unknown[] = []
  const child = cluster.fork()
  connectMetrics(child, failing, { error: (...line) => logged.push(line) })
  assert.deepEqual(await once(child, 'exit'), [7, null])
  const line = [{ err: cause }, 'could not read the metrics']
  assert.deepEqual(logged, [line, line])
})
