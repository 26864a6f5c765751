/** Counts the requests to SQS per event, at different rates, for one process with both roles: `node bench/sqs-requests.ts`. */
import { setTimeout } from 'node:timers/promises'
import { startUnreliableSqs } from '../faults/unreliable-sqs.ts'
import { removeJobs } from '../server/queue/jobs.ts'
import { createSqsClient } from '../server/queue/sqs-client.ts'
import { createSqsQueue } from '../server/queue/sqs-queue.ts'
import { engines } from '../support/engines.ts'
import { eventually } from '../support/process.ts'

const rates = [
  { name: 'idle for a minute', events: 0, pauseMilliseconds: 60_000 },
  { name: '1 a second', events: 30, pauseMilliseconds: 1_000 },
  { name: '10 a second', events: 200, pauseMilliseconds: 100 },
  { name: '100 a second', events: 1_000, pauseMilliseconds: 10 },
  { name: 'a backlog', events: 2_000, pauseMilliseconds: 0 },
]
const actions = {
  send: 'SendMessageBatch',
  receive: 'ReceiveMessage',
  delete: 'DeleteMessageBatch',
  visibility: 'ChangeMessageVisibilityBatch',
}

const engine = engines.find(({ name }) => name === 'PostgreSQL')
if (!engine) throw new Error('TEST_ENGINE leaves out PostgreSQL')
const database = await engine.open()
const unreliable = await startUnreliableSqs()
Object.assign(process.env, unreliable.environment)
const report = (problem: string, error: unknown) => console.error(problem, error)
const queue = createSqsQueue({ database, report, sqs: createSqsClient({ name: 'requests', report }) })
let delivered = 0
const consumer = queue.consume({
  ...{ capacity: 128, perOrganization: 32, report },
  async handle({ deliveryId }, release) {
    // A quick receiver.
    await setTimeout(50)
    release()
    await removeJobs(database, [deliveryId])
    delivered += 1
  },
})

console.log(`| | events | ${Object.keys(actions).join(' | ')} | requests per event |`)
console.log(`|---|---:|${'---:|'.repeat(Object.keys(actions).length + 1)}`)
for (const { name, events, pauseMilliseconds } of rates) {
  const before = new Map(unreliable.requests)
  const target = delivered + events
  if (events === 0) await setTimeout(pauseMilliseconds)
  const startedAt = performance.now()
  for (let number = 0; number < events; number += 1) {
    await setTimeout(Math.max(0, startedAt + number * pauseMilliseconds - performance.now()))
    await queue.enqueue([
      { deliveryId: `dlv_${name}_${number}`.replaceAll(' ', '-'), organizationId: `org_${number % 20}`, round: 1 },
    ])
  }
  await eventually(async () => delivered >= target)
  // The last messages are deleted a moment later.
  await setTimeout(1_000)
  const counts = Object.values(actions).map(
    (action) => (unreliable.requests.get(action) ?? 0) - (before.get(action) ?? 0),
  )
  const perEvent = events === 0 ? '–' : (counts.reduce((sum, count) => sum + count, 0) / events).toFixed(2)
  console.log(`| ${name} | ${events} | ${counts.join(' | ')} | ${perEvent} |`)
}
await consumer.stop()
await queue.stop()
await unreliable.close()
await database.close()
process.exit()
