import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { sweep } from '../../server/deliveries/sweep.ts'
import { startScheduled, takeTurn } from '../../server/operations/scheduler.ts'
import { removeJobs } from '../../server/queue/jobs.ts'
import { type Deliveries, type Subscriber, startDeliveries } from '../support/deliveries.ts'
import { engines } from '../support/engines.ts'
import { eventually } from '../support/process.ts'
import { insertWaiting } from './waiting-deliveries.ts'

for (const engine of engines) {
  describe(`the sweep on ${engine.name}`, () => {
    let deliveries: Deliveries
    before(async () => {
      deliveries = await startDeliveries(engine)
    })
    after(() => deliveries?.close())

    const sweepNow = () => {
      const { database, queue } = deliveries.service
      return sweep({ database, queue, retryDelaySeconds: 0 })
    }
    /** The record was last touched that long ago; ahead of the database's clock if negative. */
    const touched = (deliveryId: string, secondsAgo: number) =>
      deliveries.service.database.query(sql`
        update deliveries set updated_at = now() - ${secondsAgo}::float8 * interval '1 second' where id = ${deliveryId}`)

    test('a PENDING record without a job gets one after a minute, with the same keys, and never a second · DLV-8', async () => {
      const subscriber = await deliveries.subscriber()
      const { deliveryId, resultId } = await withoutJob(subscriber)
      await touched(deliveryId, 30)
      await sweepNow()
      assert.equal(await deliveries.job(deliveryId), null)
      await touched(deliveryId, 60)
      assert.deepEqual(await sweepNow(), { enqueued: 1 })
      const { organizationId } = subscriber
      const expected = { deliveryId, organizationId, round: 1, receives: 0, leased: false }
      assert.partialDeepStrictEqual(await deliveries.job(deliveryId), expected)
      await touched(deliveryId, 3_600)
      assert.deepEqual(await sweepNow(), { enqueued: 0 })
      const untouched = { status: 'PENDING', attempts: 0, deliveryKey: `result.completed:${resultId}` }
      assert.partialDeepStrictEqual(await deliveries.read(deliveryId), untouched)
    })

    test("a record touched while the database's clock was hours ahead gets its job now, not then · DLV-8", async () => {
      const { deliveryId } = await withoutJob(await deliveries.subscriber())
      await touched(deliveryId, -30)
      await sweepNow()
      assert.equal(await deliveries.job(deliveryId), null)
      await touched(deliveryId, -7_200)
      assert.deepEqual(await sweepNow(), { enqueued: 1 })
      assert.ok(await deliveries.job(deliveryId))
    })

    test('several sweeps at once give it one job · DLV-8', async () => {
      const { deliveryId } = await withoutJob(await deliveries.subscriber())
      await touched(deliveryId, 60)
      await Promise.all([sweepNow(), sweepNow(), sweepNow()])
      assert.partialDeepStrictEqual(await deliveries.job(deliveryId), { round: 1, receives: 0, leased: false })
    })

    test('a record whose job waits for its next receive is left alone, and so is what has ended · DLV-8', async () => {
      const [waiting, delivered, rejected] = [
        await deliveries.subscriber(),
        await deliveries.subscriber(),
        await deliveries.subscriber(),
      ]
      waiting.answer({ status: 503 })
      rejected.answer({ status: 400 })
      const jobs: (number | undefined)[] = []
      for (const subscriber of [waiting, delivered, rejected]) {
        const { deliveryId } = await subscriber.complete()
        await deliveries.attempt(deliveryId)
        await touched(deliveryId, 3_600)
        assert.deepEqual(await sweepNow(), { enqueued: 0 })
        jobs.push((await deliveries.job(deliveryId))?.receives)
      }
      assert.deepEqual(jobs, [1, undefined, undefined])
    })

    test('a record whose enqueue failed gets its job with the same keys, and the event arrives · DLV-7', async () => {
      const subscriber = await deliveries.subscriber()
      const restore = await deliveries.breakQueue()
      const { deliveryId, resultId } = await subscriber.complete()
      await restore()
      const failed = { status: 'FAILED', failureReason: 'ENQUEUE_FAILED', attempts: 0 }
      assert.partialDeepStrictEqual(await deliveries.read(deliveryId), failed)

      assert.deepEqual(await sweepNow(), { enqueued: 1 })
      assert.deepEqual(await sweepNow(), { enqueued: 0 })
      assert.partialDeepStrictEqual(await deliveries.job(deliveryId), { round: 1, receives: 0, leased: false })
      assert.partialDeepStrictEqual(await deliveries.read(deliveryId), failed)

      const worker = deliveries.startWorker()
      const delivered = await deliveries.reaches(deliveryId, 'DELIVERED')
      await worker.stop()
      assert.deepEqual([delivered.attempts, delivered.failureReason], [1, null])
      assert.equal(subscriber.requests[0]?.headers['x-service-idempotency-key'], resultId)
      assert.equal(subscriber.requests.length, 1)
    })

    test('a record whose enqueue failed fails like any other once it was attempted · DLV-5 DLV-7', async () => {
      const subscriber = await deliveries.subscriber()
      subscriber.answer({ status: 503 })
      const restore = await deliveries.breakQueue()
      const { deliveryId } = await subscriber.complete()
      await restore()
      await sweepNow()
      await deliveries.attempt(deliveryId)
      const waiting = { status: 'PENDING', failureReason: null, attempts: 1 }
      assert.partialDeepStrictEqual(await deliveries.read(deliveryId), waiting)
      for (const _ of [2, 3, 4]) await deliveries.attempt(deliveryId)
      const failed = { status: 'FAILED', failureReason: 'RECEIVES_EXHAUSTED', attempts: 4 }
      assert.partialDeepStrictEqual(await deliveries.read(deliveryId), failed)
      assert.deepEqual(await sweepNow(), { enqueued: 0 })
    })

    test('1,200 records that wait are all found, page by page · DLV-8', async () => {
      const { database } = deliveries.service
      const { organizationId } = await deliveries.subscriber()
      await insertWaiting(database, organizationId, 1_200, new Date('2026-03-01T12:00:00.000Z'))
      assert.deepEqual(await sweepNow(), { enqueued: 1_200 })
      assert.deepEqual(await sweepNow(), { enqueued: 0 })
      const waiting = await database.query<{ id: string }>(sql`
        delete from deliveries where organization_id = ${organizationId} returning id`)
      await removeJobs(
        database,
        waiting.map(({ id }) => id),
      )
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

    test('scheduled work runs on one process at a time, and goes on after a fault', async () => {
      const { database, time } = deliveries.service
      let runs = 0
      let looks = 0
      const faults: string[] = []
      const clock = () => {
        looks += 1
        return time.now
      }
      const work = async () => {
        runs += 1
        if (runs === 2) throw new Error('the queue is away')
      }
      const processes = [1, 2].map(() =>
        startScheduled({
          ...{ database, name: 'work', intervalSeconds: 0.02, clock, work },
          report: (fault) => void faults.push(fault),
        }),
      )
      const looksAgain = async () => {
        const before = looks
        assert.ok(await eventually(async () => looks >= before + 10))
      }
      try {
        for (const expected of [1, 2, 3]) {
          await looksAgain()
          assert.equal(runs, expected)
          time.now = new Date(time.now.getTime() + 60_000)
        }
      } finally {
        for (const one of processes) await one.stop()
      }
      assert.deepEqual(faults, ['the work failed; the next one tries again'])
    })

    /** As when a queue elsewhere was not told of it. */
    async function withoutJob(subscriber: Subscriber): Promise<{ deliveryId: string; resultId: string }> {
      const completed = await subscriber.complete()
      await removeJobs(deliveries.service.database, [completed.deliveryId])
      return completed
    }
  })
}
