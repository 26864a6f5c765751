import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Outcome, type Plan, run } from '../../faults/run.ts'
import { problemsIn } from '../../faults/table.ts'
import { temporaryFolder } from '../../support/process.ts'

const minResults = 20

/** The short form of `npm run faults`. */
async function runShort(
  plan: Pick<Plan, 'seed' | 'kills' | 'queue' | 'databaseRestMilliseconds'>,
  progress: (state: string) => void,
): Promise<Outcome> {
  await using folder = await temporaryFolder()
  const outcome = await run({
    ...plan,
    minutes: 1,
    minResults,
    folder: folder.path,
    servers: { api: 1, worker: 1, 'api,worker': 1 },
    processes: 1,
    retryDelaySeconds: 0,
    hurry: true,
    progress,
  })
  assert.deepEqual(problemsIn(outcome), [])
  const [fleet] = outcome.sites
  assert.ok(
    outcome.sites.every(({ accepted }) => accepted >= minResults),
    'too few results to prove anything',
  )
  assert.ok(fleet && fleet.first.delivered > 0 && fleet.first.exhausted > 0)
  return outcome
}

const happenedTo = ({ happened }: Outcome, what: string) => [...happened.keys()].some((name) => name.startsWith(what))

test('with servers killed, PostgreSQL stopped, broken receivers, DNS and clocks, and hostile clients, nothing is stuck, lost or wrong · DLV-11 · DLV-5 · ROB-1 · ROB-2', async (t) => {
  const plan = { seed: 6, kills: 5, queue: 'postgres', databaseRestMilliseconds: [300, 1_500] } as const
  const outcome = await runShort(plan, (state) => t.diagnostic(state))
  const [fleet, laptop] = outcome.sites
  assert.ok(fleet && laptop && laptop.first.delivered > 0)
  assert.ok(fleet.hostileConnections > 10 && laptop.hostileConnections > 10)
  assert.ok(happenedTo(outcome, 'PostgreSQL'))
})

test('with the queue on SQS, which is away, slow, failing, throttling, delivers twice or lets visibility expire, nothing is stuck, lost or wrong · DLV-11 · DLV-5', async (t) => {
  const plan = { seed: 7, kills: 4, queue: 'sqs', databaseRestMilliseconds: [100, 800] } as const
  const outcome = await runShort(plan, (state) => t.diagnostic(state))
  assert.ok(happenedTo(outcome, 'SQS'))
})
