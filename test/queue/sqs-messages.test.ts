import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CreateQueueCommand, GetQueueUrlCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs'
import sql from 'sql-template-tag'
import { createSqsClient, type SqsClient } from '../../server/queue/sqs-client.ts'
import { postingsPerOrganization } from '../../server/queue/sqs-jobs.ts'
import { createSqsQueue } from '../../server/queue/sqs-queue.ts'
import { engines } from '../../support/engines.ts'
import { eventually } from '../../support/process.ts'
import { watch } from './queue-watch.ts'
import { openSqsQueue, type SqsUnderTest } from './sqs-under-test.ts'

for (const engine of engines) {
  describe(`messages on SQS with ${engine.name}`, () => {
    let under: SqsUnderTest
    let aws: SQSClient
    before(async () => {
      under = await openSqsQueue(engine)
      aws = new SQSClient({ useQueueUrlAsEndpoint: false })
    })
    after(async () => {
      aws?.destroy()
      await under?.close()
    })

    async function put(queue: string, bodies: readonly { body: string; attributes?: Record<string, string> }[]) {
      const { QueueUrl } = await aws.send(new GetQueueUrlCommand({ QueueName: queue }))
      for (let start = 0; start < bodies.length; start += 10) {
        const Entries = bodies.slice(start, start + 10).map(({ body, attributes = {} }, index) => ({
          Id: String(index),
          MessageBody: body,
          MessageGroupId: `foreign-${start + index}`,
          MessageDeduplicationId: `foreign-${start + index}`,
          MessageAttributes: Object.fromEntries(
            Object.entries(attributes).map(([name, StringValue]) => [name, { DataType: 'String', StringValue }]),
          ),
        }))
        const { Failed = [] } = await aws.send(new SendMessageBatchCommand({ QueueUrl, Entries }))
        assert.deepEqual(Failed, [])
      }
    }

    test('messages of others in front of ours in the dead-letter queue do not hide ours · DLV-5', async () => {
      under.reopen({ maxReceiveCount: 1 })
      const poll = () =>
        under.sqs.receive({ waitSeconds: 0, visibilitySeconds: 0, signal: AbortSignal.timeout(60_000) })
      await poll()
      await put(
        `${under.name()}-dead.fifo`,
        Array.from({ length: 25 }, (_, index) => ({ body: `foreign ${index}` })),
      )
      await under.queue.enqueue(await under.open(['ours'], 'any'))
      assert.ok(await eventually(async () => (await poll()).length === 1))
      assert.ok(await eventually(async () => (await poll()).length === 0 && under.count('-dead').waiting === 26))
      // One look at the dead-letter queue has to do.
      const { database, sqs } = under
      let looks = 0
      const once: SqsClient = {
        ...sqs,
        async receiveDead(seconds) {
          const found = looks < 10 ? await sqs.receiveDead(seconds) : null
          if (found === null) looks = 10
          return found
        },
      }
      const queue = createSqsQueue({ database, sqs: once, report: () => {}, deadLetterMilliseconds: 50 })
      const consumer = watch(queue, under.settle, { result: 'exhausted' })
      await consumer.ends(1)
      assert.deepEqual(await under.dead(), ['ours'])
      await consumer.stop()
      await queue.stop()
      await under.empty()
    })

    test('odd messages are reported and left alone, and ours get through', async () => {
      const poll = { waitSeconds: 0, visibilitySeconds: 0, signal: AbortSignal.timeout(60_000) }
      await under.sqs.receive(poll)
      const valid = { organization: 'any', round: '1', dueAt: '0' }
      const odd = [
        { body: 'null' },
        { body: '[]' },
        { body: '{"deliveryId":5}' },
        { body: '{"deliveryId":"unknown"}' },
        { body: '{"deliveryId":"\\u0000"}', attributes: valid },
        { body: '{"deliveryId":"\\ud800"}', attributes: valid },
        { body: `{"deliveryId":"${'x'.repeat(100_000)}"}`, attributes: valid },
        { body: '{"deliveryId":"a"}', attributes: { ...valid, round: '1e300' } },
        { body: '{"deliveryId":"b"}', attributes: { ...valid, round: '-1' } },
        { body: '{"deliveryId":"c"}', attributes: { ...valid, dueAt: 'NaN' } },
        { body: '{"deliveryId":"d"}', attributes: { ...valid, organization: 'x\u{1f600}' } },
      ]
      await put(`${under.name()}.fifo`, odd)
      await under.queue.enqueue(await under.open(['ours'], 'any'))
      const consumer = watch(under.queue, under.settle, { result: 'done' })
      await consumer.ends(1)
      assert.deepEqual([consumer.order(), await under.queued()], [['ours'], []])
      assert.deepEqual(
        consumer.reports.filter((text) => text.includes('could not be claimed')),
        [],
      )
      await consumer.stop()
      await under.empty()
    })

    test('a job whose handling threw after it was settled leaves no message behind', async () => {
      await under.queue.enqueue(await under.open(['a'], 'any'))
      const before = under.received()
      const reports: string[] = []
      const consumer = under.queue.consume({
        capacity: 8,
        perOrganization: 8,
        report: (problem) => void reports.push(problem),
        async handle(job) {
          await under.settle(job, 'done')
          throw new Error('after settling')
        },
      })
      assert.ok(await eventually(async () => reports.length > 0))
      assert.ok(await eventually(async () => under.count().waiting + under.count().received === 0))
      assert.equal(under.received() - before, 1)
      await consumer.stop()
      await under.empty()
    })

    test('a worker that stops lets others have what waits for a slot at once · DLV-8', async () => {
      const before = under.received()
      for (const name of ['a', 'b', 'c']) await under.queue.enqueue(await under.open([name], name))
      assert.ok(await eventually(async () => under.count().waiting === 3))
      const consumer = watch(under.queue, under.settle, { capacity: 1, perOrganization: 1 })
      await consumer.begins(1)
      assert.ok(await eventually(async () => under.received() - before === 3))
      await consumer.stop()
      assert.deepEqual(under.count(), { waiting: 2, received: 0 })
      await under.empty()
    })

    test('one look at the dead-letter queue at a time, and what it finds during a stop is given back · DLV-5', async () => {
      under.reopen({ maxReceiveCount: 1 })
      await under.queue.enqueue(await under.open(['ours'], 'any'))
      const poll = () =>
        under.sqs.receive({ waitSeconds: 0, visibilitySeconds: 0, signal: AbortSignal.timeout(60_000) })
      assert.ok(await eventually(async () => (await poll()).length === 1))
      assert.ok(await eventually(async () => (await poll()).length === 0 && under.count('-dead').waiting === 1))
      const { database, sqs } = under
      const stopping = Promise.withResolvers<void>()
      let looks = 0
      const slow: SqsClient = {
        ...sqs,
        async receiveDead(seconds) {
          looks += 1
          await stopping.promise
          return sqs.receiveDead(seconds)
        },
      }
      const queue = createSqsQueue({ database, sqs: slow, report: () => {}, deadLetterMilliseconds: 1 })
      const consumer = watch(queue, under.settle, { result: 'done' })
      // Takes many times as long as the interval.
      await queue.enqueue(await under.open(['other'], 'any'))
      await consumer.ends(1)
      assert.equal(looks, 1)
      const stopped = consumer.stop()
      stopping.resolve()
      await stopped
      assert.deepEqual([looks, under.count('-dead')], [1, { waiting: 1, received: 0 }])
      await queue.stop()
      await under.empty()
    })

    test('retries of one organization beyond a few wait in the database, and come back when they are due · DLV-12', async () => {
      const { database } = under
      const names = Array.from({ length: postingsPerOrganization + 30 }, (_, index) => `failing-${1_000 + index}`)
      await under.queue.enqueue(await under.open(names, 'failing'))
      const failing = watch(under.queue, (job) => under.settle(job, 'again', 3_600), { result: 'again' })
      await failing.ends(names.length)
      assert.ok(await eventually(async () => under.count().waiting + under.count().received <= postingsPerOrganization))
      await failing.stop()
      const [held] = await database.query<{ count: number }>(sql`
        select count(*)::int from delivery_jobs where leased_until is not null`)
      assert.ok(held && held.count > 0 && held.count <= postingsPerOrganization, `${held?.count} are in SQS`)
      await under.elapse(3_600)
      const working = watch(under.queue, under.settle, { result: 'done' })
      await working.ends(names.length)
      assert.deepEqual(await under.queued(), [])
      assert.ok(working.running.every(({ job }) => job.receive === 2))
      await working.stop()
      await under.empty()
    })

    test('a queue without our dead-letter queue is refused, and one that gives up early is reported', async () => {
      const poll = { waitSeconds: 0, visibilitySeconds: 1, signal: AbortSignal.timeout(60_000) }
      const Attributes = { FifoQueue: 'true' }
      await aws.send(new CreateQueueCommand({ QueueName: `${under.name()}-bare.fifo`, Attributes }))
      const bare = createSqsClient({ name: `${under.name()}-bare`, report: () => {} })
      await assert.rejects(bare.receive(poll), /must have .*-bare-dead\.fifo as its dead-letter queue/)

      const reports: string[] = []
      const report = (problem: string) => void reports.push(problem)
      const early = createSqsClient({ name: `${under.name()}-early`, report, maxReceiveCount: 3 })
      await early.receive(poll)
      assert.match(reports.join(), /-early\.fifo too early; set its maximum receives to 1000/)
      for (const client of [bare, early]) client.close()
    })
  })
}
