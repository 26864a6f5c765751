import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { createSqsClient, type SqsClient } from '../../server/queue/sqs-client.ts'
import { postingsPerOrganization } from '../../server/queue/sqs-jobs.ts'
import { createSqsQueue } from '../../server/queue/sqs-queue.ts'
import { engines } from '../../support/engines.ts'
import { eventually } from '../../support/process.ts'
import { queueSuite } from './queue-suite.ts'
import { watch } from './queue-watch.ts'
import { openSqsQueue, type SqsUnderTest } from './sqs-under-test.ts'

for (const engine of engines) {
  queueSuite(`SQS with ${engine.name}`, () => openSqsQueue(engine))

  describe(`SQS with ${engine.name}`, () => {
    let under: SqsUnderTest
    before(async () => {
      under = await openSqsQueue(engine)
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

    test('a message there is no room for counts as posted for as long as it comes back · DLV-12', async () => {
      await under.queue.enqueue(await under.open(['one', 'two', 'three'], 'full'))
      const consumer = watch(under.queue, under.settle, { capacity: 8, perOrganization: 1 })
      await consumer.begins(1)
      await under.database.query(sql`
        update delivery_jobs set leased_until = now() + interval '20 seconds' where claimed_at is null`)
      await under.expireVisibility()
      const remaining = async () => {
        const rows = await under.database.query<{ seconds: number }>(sql`
          select extract(epoch from leased_until - now())::float8 as seconds from delivery_jobs where claimed_at is null`)
        return rows.map(({ seconds }) => seconds)
      }
      assert.ok(await eventually(async () => (await remaining()).every((seconds) => seconds > 25)))
      assert.equal((await remaining()).length, 2)
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
