import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { DatabaseUnavailable } from '../../server/database/failures.ts'
import { SecretUnreadable } from '../../server/endpoints/secrets.ts'
import { learnCeiling, pauseOrganization, readPace, setMaxPerSecond } from '../../server/queue/pauses.ts'
import { saveWebhook } from '../../server/workflows/administer.ts'
import { type Deliveries, startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'
import { eventually } from '../../support/process.ts'
import { elapsePaces } from '../../support/queue-hooks.ts'
import { storeDeliveries } from '../../support/stored-deliveries.ts'
import { watchStatements } from '../../support/watch-statements.ts'

for (const engine of engines) {
  describe(`the pace of deliveries on ${engine.name}`, () => {
    let deliveries: Deliveries
    before(async () => {
      deliveries = await startDeliveries(engine)
    })
    after(() => deliveries?.close())
    afterEach(() => deliveries.stopWorkers())
    const pauseOf = async (organizationId: string) => {
      const { pausedUntil } = await readPace(deliveries.service.database, organizationId)
      return pausedUntil === null ? null : (Date.parse(pausedUntil) - Date.now()) / 1_000
    }

    test('after a 429 the others wait without losing a receive, then all arrive · DLV-19', async () => {
      const subscriber = await deliveries.subscriber()
      const other = await deliveries.subscriber()
      subscriber.answer({ status: 429, headers: { 'retry-after': '600' } })
      const { deliveryId: refused } = await subscriber.complete()
      deliveries.startWorker()
      const failed = await deliveries.waitForStatus(refused, 'FAILED')
      assert.equal(failed.failureReason, 'RECEIVER_REJECTED', 'a 4xx is final')
      assert.ok(((await pauseOf(subscriber.organizationId)) ?? 0) > 300)

      subscriber.answer({ status: 200 })
      const waiting = [await subscriber.complete(), await subscriber.complete(), await subscriber.complete()]
      const { deliveryId: delivered } = await other.complete()
      await deliveries.waitForStatus(delivered, 'DELIVERED')
      for (const { deliveryId } of waiting) {
        // A claim right after the pause began may have taken it; then it goes back.
        assert.ok(await eventually(async () => (await deliveries.job(deliveryId))?.receives === 0))
        assert.partialDeepStrictEqual(await deliveries.read(deliveryId), {
          status: 'PENDING',
          attempts: 0,
          history: [],
        })
      }
      assert.equal(subscriber.requests.length, 1)
      const { nextAttemptAt } = await deliveries.read(waiting[0]?.deliveryId ?? '')
      assert.ok(Date.parse(nextAttemptAt ?? '') > Date.now() + 300_000, 'the next attempt is after the pause')

      await elapsePaces(deliveries.service.database, 600)
      for (const { deliveryId } of waiting) {
        assert.equal((await deliveries.waitForStatus(deliveryId, 'DELIVERED')).attempts, 1)
      }
    })

    test('what the old receiver asked for doesn’t pause the new one · DLV-19', async () => {
      const [old, next] = [await deliveries.subscriber(), await deliveries.subscriber()]
      const { promise: moved, resolve: move } = Promise.withResolvers<void>()
      old.answer(async () => {
        await moved
        return { status: 429, headers: { 'retry-after': '900' } }
      })
      const { deliveryId } = await old.complete()
      deliveries.startWorker({ retryDelaySeconds: 3_600 })
      assert.ok(await eventually(async () => old.requests.length === 1))
      const change = { organizationId: old.organizationId, actor: 'test' }
      await saveWebhook(deliveries.out, change, { url: next.url }, new Date())
      move()
      assert.ok(await eventually(async () => (await deliveries.read(deliveryId)).history.length === 1))
      assert.equal(await pauseOf(old.organizationId), null)
      const { deliveryId: later } = await old.complete()
      await deliveries.waitForStatus(later, 'DELIVERED')
      assert.equal(next.requests.length, 1)
    })

    test('a 503 with Retry-After asks for a pause, a date is understood, and a 429 alone means 30 seconds · DLV-19', async () => {
      const inAnHour = new Date(Date.now() + 3_600_000).toUTCString()
      const cases = [
        { answer: { status: 503 }, from: null },
        { answer: { status: 500, headers: { 'retry-after': '60' } }, from: null },
        { answer: { status: 503, headers: { 'retry-after': '600' } }, from: 400, to: 600 },
        { answer: { status: 429 }, from: 1, to: 30 },
        { answer: { status: 429, headers: { 'retry-after': inAnHour } }, from: 600, to: 900 },
        { answer: { status: 429, headers: { 'retry-after': 'soon' } }, from: 1, to: 30 },
      ]
      deliveries.startWorker({ retryDelaySeconds: 3_600 })
      for (const { answer, from, to = 0 } of cases) {
        const subscriber = await deliveries.subscriber()
        subscriber.answer(answer)
        const { deliveryId } = await subscriber.complete()
        assert.ok(await eventually(async () => (await deliveries.read(deliveryId)).history.length === 1))
        const seconds = await pauseOf(subscriber.organizationId)
        const what = `${JSON.stringify(answer)}: ${seconds}`
        if (from === null) assert.equal(seconds, null, what)
        else assert.ok(seconds !== null && seconds > from && seconds <= to, what)
      }
    })

    test('a pause that begins after the claim stops the request, and the job keeps its place and its receives · DLV-19', async () => {
      const { database } = deliveries.service
      const subscriber = await deliveries.subscriber()
      const { deliveryId } = await subscriber.complete()
      const before = await deliveries.job(deliveryId)
      await pauseOrganization(database, subscriber.organizationId, 60)
      const { outcome, waitSeconds = 0 } = await deliveries.attempt(deliveryId)
      assert.equal(outcome, 'postponed')
      assert.ok(waitSeconds > 30 && waitSeconds <= 60)
      assert.equal(subscriber.requests.length, 0)
      assert.partialDeepStrictEqual(await deliveries.read(deliveryId), { status: 'PENDING', attempts: 0, history: [] })
      const job = await deliveries.job(deliveryId)
      assert.partialDeepStrictEqual(job, { receives: 0, leased: false })
      assert.ok(job && before && job.dueInSeconds <= before.dueInSeconds, 'it was due before and still is')
    })

    test('an engine that does not choose its jobs gets a turn for each, or gives it back · DLV-19', async () => {
      const { database } = deliveries.service
      const subscriber = await deliveries.subscriber()
      await setMaxPerSecond(database, subscriber.organizationId, 1)
      const first = await subscriber.complete()
      const second = await subscriber.complete()
      assert.equal((await deliveries.attempt(first.deliveryId)).outcome, 'delivered')
      const held = await deliveries.attempt(second.deliveryId)
      assert.equal(held.outcome, 'postponed')
      assert.ok((held.waitSeconds ?? 0) > 0)
      await elapsePaces(database, 10)
      assert.equal((await deliveries.attempt(second.deliveryId)).outcome, 'delivered')
    })

    test('a pause is recorded as soon as the database is back · DLV-19', async () => {
      const subscriber = await deliveries.subscriber()
      subscriber.answer({ status: 429, headers: { 'retry-after': '600' } })
      await subscriber.complete()
      let tries = 0
      const away = watchStatements(deliveries.service.database, ({ text }) => {
        if (!text.includes('insert into endpoint_paces')) return
        tries += 1
        if (tries === 1) throw new DatabaseUnavailable('gone after the response')
      })
      deliveries.startWorker({ database: away })
      assert.ok(await eventually(async () => ((await pauseOf(subscriber.organizationId)) ?? 0) > 300))
      assert.ok(deliveries.logged().includes('the pause a receiver asked for could not be recorded yet'))
    })

    test('a turn taken for a request that could not be signed is given back · DLV-19', async () => {
      const { database } = deliveries.service
      const { loader } = deliveries.out
      const subscriber = await deliveries.subscriber()
      const { deliveryId } = await subscriber.complete()
      const unreadable = Promise.withResolvers<void>()
      deliveries.startWorker({
        loader: {
          ...loader,
          async load(id) {
            // After the claim, which therefore took no turn.
            await setMaxPerSecond(database, subscriber.organizationId, 1)
            return loader.load(id)
          },
        },
        signingKey() {
          unreadable.resolve()
          throw new SecretUnreadable('another key')
        },
      })
      await unreadable.promise
      assert.ok(await eventually(async () => (await deliveries.job(deliveryId))?.leased === false))
      await deliveries.stopWorkers()
      const turns = await database.query(sql`
        select from pace_turns where organization_id = ${subscriber.organizationId}`)
      assert.deepEqual([turns.length, subscriber.requests.length], [0, 0])
    })

    test('what the receiver accepted before a 429 bounds how fast it starts again · DLV-19', async () => {
      const { database } = deliveries.service
      const { organizationId } = await deliveries.subscriber()
      const { organizationId: other } = await deliveries.subscriber()
      const delivered = (count: number) =>
        Array.from({ length: count }, (_, index) => ({
          email: `${index}@example.com`,
          status: 'DELIVERED' as const,
          createdAt: new Date(),
          milliseconds: 5,
        }))
      const ceiling = async () => {
        const [row] = await database.query<{ ceiling: number | null }>(sql`
          select slow_ceiling as ceiling from endpoint_paces where organization_id = ${organizationId}`)
        return row?.ceiling
      }
      await pauseOrganization(database, organizationId, 60)
      await storeDeliveries(database, other, delivered(30))
      await learnCeiling(database, organizationId)
      assert.equal(await ceiling(), null, 'nothing is known yet')
      await storeDeliveries(database, organizationId, delivered(13))
      await database.query(sql`update deliveries set delivered_at = now() where delivered_at is not null`)
      await pauseOrganization(database, organizationId, 60)
      await learnCeiling(database, organizationId)
      assert.equal(await ceiling(), 6)
      await elapsePaces(database, 60)
      await pauseOrganization(database, organizationId, 60)
      assert.equal(await ceiling(), null, 'a new pause learns anew')
    })

    test('the history holds where a request went and what came back, without secrets', async () => {
      const subscriber = await deliveries.subscriber()
      const cookie = 'session=not-for-the-history'
      subscriber.answer({
        status: 410,
        headers: { 'set-cookie': cookie, 'x-trace': 'abc', 'x-auth-token': 'secret-1' },
      })
      const { deliveryId } = await subscriber.complete()
      await deliveries.attempt(deliveryId)
      const [attempt] = (await deliveries.read(deliveryId)).history
      assert.equal(attempt?.url, subscriber.url)
      const headers = new Map(attempt.headers)
      assert.equal(headers.get('x-trace'), 'abc')
      assert.deepEqual([headers.get('set-cookie'), headers.get('x-auth-token')], ['(not stored)', '(not stored)'])
      const stored = await deliveries.service.database.query(sql`select * from delivery_attempts`)
      assert.doesNotMatch(JSON.stringify(stored), /not-for-the-history|secret-1/)
    })
  })
}
