/**
 * What the queue costs per event on SQS and on PostgreSQL, at different rates, for one process with both roles: requests to
 * SQS, CPU time of the process, and how fast it gets through a backlog. Nothing is sent to a receiver: `node bench/sqs-requests.ts`.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Database } from '../server/database/database.ts'
import { removeJobs } from '../server/queue/jobs.ts'
import { createPostgresQueue } from '../server/queue/postgres-queue.ts'
import type { DeliveryQueue } from '../server/queue/queue.ts'
import { createSqsClient } from '../server/queue/sqs-client.ts'
import { createSqsQueue } from '../server/queue/sqs-queue.ts'
import { engines } from '../support/engines.ts'
import { eventually } from '../support/process.ts'

const rates = [
  { name: 'idle for a minute', events: 0, pauseMilliseconds: 60_000 },
  { name: '1 a second', events: 30, pauseMilliseconds: 1_000 },
  { name: '10 a second', events: 200, pauseMilliseconds: 100 },
  { name: '100 a second', events: 1_000, pauseMilliseconds: 10 },
  { name: 'a backlog', events: 5_000, pauseMilliseconds: 0 },
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
const report = (problem: string, error: unknown) => console.error(problem, error)
const server = fork(join(import.meta.dirname, 'sqs-server.ts'))
const { environment } = await answer<{ environment: Record<string, string> }>(server)
Object.assign(process.env, environment)

console.log(
  `| queue | rate | events | ${Object.keys(actions).join(' | ')} | requests per event | CPU ms per event | events a second |`,
)
console.log(`|---|---|---:|${'---:|'.repeat(Object.keys(actions).length + 3)}`)
await measure('PostgreSQL', createPostgresQueue({ database }), database)
const sqs = createSqsClient({ name: 'requests', report })
await measure('SQS', createSqsQueue({ database, report, sqs }), database)
server.disconnect()
await database.close()
process.exit()

async function measure(engine: string, queue: DeliveryQueue, database: Database): Promise<void> {
  let delivered = 0
  const consumer = queue.consume({
    capacity: 128,
    perOrganization: 32,
    report,
    async handle({ deliveryId }, release) {
      // A quick receiver.
      await setTimeout(50)
      release()
      await removeJobs(database, [deliveryId])
      delivered += 1
    },
  })
  for (const { name, events, pauseMilliseconds } of rates) {
    const before = await countRequests()
    const cpuBefore = process.cpuUsage()
    const target = delivered + events
    if (events === 0) await setTimeout(pauseMilliseconds)
    const startedAt = performance.now()
    const jobs = Array.from({ length: events }, (_, number) => ({
      deliveryId: `dlv_${engine}_${name}_${number}`.replaceAll(' ', '-'),
      organizationId: `org_${number % 20}`,
      round: 1,
    }))
    if (pauseMilliseconds === 0) await queue.enqueue(jobs)
    for (const [number, job] of pauseMilliseconds === 0 ? [] : jobs.entries()) {
      await setTimeout(Math.max(0, startedAt + number * pauseMilliseconds - performance.now()))
      await queue.enqueue([job])
    }
    await eventually(async () => delivered >= target)
    const seconds = (performance.now() - startedAt) / 1_000
    // The last messages are deleted a moment later.
    await setTimeout(1_000)
    const { user, system } = process.cpuUsage(cpuBefore)
    const after = await countRequests()
    const counts = Object.values(actions).map((action) => (after.get(action) ?? 0) - (before.get(action) ?? 0))
    const perEvent = (value: number, digits: number) => (events === 0 ? '–' : (value / events).toFixed(digits))
    const total = counts.reduce((sum, count) => sum + count, 0)
    const figures = [
      perEvent(total, 2),
      perEvent((user + system) / 1_000, 2),
      events === 0 ? '–' : (events / seconds).toFixed(0),
    ]
    console.log(`| ${engine} | ${name} | ${events} | ${[...counts, ...figures].join(' | ')} |`)
  }
  await consumer.stop()
  await queue.stop()
}

async function countRequests(): Promise<Map<string, number>> {
  server.send('count')
  const { requests } = await answer<{ requests: [string, number][] }>(server)
  return new Map(requests)
}

async function answer<Message>(from: ChildProcess): Promise<Message> {
  const [message] = (await once(from, 'message')) as [Message]
  return message
}
