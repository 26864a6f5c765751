import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createBatcher } from '../../server/database/batcher.ts'
import type { Database } from '../../server/database/database.ts'
import { DatabaseUnavailable } from '../../server/database/failures.ts'
import { serverVersion } from '../../server/database/migrate.ts'
import { retryDelivery } from '../../server/deliveries/delivery-history.ts'
import { loadDeliveries } from '../../server/deliveries/load.ts'
import type { Outcome } from '../../server/deliveries/outcome.ts'
import { type Settlement, settle } from '../../server/deliveries/transitions.ts'
import type { ClaimedJob } from '../../server/queue/queue.ts'
import { type Deliveries, image, type Subscriber, startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'
import { claimJob } from '../../support/queue-hooks.ts'
import { storeDeliveries } from '../../support/stored-deliveries.ts'

type Attempt = NonNullable<Settlement['attempt']>

const at = new Date('2026-03-01T12:00:00.000Z')
const answered: Attempt = {
  number: 1,
  startedAt: at,
  finishedAt: at,
  error: null,
  code: null,
  phase: null,
  detail: null,
  status: 200,
  url: null,
  address: '127.0.0.1',
  answer: null,
  headers: [],
  retryAfterSeconds: null,
  timing: null,
}

function settlement(job: ClaimedJob, outcome: Outcome, attempt: Partial<Attempt> = {}): Settlement {
  return { job, outcome, attempt: { ...answered, number: job.receive, ...attempt } }
}

for (const engine of engines) {
  describe(`settling on ${engine.name}`, () => {
    let deliveries: Deliveries
    before(async () => {
      deliveries = await startDeliveries(engine)
    })
    after(() => deliveries?.close())

    const settleOne = (...one: Parameters<typeof settlement>) =>
      settle(deliveries.service.database, [settlement(...one)])
    const claim = (id: string) => claimJob(deliveries.service.database, id)
    const retry = (id: string) =>
      retryDelivery(deliveries.service.database, { id, organizationId: null, by: 'admin' }, at)
    const state = async (id: string) => {
      const { status, failureReason, lastError } = await deliveries.read(id)
      return [status, failureReason, lastError]
    }
    const numbers = async (id: string) =>
      (await deliveries.read(id)).history.map(({ number, round, error }) => [number, round, error])

    test('a 4xx that arrives after the round was exhausted is the final reason · DLV-4 DLV-15', async () => {
      const [id = ''] = await several(await deliveries.subscriber(), 1)
      const job = await claim(id)
      await settleOne(job, 'exhausted', { error: 'TIMEOUT', status: null })
      await settleOne(job, 'rejected', { error: 'HTTP_4XX', status: 410 })
      assert.deepEqual(await state(id), ['FAILED', 'RECEIVER_REJECTED', 'HTTP_4XX'])
    })

    test('many attempts that end at the same time are each recorded · DLV-13', async () => {
      const { database } = deliveries.service
      const ids = await several(await deliveries.subscriber(), 24)
      const jobs = await Promise.all(ids.map(claim))
      const failed = jobs.map((job, index) =>
        settlement(job, 'postponed', { error: 'HTTP_5XX', status: 500, detail: `number ${index}` }),
      )
      await settle(database, failed)
      for (const [index, id] of ids.entries()) {
        const { attempts, status, history } = await deliveries.read(id)
        assert.deepEqual([attempts, status, history.map(({ detail }) => detail)], [1, 'PENDING', [`number ${index}`]])
      }
    })

    test('any response or error can be recorded, without affecting other attempts · DLV-13', async () => {
      const ids = await several(await deliveries.subscriber(), 3)
      const jobs = await Promise.all(ids.map(claim))
      const oddHeaders: [string, string][] = [['x-odd', 'a\u0001\t\u007f ÿ 👍 \u2028 "\\ \\u0000 \\ud800']]
      const odd: Partial<Attempt>[] = [
        { detail: 'a\u0000b \ud800 \udc00 "\\ 👍', answer: Buffer.from([0, 0xff, 0xfe, 0x80]), headers: oddHeaders },
        {
          detail: '',
          answer: Buffer.alloc(1_024),
          timing: { dns: 0, connect: null, tls: null, firstByte: 1e-9, total: 1e9 },
        },
        { detail: 'well', answer: Buffer.from('fine') },
      ]
      await settle(
        deliveries.service.database,
        jobs.map((job, index) => settlement(job, 'delivered', odd[index])),
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
      assert.deepEqual(histories[0]?.[0]?.headers, oddHeaders)
    })

    test('DELIVERED stays DELIVERED, whatever happens to a second attempt · DLV-2', async () => {
      const [id = ''] = await several(await deliveries.subscriber(), 1)
      const [first, second] = [await claim(id), await claim(id)]
      await settleOne(first, 'delivered')
      await settleOne(second, 'exhausted', { error: 'NETWORK', status: null })
      assert.deepEqual(await state(id), ['DELIVERED', null, null])
      assert.deepEqual(await numbers(id), [
        [1, 1, null],
        [2, 1, 'NETWORK'],
      ])
      assert.equal(await deliveries.job(id), null)
    })

    test('an attempt that lost its lease reopens nothing and ends no later round, but a success still counts · DLV-3 DLV-4 DLV-9 DLV-17', async () => {
      const [id = ''] = await several(await deliveries.subscriber(), 1)
      const [first, second, third] = [await claim(id), await claim(id), await claim(id)]
      const refused = { error: 'HTTP_4XX', status: 410 } as const
      await settleOne(second, 'rejected', refused)
      assert.deepEqual(await state(id), ['FAILED', 'RECEIVER_REJECTED', 'HTTP_4XX'])
      await settleOne(third, 'postponed', { error: 'NETWORK', status: null })
      assert.deepEqual(await state(id), ['FAILED', 'RECEIVER_REJECTED', 'HTTP_4XX'])

      await retry(id)
      for (const outcome of ['rejected', 'exhausted', 'canceled', 'postponed', 'dropped'] as const) {
        await settleOne(first, outcome, refused)
        assert.equal((await state(id))[0], 'PENDING', outcome)
        assert.partialDeepStrictEqual(await deliveries.job(id), { round: 2, receives: 0, leased: false }, outcome)
      }
      await settleOne(first, 'delivered')
      assert.deepEqual(await state(id), ['DELIVERED', null, null])
      assert.equal(await deliveries.job(id), null)
    })

    test('attempts in flight when another one ends the round keep their numbers · DLV-15', async () => {
      const [id = ''] = await several(await deliveries.subscriber(), 1)
      const [first, second] = [await claim(id), await claim(id)]
      await settleOne(first, 'rejected', { error: 'HTTP_4XX', status: 410 })
      await retry(id)
      const { attempt } = await deliveries.attempt(id)
      await settleOne(second, 'postponed', { error: 'HTTP_5XX', status: 503 })
      assert.equal(attempt?.number, 3)
      assert.deepEqual(await numbers(id), [
        [1, 1, 'HTTP_4XX'],
        [2, 1, 'HTTP_5XX'],
        [3, 2, attempt.error],
      ])
    })

    test('the request of a dead worker is in the history even if another response ended the delivery · DLV-15', async () => {
      const [id = ''] = await several(await deliveries.subscriber(), 1)
      const [first] = [await claim(id), await claim(id)]
      await settleOne(first, 'delivered')
      const { attempts, history } = await deliveries.read(id)
      assert.equal(attempts, 2)
      assert.deepEqual(
        history.map(({ number, finishedAt }) => [number, finishedAt !== null]),
        [
          [1, true],
          [2, false],
        ],
      )
    })

    test('each delivery is handed over with its own image, also one that was asked for twice', async () => {
      const { database } = deliveries.service
      const subscriber = await deliveries.subscriber()
      const [one, two] = [await subscriber.complete(), await subscriber.complete()]
      const ids = [one.deliveryId, 'dlv_of_nobody', two.deliveryId, one.deliveryId]
      const answers = new Map<number, string | null>()
      // Whoever gets a delivery takes the image out of it.
      const loaded = await loadDeliveries(database, ids, (index, { stored }) => {
        answers.set(index, stored?.base64 ?? null)
        if (stored) stored.base64 = null
      })
      assert.deepEqual(
        loaded.map((delivery) => delivery?.deliveryId ?? null),
        [one.deliveryId, null, two.deliveryId, one.deliveryId],
      )
      const base64 = image.toString('base64')
      assert.deepEqual(
        [0, 1, 2, 3].map((index) => answers.get(index)),
        [base64, undefined, base64, base64],
      )
    })

    test('deliveries are loaded and settled by ID, without scanning all waiting ones', async (t) => {
      const { database, time } = deliveries.service
      if ((await serverVersion(database)) < 160_000) return t.skip('this version can’t show a generic plan')
      const { organizationId } = await deliveries.subscriber()
      const kind = (index: number) => (index % 500 === 0 ? 'PENDING' : 'DELIVERED')
      const stored = await storeDeliveries(
        database,
        organizationId,
        Array.from({ length: 5_000 }, (_, index) => ({ email: 'a', status: kind(index), createdAt: time.now })),
      )
      await database.script('analyze')
      const ids = stored.slice(0, 64).map(({ id }) => id)
      const settled = ids.map((deliveryId) =>
        settlement({ deliveryId, organizationId, round: 1, receive: 1 }, 'delivered'),
      )
      for (const plan of [
        await planOf(database, (explained) => loadDeliveries(explained, ids)),
        await planOf(database, (explained) => settle(explained, settled)),
      ]) {
        assert.match(plan, /deliveries_pkey/)
        assert.doesNotMatch(plan, /Seq Scan on deliveries|deliveries_(by_status|pending|not_enqueued)/)
      }
    })

    async function several(subscriber: Subscriber, count: number): Promise<string[]> {
      const ids: string[] = []
      for (let index = 0; index < count; index += 1) ids.push((await subscriber.complete({ image: null })).deliveryId)
      return ids
    }
  })
}

test('concurrent calls share a batch, each gets its own result, and only the bad one fails', async () => {
  const sizes: number[] = []
  const double = createBatcher(
    async (inputs: number[]) => {
      sizes.push(inputs.length)
      if (inputs.includes(13)) throw new Error('unlucky')
      if (inputs.includes(99)) throw new DatabaseUnavailable('gone')
      return inputs.map((input) => input * 2)
    },
    { maxSize: 4 },
  )
  assert.deepEqual(await Promise.all([1, 2, 3, 4, 5, 6].map(double)), [2, 4, 6, 8, 10, 12])
  assert.equal(await double(7), 14)
  assert.deepEqual(sizes.splice(0), [4, 2, 1])
  const outcomesOf = async (inputs: number[]) =>
    (await Promise.allSettled(inputs.map(double))).map(({ status }) => status)
  assert.deepEqual(await outcomesOf([12, 13, 14]), ['fulfilled', 'rejected', 'fulfilled'])
  assert.deepEqual(sizes.splice(0), [3, 1, 1, 1])
  // During an outage the items are not retried one by one.
  assert.deepEqual(await outcomesOf([98, 99]), ['rejected', 'rejected'])
  assert.deepEqual(sizes, [2])
  assert.equal(await double(15), 30)
})

test('a batch waits only if the results of the one before say so', async () => {
  const seen: string[][] = []
  const echo = createBatcher(async (inputs: string[]) => inputs, {
    maxSize: 4,
    restAfter(outputs) {
      seen.push(outputs)
      return outputs.includes('wrong') ? 20 : 0
    },
  })
  for (const input of ['right', 'wrong', 'right']) assert.equal(await echo(input), input)
  // The rest is decided right after the calls have their results.
  await setImmediate()
  assert.deepEqual(seen, [['right'], ['wrong'], ['right']])
})

/** The generic plan of a statement. */
async function planOf(database: Database, work: (explained: Database) => Promise<unknown>): Promise<string> {
  let plan = ''
  await work({
    ...database,
    async query({ text }) {
      const { rows } = await database.execute<{ 'QUERY PLAN': string }>(`explain (generic_plan) ${text}`)
      plan = rows.map((line) => line['QUERY PLAN']).join('\n')
      return []
    },
  })
  return plan
}
