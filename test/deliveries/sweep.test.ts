import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { beginAttempts, deliveryKey } from '../../server/deliveries/deliveries.ts'
import { findDeliveryOfResult, retryDelivery } from '../../server/deliveries/delivery-history.ts'
import { type Swept, startSweeping, sweep } from '../../server/deliveries/sweep.ts'
import { takeTurn } from '../../server/operations/scheduler.ts'
import { completeInterview } from '../../server/workflows/complete-interview.ts'
import { type Deliveries, type Subscriber, scoring, startDeliveries } from '../support/deliveries.ts'
import { engines } from '../support/engines.ts'
import { eventually } from '../support/process.ts'
import { insertWaiting } from './waiting-deliveries.ts'

const minute = 60_000

for (const engine of engines) {
  describe(`the sweep on ${engine.name}`, () => {
    let deliveries: Deliveries
    before(async () => {
      deliveries = await startDeliveries(engine)
    })
    after(() => deliveries?.close())

    const pass = (milliseconds: number) => {
      const { time } = deliveries.service
      time.now = new Date(time.now.getTime() + milliseconds)
    }
    const sweepNow = () => sweep(deliveries.service, deliveries.service.time.now)
    const statesOf = async (deliveryId: string) => (await deliveries.jobs(deliveryId)).map(({ state }) => state)

    test('a PENDING record without a job gets one after a minute, with the same keys, and never a second · DLV-8', async () => {
      const subscriber = await deliveries.subscriber()
      const { deliveryId, resultId } = await withoutJob(subscriber)
      pass(minute - 1)
      await sweepNow()
      assert.deepEqual(await deliveries.jobs(deliveryId), [])
      pass(1)
      assert.ok((await sweepNow()).enqueued >= 1)
      const { organizationId } = subscriber
      const job = { data: { deliveryId }, key: `result.completed:${resultId}`, organizationId, state: 'created' }
      assert.deepEqual(await deliveries.jobs(deliveryId), [job])
      for (const wait of [0, minute, 60 * minute]) {
        pass(wait)
        assert.deepEqual(await sweepNow(), { enqueued: 0, exhausted: 0 })
      }
      assert.deepEqual(await deliveries.jobs(deliveryId), [job])
      assert.partialDeepStrictEqual(await deliveries.read(deliveryId), { status: 'PENDING', attempts: 0 })
    })

    test('a record that a process with a wrong clock touched hours ahead gets its job now, not then · DLV-8', async () => {
      const { deliveryId } = await withoutJob(await deliveries.subscriber())
      const { database, time } = deliveries.service
      const touched = (milliseconds: number) =>
        database.query(sql`
          update deliveries set updated_at = ${new Date(time.now.getTime() + milliseconds)} where id = ${deliveryId}`)
      await touched(minute)
      await sweepNow()
      assert.deepEqual(await statesOf(deliveryId), [])
      await touched(120 * minute)
      await sweepNow()
      assert.deepEqual(await statesOf(deliveryId), ['created'])
    })

    test('two sweeps at once give it one job · DLV-8', async () => {
      const { deliveryId } = await withoutJob(await deliveries.subscriber())
      pass(minute)
      const swept = await Promise.all([sweepNow(), sweepNow(), sweepNow()])
      assert.equal(
        swept.reduce((sum, { enqueued }) => sum + enqueued, 0),
        1,
      )
      assert.deepEqual(await statesOf(deliveryId), ['created'])
    })

    test('a record whose job waits for its next receive is left to it; what is over is left alone · DLV-8', async () => {
      const [waiting, delivered, rejected] = [
        await deliveries.subscriber(),
        await deliveries.subscriber(),
        await deliveries.subscriber(),
      ]
      waiting.answer({ status: 503 })
      rejected.answer({ status: 400 })
      const ids: string[] = []
      for (const one of [waiting, delivered, rejected]) {
        const { deliveryId } = await one.complete()
        await deliveries.attempt(deliveryId)
        ids.push(deliveryId)
      }
      await sweepNow()
      pass(10 * minute)
      assert.deepEqual(await sweepNow(), { enqueued: 0, exhausted: 0 })
      for (const id of ids) assert.deepEqual(await statesOf(id), ['created'])
    })

    test('a record whose enqueue failed gets its job with the same keys, and the event arrives · DLV-7', async () => {
      const subscriber = await deliveries.subscriber()
      const mend = await deliveries.breakQueue()
      const { deliveryId, resultId } = await subscriber.complete()
      await mend()
      const failed = { status: 'FAILED', failureReason: 'ENQUEUE_FAILED', attempts: 0 }
      assert.partialDeepStrictEqual(await deliveries.read(deliveryId), failed)

      assert.ok((await sweepNow()).enqueued >= 1)
      assert.equal((await sweepNow()).enqueued, 0)
      const jobs = await deliveries.jobs(deliveryId)
      assert.deepEqual(
        jobs.map(({ key, state }) => [key, state]),
        [[`result.completed:${resultId}`, 'created']],
      )
      assert.partialDeepStrictEqual(await deliveries.read(deliveryId), failed)

      const worker = deliveries.startWorker()
      const delivered = await deliveries.reaches(deliveryId, 'DELIVERED')
      await worker.stop()
      assert.deepEqual([delivered.attempts, delivered.failureReason], [1, null])
      assert.equal(subscriber.requests[0]?.headers['x-service-idempotency-key'], resultId)
      assert.equal(subscriber.requests.length, 1)
    })

    test('a failed enqueue that could not even be written down is a PENDING record, and is found like one · DLV-7', async () => {
      const { database, time } = deliveries.service
      const subscriber = await deliveries.subscriber()
      const { interview } = await subscriber.invite()
      const reports: string[] = []
      const unreachable = {
        ...database,
        query: () => Promise.reject(new Error('the database is away')),
      }
      const queue = { enqueue: () => Promise.reject(new Error('the queue is away')) }
      const completion = { database: unreachable, queue, report: (problem: string) => void reports.push(problem) }
      const stored = await completeInterview(completion, interview.id, { scoring, final: true }, time.now)
      assert.ok(stored.outcome === 'stored')
      assert.equal(reports.length, 2)
      const delivery = await findDeliveryOfResult(database, stored.resultId)
      assert.equal(delivery?.status, 'PENDING')
      pass(minute)
      await sweepNow()
      assert.deepEqual(await statesOf(delivery.id), ['created'])
    })

    test('1,200 records that wait are all found, page by page · DLV-8', async () => {
      const { database, time } = deliveries.service
      await sweepNow()
      const many = await deliveries.subscriber()
      await insertWaiting(database, many.organizationId, 1_200, time.now)
      pass(minute)
      assert.deepEqual(await sweepNow(), { enqueued: 1_200, exhausted: 0 })
      assert.deepEqual(await sweepNow(), { enqueued: 0, exhausted: 0 })
      // The workers of other tests shall have no part in them.
      await database.execute('delete from pgboss.job where group_id = $1', [many.organizationId])
      await database.query(sql`
        update deliveries set status = 'FAILED', failure_reason = 'WEBHOOK_DISABLED'
        where organization_id = ${many.organizationId}`)
    })

    test('Retry: from FAILED only, taken a minute later, and again when it fails again · DLV-9', async () => {
      const { database, queue } = deliveries.service
      const subscriber = await deliveries.subscriber()
      subscriber.answer({ status: 503 })
      const { deliveryId, resultId } = await subscriber.complete()
      const retry = () => retryDelivery(database, deliveryId, deliveries.service.time.now)
      const letters = () => queue.deadLetters({ deliveryIds: [deliveryId], limit: 10 })
      assert.equal(await retry(), 'not_failed')
      const worker = deliveries.startWorker()

      for (const round of [1, 2, 3]) {
        const failed = await deliveries.reaches(deliveryId, 'FAILED')
        assert.deepEqual([failed.failureReason, failed.attempts], ['RECEIVES_EXHAUSTED', 4])
        assert.ok(await eventually(async () => (await letters()).length === round))
        if (round === 3) subscriber.answer({ status: 200 })
        const retried = await retry()
        assert.partialDeepStrictEqual(retried, { status: 'PENDING', failureReason: null, attempts: 0, resultId })
        assert.equal(await retry(), 'not_failed')
        pass(minute - 1)
        assert.deepEqual(await sweepNow(), { enqueued: 0, exhausted: 0 })
        pass(1)
        // The dead letters of earlier rounds say nothing about this one.
        assert.deepEqual(await sweepNow(), { enqueued: 1, exhausted: 0 })
      }
      const delivered = await deliveries.reaches(deliveryId, 'DELIVERED')
      await worker.stop()
      assert.deepEqual([delivered.attempts, delivered.history.length], [1, 13])
      assert.equal(await retry(), 'not_failed')
      const ids = new Set(subscriber.requests.map(({ headers }) => headers['x-service-event-id']))
      assert.deepEqual([...ids], [`external_result_completed_${resultId}`])
    })

    test('a job that died in this round ends its record, also after earlier rounds that died · DLV-5 DLV-9', async () => {
      const { database, queue } = deliveries.service
      const { deliveryId } = await withoutJob(await deliveries.subscriber())
      for (const round of [1, 2, 3]) {
        await die(deliveryId)
        assert.equal((await queue.deadLetters({ deliveryIds: [deliveryId], limit: 10 })).length, round)
        pass(minute)
        assert.deepEqual(await sweepNow(), { enqueued: 0, exhausted: 1 }, `round ${round}`)
        const failed = { status: 'FAILED', failureReason: 'RECEIVES_EXHAUSTED' }
        assert.partialDeepStrictEqual(await deliveries.read(deliveryId), failed)
        assert.deepEqual(await sweepNow(), { enqueued: 0, exhausted: 0 })
        if (round < 3) await retryDelivery(database, deliveryId, deliveries.service.time.now)
      }
    })

    test('a round that began while the clock was ahead has four attempts like any other · DLV-5', async () => {
      const { database, time } = deliveries.service
      const { deliveryId } = await withoutJob(await deliveries.subscriber())
      await beginAttempts(database, [deliveryId], time.now)
      await die(deliveryId)
      await database.query(sql`
        update deliveries set round_started_at = now() + interval '3 hours' where id = ${deliveryId}`)
      pass(minute)
      assert.deepEqual(await sweepNow(), { enqueued: 0, exhausted: 1 })
    })

    test('an earlier dead letter says nothing about a job that is queued or running · DLV-9', async () => {
      const { database, queue, time } = deliveries.service
      const subscriber = await deliveries.subscriber()
      const { organizationId } = subscriber
      const { deliveryId, resultId } = await withoutJob(subscriber)
      await die(deliveryId)
      await queue.enqueue({ deliveryId, deliveryKey: deliveryKey(resultId), organizationId })
      await beginAttempts(database, [deliveryId], time.now)
      pass(minute)
      assert.deepEqual(await sweepNow(), { enqueued: 0, exhausted: 0 })
      assert.deepEqual(await statesOf(deliveryId), ['created'])
    })

    test('a job that died before its first attempt ends a record whose enqueue had failed, too · DLV-5 DLV-7', async () => {
      const subscriber = await deliveries.subscriber()
      const mend = await deliveries.breakQueue()
      const { deliveryId } = await subscriber.complete()
      await mend()
      await die(deliveryId)
      assert.deepEqual(await sweepNow(), { enqueued: 0, exhausted: 1 })
      const failed = { status: 'FAILED', failureReason: 'RECEIVES_EXHAUSTED', attempts: 0 }
      assert.partialDeepStrictEqual(await deliveries.read(deliveryId), failed)
      assert.deepEqual(await sweepNow(), { enqueued: 0, exhausted: 0 })
    })

    test('of many processes one has the turn in each interval', async () => {
      const { database } = deliveries.service
      const at = (seconds: number) => new Date(Date.UTC(2026, 5, 1) + seconds * 1_000)
      const turns = async (seconds: number) => {
        const asked = Array.from({ length: 8 }, () => takeTurn(database, 'test', 60, at(seconds)))
        return (await Promise.all(asked)).filter(Boolean).length
      }
      assert.deepEqual([await turns(0), await turns(30), await turns(53)], [1, 0, 0])
      assert.deepEqual([await turns(60), await turns(60.1), await turns(119.5), await turns(400)], [1, 0, 1, 1])
      assert.equal(await takeTurn(database, 'other', 60, at(400)), true)
    })

    test('a process whose clock was ahead has taken no turn but its own', async () => {
      const { database } = deliveries.service
      const at = (seconds: number) => new Date(Date.UTC(2026, 5, 1) + seconds * 1_000)
      const turn = (seconds: number) => takeTurn(database, 'ahead', 60, at(seconds))
      assert.deepEqual([await turn(7_200), await turn(0), await turn(0.1)], [true, true, false])
      assert.deepEqual([await turn(119), await turn(60), await turn(179)], [true, false, true])
    })

    test('sweeping goes on by itself, on one process at a time, also after a fault', async () => {
      const { database, queue, time } = deliveries.service
      const done: Swept[] = []
      const faults: string[] = []
      let looks = 0
      const clock = () => {
        looks += 1
        return time.now
      }
      const heard = {
        done: (swept: Swept) => void done.push(swept),
        report: (fault: string) => void faults.push(fault),
      }
      const processes = [1, 2].map(() => startSweeping({ database, queue, clock, intervalSeconds: 0.02, ...heard }))
      try {
        assert.ok(await eventually(async () => looks >= 10))
        assert.equal(done.length, 1)
        const mend = await deliveries.breakQueue()
        const { deliveryId } = await withoutJob(await deliveries.subscriber())
        pass(minute)
        assert.ok(await eventually(async () => faults.length === 1))
        await mend()
        pass(minute)
        assert.ok(await eventually(async () => done.length === 2))
        assert.deepEqual(await statesOf(deliveryId), ['created'])
      } finally {
        for (const one of processes) await one.stop()
      }
    })

    /** As when the process ends between the commit and the enqueue. */
    async function withoutJob(subscriber: Subscriber): Promise<{ deliveryId: string; resultId: string }> {
      const { database, time } = deliveries.service
      const { interview } = await subscriber.invite()
      const completion = { database, queue: { enqueue: async () => true }, report: assert.fail }
      const stored = await completeInterview(completion, interview.id, { scoring, final: true }, time.now)
      assert.ok(stored.outcome === 'stored')
      const delivery = await findDeliveryOfResult(database, stored.resultId)
      return { deliveryId: delivery?.id ?? '', resultId: stored.resultId }
    }

    /** Puts a dead letter where four workers that vanished would have left one, some time after the round began. */
    async function die(deliveryId: string): Promise<void> {
      const { database } = deliveries.service
      const begun = () =>
        database.query(sql`
          select from deliveries
          where id = ${deliveryId} and round_started_at < clock_timestamp() - interval '2 milliseconds'`)
      assert.ok(await eventually(async () => (await begun()).length === 1))
      await database.execute(
        `insert into pgboss.job (name, data) values ('deliveries-dead', jsonb_build_object('deliveryId', $1::text))`,
        [deliveryId],
      )
    }
  })
}
