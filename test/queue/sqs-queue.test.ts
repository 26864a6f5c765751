import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { createSqsClient, type ReceivedMessage, type SqsClient } from '../../server/queue/sqs-client.ts'
import { postingsPerOrganization } from '../../server/queue/sqs-jobs.ts'
import { createSqsQueue } from '../../server/queue/sqs-queue.ts'
import { type Engine, engines } from '../../support/engines.ts'
import { eventually } from '../../support/process.ts'
import { type SqsServer, startSqs } from '../../support/sqs.ts'
import { openQueueRecords, type QueueRecords } from './queue-records.ts'
import { type QueueUnderTest, queueSuite } from './queue-suite.ts'
import { watch } from './queue-watch.ts'

for (const engine of engines) {
  queueSuite(`SQS with ${engine.name}`, () => openQueue(engine))

  describe(`SQS with ${engine.name}`, () => {
    let under: SqsUnderTest
    before(async () => {
      under = await openQueue(engine)
    })
    after(() => under?.close())

    test('a backlog stays in the database but for a few messages, and delays no other organization · DLV-12', async () => {
      const names = Array.from({ length: 400 }, (_, index) => `backlog-${String(index).padStart(3, '0')}`)
      await under.queue.enqueue(await under.open(names, 'a'))
      const consumer = watch(under.queue, under.settle, { capacity: 8, perOrganization: 2 })
      await consumer.begins(2)
      await under.queue.enqueue(await under.open(['other'], 'b'))
      await consumer.begins(3)
      assert.deepEqual(consumer.order(), [...names.slice(0, 2), 'other'])
      const { waiting, received } = under.count()
      // Those that run have made room for as many.
      assert.ok(waiting + received <= postingsPerOrganization + 3, `${waiting} wait, ${received} were received`)
      await consumer.stop()
      await under.empty()
    })

    test('what the queue itself gives up on becomes a dead letter, with the receives that were counted · DLV-5', async () => {
      under.reopen({ maxReceiveCount: 1 })
      await under.queue.enqueue(await under.open(['a'], 'any'))
      const receive = () =>
        under.sqs.receive({ waitSeconds: 1, visibilitySeconds: 0, signal: AbortSignal.timeout(60_000) })
      assert.ok(await eventually(async () => (await receive()).length === 1))
      // Some worker crashes over and over again before it can claim the job.
      assert.ok(await eventually(async () => (await receive()).length === 0 && under.count('-dead').waiting === 1))
      const consumer = watch(under.queue, under.settle, {
        result: ({ abandoned }) => (abandoned ? 'exhausted' : 'done'),
      })
      await consumer.ends(1)
      assert.deepEqual([await under.queued(), await under.dead()], [[], ['a']])
      const [record] = await under.database.query<{ attempts: number; reason: string }>(
        sql`select attempts, failure_reason as reason from deliveries`,
      )
      assert.deepEqual(record, { attempts: 0, reason: 'RECEIVES_EXHAUSTED' })
      assert.ok(await eventually(async () => under.count('-dead').waiting + under.count('-dead').received === 0))
      await consumer.stop()
      await under.empty()
    })

    test('a message for a delivery that is done, or in a later round, is deleted · DLV-2', async () => {
      const jobs = await under.open(['done', 'later'], 'any')
      await under.queue.enqueue(jobs)
      assert.ok(await eventually(async () => under.count().waiting === 2))
      await under.database.script(`
        delete from delivery_jobs where delivery_id = 'done';
        update delivery_jobs set round = 2, due_at = now() + interval '1 hour', leased_until = null`)
      const consumer = watch(under.queue, under.settle, { result: 'done' })
      assert.ok(await eventually(async () => under.count().waiting + under.count().received === 0))
      await consumer.stop()
      assert.deepEqual([consumer.order(), await under.queued()], [[], ['later']])
      await under.empty()
    })

    test('a message delivered twice while its job runs costs no receive and sends nothing · DLV-2', async () => {
      await under.queue.enqueue(await under.open(['a'], 'any'))
      const consumer = watch(under.queue, under.settle, {})
      await consumer.begins(1)
      for (let count = 1; count <= 3; count += 1) {
        const seen = under.received()
        await under.expireVisibility()
        assert.ok(await eventually(async () => under.received() > seen))
      }
      assert.equal(consumer.running.length, 1)
      consumer.running[0]?.settle('done')
      await consumer.ends(1)
      await under.expireVisibility()
      assert.ok(await eventually(async () => under.count().waiting + under.count().received === 0))
      assert.equal(consumer.running.length, 1)
      await consumer.stop()
      await under.empty()
    })

    test('while a job runs, its message stays hidden and its lease is renewed · DLV-2', async () => {
      const { database, sqs } = under
      const leaseSeconds = 9
      const renewed: number[] = []
      const watched: SqsClient = {
        ...sqs,
        hide(messages) {
          renewed.push(...messages.map(({ seconds }) => seconds))
          return sqs.hide(messages)
        },
      }
      const queue = createSqsQueue({ database, sqs: watched, report: () => {}, leaseSeconds })
      await queue.enqueue(await under.open(['a'], 'any'))
      const before = under.received()
      const consumer = watch(queue, under.settle, {})
      await consumer.begins(1)
      // By the fourth renewal, the first lease is over.
      assert.ok(await eventually(async () => renewed.length >= 4))
      assert.deepEqual([consumer.running.length, under.received() - before], [1, 1])
      assert.deepEqual(new Set(renewed), new Set([leaseSeconds]))
      await consumer.stop()
      await queue.stop()
      await under.empty()
    })

    test('jobs that SQS was not told of, or has lost, are sent again · DLV-8', async () => {
      under.break(true)
      await under.queue.enqueue(await under.open(['untold', 'lost'], 'any'))
      assert.ok(await eventually(async () => under.reports.some((text) => text.includes('SQS could not be told'))))
      under.break(false)
      const consumer = watch(under.queue, under.settle, {})
      await consumer.begins(2)
      await consumer.stop()
      await under.queue.enqueue(await under.open(['again'], 'any'))
      assert.ok(await eventually(async () => under.count().waiting + under.count().received === 1))
      under.reopen()
      await under.elapse(120)
      const next = watch(under.queue, under.settle, { result: 'done' })
      await next.begins(1)
      assert.deepEqual(next.order(), ['again'])
      await next.stop()
      await under.empty()
    })

    test('a queue without our dead-letter queue is refused', async () => {
      const polling = { waitSeconds: 0, visibilitySeconds: 1, signal: AbortSignal.timeout(60_000) }
      await under.sqs.receive(polling)
      const plain = createSqsClient({ name: `${under.name()}-dead`, report: () => {} })
      await assert.rejects(plain.receive(polling), /must have .*-dead-dead\.fifo as its dead-letter queue/)
    })
  })
}

