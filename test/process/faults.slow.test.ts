import assert from 'node:assert/strict'
import { test } from 'node:test'
import { run } from '../../faults/run.ts'
import { problemsIn } from '../../faults/table.ts'
import { temporaryFolder } from '../../support/process.ts'

/** The short form of `npm run faults`. */
test('with servers killed, PostgreSQL stopped, broken receivers, DNS and clocks, and hostile clients, nothing is stuck, lost or wrong · DLV-11 · DLV-5 · ROB-1 · ROB-2', async (t) => {
  await using folder = await temporaryFolder()
  const outcome = await run({
    seed: 6,
    kills: 5,
    minutes: 1,
    minResults: 20,
    folder: folder.path,
    servers: { api: 1, worker: 1, 'api,worker': 1 },
    processes: 1,
    queue: 'postgres',
    databaseRestMilliseconds: [300, 1_500],
    retryDelaySeconds: 0,
    hurry: true,
    progress: (state) => t.diagnostic(state),
  })
  assert.deepEqual(problemsIn(outcome), [])
  const [fleet, laptop] = outcome.sites
  assert.ok(fleet && laptop && fleet.accepted >= 20 && laptop.accepted >= 20, 'too few results to prove anything')
  assert.ok(fleet.first.delivered > 0 && fleet.first.exhausted > 0 && laptop.first.delivered > 0)
  assert.ok(fleet.hostileConnections > 10 && laptop.hostileConnections > 10)
  assert.ok([...outcome.happened.keys()].some((what) => what.startsWith('PostgreSQL')))
})

test('with the queue on SQS, which is away, slow, failing, throttling or delivers twice, nothing is stuck, lost or wrong · DLV-11 · DLV-5', async (t) => {
  await using folder = await temporaryFolder()
  const outcome = await run({
    seed: 7,
    kills: 4,
    minutes: 1,
    minResults: 20,
    folder: folder.path,
    servers: { api: 1, worker: 1, 'api,worker': 1 },
    processes: 1,
    queue: 'sqs',
    databaseRestMilliseconds: [100, 800],
    retryDelaySeconds: 0,
    hurry: true,
    progress: (state) => t.diagnostic(state),
  })
  assert.deepEqual(problemsIn(outcome), [])
  const fleet = outcome.sites.find(({ name }) => name === 'SQS')
  assert.ok(fleet && fleet.accepted >= 20, 'too few results to prove anything')
  assert.ok(fleet.first.delivered > 0 && fleet.first.exhausted > 0)
  assert.ok([...outcome.happened.keys()].some((what) => what.startsWith('SQS')))
})
