import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { DatabaseUnavailable } from '../../server/database/failures.ts'
import { attempt } from '../../server/deliveries/attempt.ts'
import { listDeadLetters } from '../../server/deliveries/dead-letters.ts'
import { retryDelivery } from '../../server/deliveries/delivery-history.ts'
import { createDeliveryLoader } from '../../server/deliveries/load.ts'
import { settle } from '../../server/deliveries/transitions.ts'
import { claimJobs } from '../../server/queue/jobs.ts'
import { createPostgresQueue } from '../../server/queue/postgres-queue.ts'
import { type Deliveries, type Subscriber, startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'
import { eventually } from '../../support/process.ts'
import { claimJob, elapse, expireLease } from '../../support/queue-hooks.ts'
import { watchStatements } from '../../support/watch-statements.ts'

for (const engine of engines) {
  describe(`recovery on ${engine.name}`, () => {
    let deliveries: Deliveries
    before(async () => {
      deliveries = await startDeliveries(engine)
    })
    after(() => deliveries?.close())
    afterEach(() => deliveries.stopWorkers())
    const lettersOf = async ({ organizationId }: Subscriber) =>
      (await listDeadLetters(deliveries.service.database, { organizationId }, { limit: 10 })).data

    test('a dead process’s job is claimed again when its lease expires, and its attempt is in the history · DLV-11', async () => {
      const { database } = deliveries.service
      const [subscriber, other] = [await deliveries.subscriber(), await deliveries.subscriber()]
      const { deliveryId } = await subscriber.complete()
      await claimJob(database, deliveryId)
      deliveries.startWorker()
      // The worker has polled, and left alone the job that another process holds.
      await deliveries.waitForStatus((await other.complete()).deliveryId, 'DELIVERED')
      assert.equal(subscriber.requests.length, 0)

      await expireLease(database, deliveryId)
      const { attempts, history } = await deliveries.waitForStatus(deliveryId, 'DELIVERED')
      assert.equal(attempts, 2)
      assert.deepEqual(
        history.map(({ number, finishedAt, status }) => [number, finishedAt !== null, status]),
        [
          [1, false, null],
          [2, true, 200],
        ],
      )
      assert.equal(subscriber.requests.length, 1)
    })

    test('a slow attempt is not claimed a second time · DLV-11', async () => {
      const leaseSeconds = 1.5
      let renewals = 0
      const longerThanTheLease = Promise.withResolvers<void>()
      const database = watchStatements(deliveries.service.database, ({ text }) => {
        if (!text.includes('update delivery_jobs j set leased_until')) return
        renewals += 1
        if (renewals === 4) longerThanTheLease.resolve()
      })
      const queues = [1, 2].map(() => createPostgresQueue({ database, leaseSeconds, pollMilliseconds: 50 }))
      const subscriber = await deliveries.subscriber()
      subscriber.answer(async () => {
        await longerThanTheLease.promise
        return { status: 200 }
      })
      const { deliveryId } = await subscriber.complete()
      for (const queue of queues) deliveries.startWorker({ queue })
      const { attempts, history } = await deliveries.waitForStatus(deliveryId, 'DELIVERED')
      assert.ok(renewals >= 4)
      assert.deepEqual([subscriber.requests.length, attempts, history.length], [1, 1, 1])
      assert.ok((history[0]?.timing.total ?? 0) > leaseSeconds * 1_000)
    })

    test('a worker that dies in the fourth receive leaves a dead letter and a FAILED record, in every round · DLV-5 DLV-9', async () => {
      const { database, time } = deliveries.service
      const subscriber = await deliveries.subscriber()
      subscriber.answer({ status: 503 })
      const { deliveryId: id } = await subscriber.complete()
      for (const round of [1, 2]) {
        for (const _ of [1, 2, 3]) await deliveries.attempt(id)
        await attempt(deliveries.out, await claimJob(database, id))
        assert.equal((await deliveries.read(id)).status, 'PENDING')
        await expireLease(database, id)
        deliveries.startWorker()
        const failed = await deliveries.waitForStatus(id, 'FAILED')
        await deliveries.stopWorkers()
        assert.deepEqual([failed.failureReason, failed.attempts], ['RECEIVES_EXHAUSTED', 4])
        assert.deepEqual(
          failed.history.filter(({ finishedAt }) => finishedAt === null).map(({ number }) => number),
          [4, 8].slice(0, round),
        )
        assert.equal((await lettersOf(subscriber)).length, round)
        assert.equal(await deliveries.job(id), null)
        assert.equal(subscriber.requests.length, 4 * round)
        await retryDelivery(database, { id, organizationId: subscriber.organizationId, by: 'admin' }, time.now)
      }
    })

    test('workers that die in all four receives leave a dead letter without a reason · DLV-5', async () => {
      const { database } = deliveries.service
      const subscriber = await deliveries.subscriber()
      const { deliveryId } = await subscriber.complete()
      for (const _ of [1, 2, 3, 4]) await claimJob(database, deliveryId)
      await expireLease(database, deliveryId)
      deliveries.startWorker()
      const failed = await deliveries.waitForStatus(deliveryId, 'FAILED')
      assert.deepEqual([failed.failureReason, failed.attempts, failed.lastError], ['RECEIVES_EXHAUSTED', 4, null])
      assert.equal((await lettersOf(subscriber)).length, 1)
      assert.equal(subscriber.requests.length, 0)
    })

    test('a receive during a database outage is not counted, and its outcome is recorded later · DLV-11', async () => {
      const { database } = deliveries.service
      const subscriber = await deliveries.subscriber()
      const { deliveryId } = await subscriber.complete()
      const { loader } = deliveries.out
      let loads = 0
      let records = 0
      const away = watchStatements(database, ({ text, values }) => {
        if (!text.includes('with settled as') || !values.flat().includes(deliveryId)) return
        records += 1
        if (records === 2) throw new DatabaseUnavailable('gone after the request')
      })
      deliveries.startWorker({
        database: away,
        loader: {
          ...loader,
          async load(id) {
            if (id === deliveryId) loads += 1
            if (id === deliveryId && loads === 1) throw new DatabaseUnavailable('gone before the request')
            return loader.load(id)
          },
        },
      })
      assert.ok(await eventually(async () => records === 1 && (await deliveries.job(deliveryId))?.leased === false))
      await elapse(database, 60)
      const { attempts, history } = await deliveries.waitForStatus(deliveryId, 'DELIVERED')
      assert.deepEqual([attempts, history.map(({ number, status }) => [number, status])], [1, [[1, 200]]])
      assert.equal(subscriber.requests.length, 1)
      assert.ok(deliveries.logged().includes(`delivery ${deliveryId} could not be recorded yet`))
    })

    test('a receive is given back also if that can only be recorded later, and never another worker’s · DLV-11', async () => {
      const { database } = deliveries.service
      const subscriber = await deliveries.subscriber()
      const { deliveryId } = await subscriber.complete()
      let outages = 2
      const away = watchStatements(database, ({ text }) => {
        if (outages === 0 || !text.includes('with settled as')) return
        outages -= 1
        throw new DatabaseUnavailable('still gone')
      })
      const load = () => Promise.reject(new DatabaseUnavailable('gone before the request'))
      deliveries.startWorker({ database: away, loader: { ...deliveries.out.loader, load } })
      assert.ok(await eventually(async () => outages === 0 && (await deliveries.job(deliveryId))?.leased === false))
      await deliveries.stopWorkers()
      assert.partialDeepStrictEqual(await deliveries.job(deliveryId), { receives: 0 })

      await elapse(database, 60)
      const slots = { free: 10, perOrganization: 10, freeByOrganization: new Map() }
      const claim = async () => {
        const { jobs } = await claimJobs(database, { after: '', slots, leaseSeconds: 3_600 })
        const job = jobs.find((one) => one.deliveryId === deliveryId)
        assert.ok(job)
        return job
      }
      const first = await claim()
      const givenBack = { job: first, outcome: 'postponed', uncounted: true, attempt: null } as const
      await settle(database, [givenBack])
      const second = await claim()
      assert.equal(second.receive, first.receive)
      await settle(database, [givenBack])
      assert.partialDeepStrictEqual(await deliveries.job(deliveryId), { receives: 1, leased: true })
    })

    test('a delivery that can’t be processed ends as a dead letter without affecting others · DLV-5', async () => {
      const { database } = deliveries.service
      const all: Subscriber[] = []
      for (let count = 0; count < 6; count += 1) all.push(await deliveries.subscriber())
      const completed = await Promise.all(all.map((subscriber) => subscriber.complete()))
      const [unreadable, unbuildable, ancient, ...good] = completed
      const [first, second, ...others] = all
      assert.ok(unreadable && unbuildable && ancient && first && second)
      await database.query(sql`update results set scoring = '{}' where id = ${unbuildable.resultId}`)
      await database.query(sql`
        update results set completed_at = '0001-01-01 00:00:00+00 BC' where id = ${ancient.resultId}`)
      const breaking = watchStatements(database, ({ values }) => {
        if (values.flat().includes(unreadable.deliveryId)) throw new Error('a value that cannot be read')
      })

      deliveries.startWorker({ loader: createDeliveryLoader(breaking) })
      for (const { deliveryId } of [ancient, ...good]) {
        const { attempts, history } = await deliveries.waitForStatus(deliveryId, 'DELIVERED')
        assert.deepEqual([attempts, history.length], [1, 1])
      }
      for (const { deliveryId } of [unreadable, unbuildable]) {
        const ended = async () => {
          const job = await deliveries.job(deliveryId)
          if (job && !job.leased) await elapse(database, 2)
          return (await deliveries.read(deliveryId)).status === 'FAILED'
        }
        assert.ok(await eventually(ended))
        assert.partialDeepStrictEqual(await deliveries.read(deliveryId), { failureReason: 'RECEIVES_EXHAUSTED' })
        assert.equal(await deliveries.job(deliveryId), null)
        const reports = deliveries.logged().split(`delivery ${deliveryId} could not be attempted`).length - 1
        assert.equal(reports, 4)
      }
      for (const subscriber of [first, second]) {
        assert.equal((await lettersOf(subscriber)).length, 1)
        assert.equal(subscriber.requests.length, 0)
      }
      for (const subscriber of others) assert.equal(subscriber.requests.length, 1)
    })
  })
}
