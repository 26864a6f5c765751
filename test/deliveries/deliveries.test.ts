import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { createBatcher } from '../../server/database/batcher.ts'
import type { Database } from '../../server/database/database.ts'
import { serverVersion } from '../../server/database/migrate.ts'
import {
  beginAttempts,
  createDeliveryRecords,
  markDisabled,
  type Outcome,
  recordOutcomes,
} from '../../server/deliveries/deliveries.ts'
import { findDelivery, listDeliveries, retryDelivery } from '../../server/deliveries/delivery-history.ts'
import { removeEndpoint, setEndpointEnabled } from '../../server/endpoints/endpoint.ts'
import { createOrganization } from '../../server/organizations/organizations.ts'
import { type Deliveries, type Subscriber, startDeliveries } from '../support/deliveries.ts'
import { engines } from '../support/engines.ts'
import { storeDeliveries } from '../support/stored-deliveries.ts'

const answered: Outcome = { error: null, detail: null, status: 200, address: '127.0.0.1', answer: null, timing: null }
const nobody = 'dlv_01m7efx4xwfztrm1s20bva7r58'

for (const engine of engines) {
  describe(`delivery records on ${engine.name}`, () => {
    let deliveries: Deliveries
    before(async () => {
      deliveries = await startDeliveries(engine)
    })
    after(() => deliveries?.close())

    test('are listed newest first, page by page, by status, and each organization sees its own · DLV-13', async () => {
      const { database } = deliveries.service
      const [subscriber, other] = [await deliveries.subscriber(), await deliveries.subscriber()]
      const ids = await several(subscriber, 5)
      await several(other, 1)
      for (const id of [ids[1] ?? '', ids[3] ?? '']) await deliveries.attempt(id, { last: true })
      const newest = ids.toReversed()

      const list = async (filter: { status?: 'PENDING' | 'FAILED' | 'DELIVERED'; limit: number; cursor?: string }) => {
        const page = await listDeliveries(database, subscriber.organizationId, filter)
        assert.ok(page !== 'invalid_cursor')
        return { ids: page.data.map(({ id }) => id), nextCursor: page.nextCursor }
      }
      assert.deepEqual(await list({ limit: 100 }), { ids: newest, nextCursor: null })
      assert.deepEqual((await list({ limit: 100, status: 'FAILED' })).ids, [ids[3], ids[1]])
      assert.deepEqual((await list({ limit: 100, status: 'DELIVERED' })).ids, [])
      const walked: string[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page = await list({ limit: 2, ...(cursor !== '' && { cursor }) })
        walked.push(...page.ids)
        cursor = page.nextCursor
      }
      assert.deepEqual(walked, newest)
      for (const cursor of ['x', '', Buffer.from('["res_1"]').toString('base64url')]) {
        assert.equal(await listDeliveries(database, subscriber.organizationId, { limit: 2, cursor }), 'invalid_cursor')
      }
    })

    test('one that is not there is not found', async () => {
      const { database, time } = deliveries.service
      for (const id of [nobody, '', 'x', "dlv_'--", 'org_01m7efx4xwfztrm1s20bva7r58']) {
        assert.equal(await findDelivery(database, id), null)
        assert.equal(await retryDelivery(database, id, time.now), 'not_found')
      }
    })

    test('many attempts that begin and end at the same time are counted and written each for itself · DLV-13', async () => {
      const { database, time } = deliveries.service
      const records = createDeliveryRecords(database, () => time.now)
      const ids = await several(await deliveries.subscriber(), 24)
      const begun = await Promise.all([...ids, nobody].map((id) => records.begin(id)))
      assert.equal(begun.pop()?.outcome, 'finished')
      await Promise.all(
        begun.map((one, index) => {
          assert.ok(one.outcome === 'begun' && one.attempt.deliveryId === ids[index])
          const detail = `number ${index}`
          const failed = { ...answered, error: 'HTTP_5XX', status: 500, detail } as const
          return records.record({ ...one.attempt, outcome: failed, verdict: { status: 'PENDING', reason: null } })
        }),
      )
      for (const [index, id] of ids.entries()) {
        const { attempts, status, history } = await deliveries.read(id)
        assert.deepEqual([attempts, status, history.map(({ detail }) => detail)], [1, 'PENDING', [`number ${index}`]])
      }
    })

    test('those that begin are found by their ids, not by reading through all that wait', async (t) => {
      if ((await serverVersion(deliveries.service.database)) < 160_000) return t.skip('tells no plan without values')
      const { database, time } = deliveries.service
      const { organizationId } = await deliveries.subscriber()
      const kind = (index: number) => (index % 500 === 0 ? 'PENDING' : 'DELIVERED')
      const stored = await storeDeliveries(
        database,
        organizationId,
        Array.from({ length: 5_000 }, (_, index) => ({ email: 'a', status: kind(index), createdAt: time.now })),
      )
      await database.script('analyze')
      const ids = stored.slice(0, 64).map(({ id }) => id)
      const lines = await planOf(database, (explained) => beginAttempts(explained, ids, time.now))
      assert.match(lines, /deliveries_pkey/)
      assert.doesNotMatch(lines, /deliveries_(by_status|pending|not_enqueued)/)
      // Those that cannot begin are looked for only if fewer began than were asked for.
      assert.match(lines, /One-Time Filter/)
    })

    // As on the embedded engine, where nobody ever counts what is in them.
    test('attempts that begin and end read no table as a whole, not even while it is small', async (t) => {
      if ((await serverVersion(deliveries.service.database)) < 160_000) return t.skip('tells no plan without values')
      const database = await engine.open()
      try {
        const { time } = deliveries.service
        const { id: organizationId } = await createOrganization(database, 'Small', time.now)
        const delivery = { email: 'a', status: 'PENDING', createdAt: time.now } as const
        const [stored] = await storeDeliveries(database, organizationId, [delivery])
        const { id: deliveryId = '' } = stored ?? {}
        const begun = await planOf(database, (explained) => beginAttempts(explained, [deliveryId], time.now))
        const verdict = { status: 'DELIVERED', reason: null } as const
        const record = { attemptId: 1, number: 1, deliveryId, outcome: answered, verdict }
        const ended = await planOf(database, (explained) => recordOutcomes(explained, [record], time.now))
        for (const plan of [begun, ended]) {
          assert.doesNotMatch(plan, /Seq Scan/)
          const scans = plan.match(/Index (Only )?Scan/g) ?? []
          assert.ok(scans.length > 0)
          assert.equal(plan.match(/Index Cond/g)?.length, scans.length, plan)
        }
      } finally {
        await database.close()
      }
    })

    test('of those that are to begin together, each is told for itself what it is · DLV-2 DLV-6', async () => {
      const { database, time } = deliveries.service
      const [subscriber, absent] = [await deliveries.subscriber(), await deliveries.subscriber()]
      const [open = '', over = ''] = await several(subscriber, 2)
      const [unwanted = '', gone = ''] = await several(absent, 2)
      await deliveries.attempt(over, { last: true })
      await deliveries.attempt(gone, { last: true })
      const outcomes = async (ids: string[]) =>
        (await beginAttempts(database, ids, time.now)).map(({ outcome }) => outcome)

      await setEndpointEnabled(database, absent.organizationId, false, time.now)
      const all = [unwanted, over, open, nobody, gone, open]
      assert.deepEqual(await outcomes(all), ['disabled', 'finished', 'begun', 'finished', 'finished', 'begun'])
      await removeEndpoint(database, absent.organizationId)
      assert.deepEqual(await outcomes([unwanted]), ['disabled'])

      const before = await deliveries.read(gone)
      await markDisabled(database, gone, time.now)
      assert.deepEqual(await deliveries.read(gone), before)
      await markDisabled(database, unwanted, time.now)
      const { status, failureReason, attempts } = await deliveries.read(unwanted)
      assert.deepEqual([status, failureReason, attempts], ['FAILED', 'WEBHOOK_DISABLED', 0])
    })

    test('whatever an answer or an error holds can be written down, and spoils nothing beside it · DLV-13', async () => {
      const { database, time } = deliveries.service
      const records = createDeliveryRecords(database, () => time.now)
      const ids = await several(await deliveries.subscriber(), 3)
      const begun = await Promise.all(ids.map((id) => records.begin(id)))
      const odd: Partial<Outcome>[] = [
        { detail: 'a\u0000b \ud800 \udc00 "\\ 👍', answer: Buffer.from([0, 0xff, 0xfe, 0x80]) },
        {
          detail: '',
          answer: Buffer.alloc(1_024),
          timing: { dns: 0, connect: null, tls: null, firstByte: 1e-9, total: 1e9 },
        },
        { detail: 'well', answer: Buffer.from('fine') },
      ]
      await Promise.all(
        begun.map((one, index) => {
          assert.ok(one.outcome === 'begun')
          const outcome = { ...answered, ...odd[index] }
          return records.record({ ...one.attempt, outcome, verdict: { status: 'DELIVERED', reason: null } })
        }),
      )
      const histories = await Promise.all(ids.map(async (id) => (await deliveries.read(id)).history))
      assert.deepEqual(
        histories.flat().map(({ detail, answer }) => [detail, answer?.length]),
        [
          ['ab \ufffd \ufffd "\\ 👍', 4],
          ['', 1_024],
          ['well', 4],
        ],
      )
    })

    test('what was DELIVERED stays so, whatever a second attempt met with · DLV-2', async () => {
      const { database, time } = deliveries.service
      const records = createDeliveryRecords(database, () => time.now)
      const [id = ''] = await several(await deliveries.subscriber(), 1)
      const [first, second] = [await records.begin(id), await records.begin(id)]
      assert.ok(first.outcome === 'begun' && second.outcome === 'begun')
      const delivered = { status: 'DELIVERED', reason: null } as const
      await records.record({ ...first.attempt, outcome: answered, verdict: delivered })
      const failed = { ...answered, error: 'NETWORK', status: null } as const
      const exhausted = { status: 'FAILED', reason: 'RECEIVES_EXHAUSTED' } as const
      await records.record({ ...second.attempt, outcome: failed, verdict: exhausted })
      const { status, failureReason, lastError, history } = await deliveries.read(id)
      assert.deepEqual([status, failureReason, lastError], ['DELIVERED', null, null])
      assert.deepEqual(
        history.map(({ number, error }) => [number, error]),
        [
          [1, null],
          [2, 'NETWORK'],
        ],
      )
    })

    test('an attempt that was overtaken opens nothing again and ends no later round, but what arrived has arrived · DLV-3 DLV-4 DLV-9', async () => {
      const { database, time } = deliveries.service
      const records = createDeliveryRecords(database, () => time.now)
      const [id = ''] = await several(await deliveries.subscriber(), 1)
      const [first, second, third] = [await records.begin(id), await records.begin(id), await records.begin(id)]
      assert.ok(first.outcome === 'begun' && second.outcome === 'begun' && third.outcome === 'begun')
      const refused = { ...answered, error: 'HTTP_4XX', status: 410 } as const
      const rejected = { status: 'FAILED', reason: 'RECEIVER_REJECTED' } as const
      const failed = { ...answered, error: 'NETWORK', status: null } as const
      const found = async () => {
        const { status, lastError } = await deliveries.read(id)
        return [status, lastError]
      }
      await records.record({ ...second.attempt, outcome: refused, verdict: rejected })
      assert.deepEqual(await found(), ['FAILED', 'HTTP_4XX'])
      await records.record({ ...third.attempt, outcome: failed, verdict: { status: 'PENDING', reason: null } })
      assert.deepEqual(await found(), ['FAILED', 'HTTP_4XX'])
      await retryDelivery(database, id, time.now)
      await records.record({ ...first.attempt, outcome: refused, verdict: rejected })
      assert.equal((await found())[0], 'PENDING')
      await records.record({ ...first.attempt, outcome: answered, verdict: { status: 'DELIVERED', reason: null } })
      assert.deepEqual(await found(), ['DELIVERED', null])
    })

    test('states that cannot be are refused by the schema', async () => {
      const { database } = deliveries.service
      const [id = ''] = await several(await deliveries.subscriber(), 1)
      for (const change of [
        sql`status = 'DELIVERED'`,
        sql`status = 'FAILED'`,
        sql`delivered_at = now()`,
        sql`failure_reason = 'RECEIVER_REJECTED'`,
        sql`status = 'LOST'`,
        sql`status = 'FAILED', failure_reason = 'BAD_LUCK'`,
      ]) {
        await assert.rejects(database.query(sql`update deliveries set ${change} where id = ${id}`), /check constraint/)
      }
      const again = sql`
        insert into deliveries (id, organization_id, result_id, interview_id, status, created_at, updated_at)
        select ${nobody}, organization_id, result_id, interview_id, 'PENDING', now(), now() from deliveries
        where id = ${id}`
      await assert.rejects(database.query(again), /unique constraint/)
    })

    async function several(subscriber: Subscriber, count: number): Promise<string[]> {
      const ids: string[] = []
      for (let made = 0; made < count; made += 1) ids.push((await subscriber.complete({ image: null })).deliveryId)
      return ids
    }
  })
}

