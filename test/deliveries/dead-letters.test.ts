import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { listDeadLetters, redrive, redriveAll } from '../../server/deliveries/dead-letters.ts'
import { retryDelivery } from '../../server/deliveries/delivery-history.ts'
import { sweep } from '../../server/deliveries/sweep.ts'
import { listActivity } from '../../server/organizations/activity.ts'
import { type CompletedInterview, type Deliveries, type Subscriber, startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'
import { elapse } from '../../support/queue-hooks.ts'
import { raceOnLock } from '../../support/race-on-lock.ts'
import { storeDeliveries } from '../../support/stored-deliveries.ts'

const actor = 'ops@example.com'

for (const engine of engines) {
  describe(`a dead letter on ${engine.name}`, () => {
    let deliveries: Deliveries
    before(async () => {
      deliveries = await startDeliveries(engine)
    })
    after(() => deliveries?.close())

    const lettersOf = async ({ organizationId }: Subscriber) =>
      (await listDeadLetters(deliveries.service.database, { organizationId }, { limit: 10 })).data
    const redriveNow = async (...ids: string[]) => {
      const { database, queue, time } = deliveries.service
      const redriven = await redrive({ database, wake: queue.wake }, { ids, actor }, time.now)
      return redriven.map(({ letter, outcome }) => ({ outcome, deliveryId: letter.deliveryId }))
    }
    const retry = (id: string) =>
      retryDelivery(deliveries.service.database, { id, organizationId: null, by: 'admin' }, deliveries.service.time.now)

    test('appears in its organization’s activity when it is redriven, as one entry per run', async () => {
      const { database } = deliveries.service
      const [one, other] = [await deliveries.subscriber(), await deliveries.subscriber()]
      const letters = [await dead(one), await dead(one), await dead(other)]
      await redriveNow(...letters.map(({ letterId }) => letterId))

      const activityOf = async ({ organizationId }: Subscriber) => {
        const page = await listActivity(database, organizationId, { limit: 1 })
        assert.ok(page !== 'invalid_cursor')
        return page.data.map(({ id: _, at: __, ...rest }) => rest)
      }
      const recorded = { actor, detail: 'from the dead letters', endsAt: null }
      assert.deepEqual(await activityOf(one), [{ ...recorded, action: 'deliveries.retried', subject: '2 deliveries' }])
      assert.deepEqual(await activityOf(other), [
        { ...recorded, action: 'delivery.retried', subject: letters[2]?.deliveryId },
      ])
    })

    test('is redriven immediately with the same keys, and its delivery arrives · DLV-5', async () => {
      const subscriber = await deliveries.subscriber()
      const { deliveryId, resultId, letterId } = await dead(subscriber)
      assert.deepEqual(await redriveNow(letterId), [{ outcome: 'redriven', deliveryId }])
      assert.partialDeepStrictEqual(await deliveries.read(deliveryId), {
        status: 'PENDING',
        failureReason: null,
        attempts: 0,
        deliveryKey: `result.completed:${resultId}`,
        idempotencyKey: resultId,
      })
      assert.deepEqual(await lettersOf(subscriber), [])
      assert.partialDeepStrictEqual(await deliveries.job(deliveryId), { round: 2, receives: 0, leased: false })

      subscriber.answer({ status: 200 })
      const worker = deliveries.startWorker()
      const { attempts, history } = await deliveries.waitForStatus(deliveryId, 'DELIVERED')
      await worker.stop()
      assert.deepEqual([attempts, subscriber.requests.length], [1, 5])
      assert.partialDeepStrictEqual(history.at(-1), { number: 5, round: 2, roundBegunBy: actor })
    })

    test('can be redriven once, and an unknown ID is not found', async () => {
      const { letterId } = await dead(await deliveries.subscriber())
      assert.equal((await redriveNow(letterId))[0]?.outcome, 'redriven')
      for (const id of [letterId, '', 'x', "' or true --", '00000000-0000-7000-8000-000000000000']) {
        assert.deepEqual(await redriveNow(id), [])
      }
    })

    test('of a delivery that has since arrived is only removed · DLV-2', async () => {
      const subscriber = await deliveries.subscriber()
      const { deliveryId, letterId } = await dead(subscriber)
      await retry(deliveryId)
      subscriber.answer({ status: 200 })
      await deliveries.attempt(deliveryId)
      assert.deepEqual(await redriveNow(letterId), [{ outcome: 'delivered', deliveryId }])
      assert.equal((await deliveries.read(deliveryId)).status, 'DELIVERED')
      assert.deepEqual(await lettersOf(subscriber), [])
      assert.equal(await deliveries.job(deliveryId), null)
    })

    test('of a retried delivery adds no second job and does not speed up the first · DLV-8 DLV-17', async () => {
      const subscriber = await deliveries.subscriber()
      const { deliveryId, letterId } = await dead(subscriber)
      await retry(deliveryId)
      assert.deepEqual(await redriveNow(letterId), [{ outcome: 'superseded', deliveryId }])
      const job = await deliveries.job(deliveryId)
      assert.partialDeepStrictEqual(job, { round: 2, receives: 0, leased: false })
      assert.ok(job && job.dueInSeconds > 30)
      assert.deepEqual(await lettersOf(subscriber), [])
    })

    test('of an earlier round does not restart a delivery that has failed again since · DLV-17', async () => {
      const subscriber = await deliveries.subscriber()
      const { deliveryId, letterId } = await dead(subscriber)
      await retry(deliveryId)
      for (const _ of [1, 2, 3, 4]) await deliveries.attempt(deliveryId)
      assert.deepEqual(await redriveNow(letterId), [{ outcome: 'superseded', deliveryId }])
      assert.partialDeepStrictEqual(await deliveries.read(deliveryId), { status: 'FAILED' })
      assert.equal(await deliveries.job(deliveryId), null)
    })

    test('of an earlier round is not counted when it is redriven together with the current one · DLV-17', async () => {
      const subscriber = await deliveries.subscriber()
      const { deliveryId } = await dead(subscriber)
      await retry(deliveryId)
      for (const _ of [1, 2, 3, 4]) await deliveries.attempt(deliveryId)
      const letters = await lettersOf(subscriber)
      assert.deepEqual(
        letters.map(({ round }) => round),
        [2, 1],
      )
      const redriven = await redriveNow(...letters.map(({ id }) => id))
      assert.deepEqual(redriven.map(({ outcome }) => outcome).sort(), ['redriven', 'superseded'])
      assert.partialDeepStrictEqual(await deliveries.job(deliveryId), { round: 3, receives: 0 })
      const activity = await listActivity(deliveries.service.database, subscriber.organizationId, { limit: 1 })
      assert.ok(activity !== 'invalid_cursor')
      assert.partialDeepStrictEqual(activity.data, [{ action: 'delivery.retried', subject: deliveryId }])
    })

    test('leaves a retried attempt in progress alone when it is redriven · DLV-3 DLV-17', async () => {
      const { database, queue } = deliveries.service
      const subscriber = await deliveries.subscriber()
      const { deliveryId, letterId } = await dead(subscriber)
      const asked = Promise.withResolvers<void>()
      const released = Promise.withResolvers<void>()
      subscriber.answer(async () => {
        asked.resolve()
        await released.promise
        return { status: 410 }
      })
      await retry(deliveryId)
      await elapse(database, 60)
      const worker = deliveries.startWorker()
      await asked.promise
      assert.deepEqual(await redriveNow(letterId), [{ outcome: 'superseded', deliveryId }])
      assert.deepEqual(await lettersOf(subscriber), [])
      released.resolve()

      const failed = await deliveries.waitForStatus(deliveryId, 'FAILED')
      assert.deepEqual([failed.failureReason, failed.attempts], ['RECEIVER_REJECTED', 1])
      await elapse(database, 3_600)
      await sweep({ database, queue, retryDelaySeconds: 0 })
      await worker.stop()
      assert.equal(await deliveries.job(deliveryId), null)
      assert.equal(subscriber.requests.length, 5)
      assert.deepEqual(await deliveries.read(deliveryId), failed)
    })

    test('remains if its redrive fails: removing it and adding the job is one transaction · DLV-7', async () => {
      const subscriber = await deliveries.subscriber()
      const { deliveryId, letterId } = await dead(subscriber)
      const restore = await deliveries.breakQueue()
      await assert.rejects(redriveNow(letterId))
      await restore()
      assert.equal((await deliveries.read(deliveryId)).status, 'FAILED')
      assert.deepEqual(await redriveNow(letterId), [{ outcome: 'redriven', deliveryId }])
      assert.partialDeepStrictEqual(await deliveries.job(deliveryId), { round: 2, receives: 0 })
    })

    test('any number of them is redriven, page by page', async () => {
      const { database, queue, time } = deliveries.service
      const { organizationId } = await deliveries.subscriber()
      const rows = Array.from({ length: 1_001 }, (_, index) => ({
        ...({ email: `dead.${index}@example.com`, status: 'FAILED', error: 'HTTP_5XX', createdAt: time.now } as const),
      }))
      await storeDeliveries(database, organizationId, rows)
      await database.query(sql`
        insert into dead_letters (delivery_id, organization_id, round)
        select id, organization_id, round from deliveries where organization_id = ${organizationId}`)
      const redriven = await redriveAll(
        { database, wake: queue.wake },
        { filter: { organizationId }, actor },
        () => time.now,
      )
      assert.deepEqual(redriven, { redriven: 1_001, delivered: 0, superseded: 0 })
    })

    test('is locked in the same order as by the erasure of its candidate', async (t) => {
      if (engine.name === 'embedded') return t.skip('runs one statement at a time')
      const { deliveryId, letterId } = await dead(await deliveries.subscriber())
      const [redriven] = await raceOnLock(
        deliveries.service.database,
        sql`select from deliveries where id = ${deliveryId} for update`,
        () => [redriveNow(letterId)],
        sql`delete from dead_letters where delivery_id = ${deliveryId}`,
      )
      assert.deepEqual(redriven, [])
    })

    async function dead(subscriber: Subscriber): Promise<CompletedInterview & { letterId: string }> {
      subscriber.answer({ status: 500 })
      const completed = await subscriber.complete()
      for (const _ of [1, 2, 3, 4]) await deliveries.attempt(completed.deliveryId)
      const letter = (await lettersOf(subscriber)).find(({ deliveryId }) => deliveryId === completed.deliveryId)
      assert.ok(letter)
      assert.partialDeepStrictEqual(letter, { round: 1, failureReason: 'RECEIVES_EXHAUSTED', lastError: 'HTTP_5XX' })
      return { ...completed, letterId: letter.id }
    }
  })
}