type SqsUnderTest = QueueUnderTest &
  QueueRecords & {
    /** The queues of the current test. */
    sqs: SqsClient
    name(): string
    /** Continues on new, empty queues. */
    reopen(options?: { maxReceiveCount?: number }): void
    count(suffix?: '' | '-dead'): { waiting: number; received: number }
    /** How many messages have been received so far. */
    received(): number
    /** Makes every received message available again. */
    expireVisibility(): Promise<void>
    /** Makes every request to SQS fail. */
    break(broken: boolean): void
  }

let opened = 0

/** Every test gets queues of its own, because SQS drops what it got in the last five minutes under the same name. */
async function openQueue(engine: Engine): Promise<SqsUnderTest> {
  const records = await openQueueRecords(engine)
  const { database } = records
  const server: SqsServer = await startSqs()
  const reports: string[] = []
  const report = (problem: string) => void reports.push(problem)
  let name = ''
  let current: SqsClient
  let broken = false
  let messages: ReceivedMessage[] = []
  let received = 0
  const reopen = (options: { maxReceiveCount?: number } = {}) => {
    opened += 1
    name = `suite-${opened}`
    messages = []
    current = createSqsClient({ name, report, ...options })
  }
  reopen()

  const sqs: SqsClient = {
    async send(postings) {
      if (!broken) return current.send(postings)
      report('SQS could not be told of new jobs')
      return [...postings]
    },
    async receive(options) {
      const found = await current.receive(options)
      messages.push(...found)
      received += found.length
      return found
    },
    receiveDead: (seconds) => current.receiveDead(seconds),
    hide: (hidden) => current.hide(hidden),
    remove: (ended) => current.remove(ended),
    close: () => {},
  }
  const queues: { stop(): Promise<void> }[] = []
  const another = async () => {
    const queue = createSqsQueue({ database, sqs, report, feedMilliseconds: 200, deadLetterMilliseconds: 200 })
    queues.push(queue)
    return queue
  }
  const expireVisibility = async () => {
    await current.hide(messages.map((message) => ({ message, seconds: 0 })))
  }
  return {
    ...records,
    sqs,
    queue: await another(),
    another,
    reports,
    name: () => name,
    reopen,
    count: (suffix = '') => server.count(`${name}${suffix}.fifo`),
    received: () => received,
    expireVisibility,
    break(value) {
      broken = value
    },
    async elapse(seconds) {
      await records.elapse(seconds)
      await expireVisibility()
    },
    async resetFutureTimes() {
      await records.resetFutureTimes()
      await expireVisibility()
    },
    async empty() {
      await records.empty()
      current.close()
      reopen()
    },
    async close() {
      for (const queue of queues) await queue.stop()
      current.close()
      await database.close()
      await server.close()
    },
  }
}