test('calls that come together go together; each gets its own answer, or the error of all', async () => {
  const sizes: number[] = []
  const double = createBatcher(
    async (inputs: number[]) => {
      sizes.push(inputs.length)
      if (inputs.includes(13)) throw new Error('unlucky')
      return inputs.map((input) => input * 2)
    },
    { most: 4 },
  )
  assert.deepEqual(await Promise.all([1, 2, 3, 4, 5, 6].map(double)), [2, 4, 6, 8, 10, 12])
  assert.equal(await double(7), 14)
  assert.deepEqual(sizes, [4, 2, 1])
  const answers = await Promise.allSettled([12, 13, 14].map(double))
  assert.deepEqual(
    answers.map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  )
  assert.equal(await double(15), 30)
})

/** How a statement of some work is carried out whatever its values are, under the settings it asks for. */
async function planOf(database: Database, work: (explained: Database) => Promise<unknown>): Promise<string> {
  let plan = ''
  await work({
    ...database,
    async queryUnder(settings, { text }) {
      const asked = `begin; ${settings}; explain (generic_plan) ${text}; commit`
      const { rows } = await database.execute<{ 'QUERY PLAN': string }>(asked)
      plan = rows.map((line) => line['QUERY PLAN']).join('\n')
      return []
    },
  })
  return plan
}
