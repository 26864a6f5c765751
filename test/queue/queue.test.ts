import assert from 'node:assert/strict'
import { test } from 'node:test'
import sql, { raw } from 'sql-template-tag'
import type { Database } from '../../server/database/database.ts'
import type { DeliveryQueue } from '../../server/queue/queue.ts'
import { createFetch } from '../../server/queue/queue-fetch.ts'
import { createPgBossQueue } from '../../server/queue/queue-pgboss.ts'
import { type Engine, engines } from '../support/engines.ts'
import { type QueueUnderTest, queueSuite } from './queue-suite.ts'

for (const engine of engines) {
  queueSuite(`pg-boss on ${engine.name}`, () => openPgBoss(engine))

  // What an older PostgreSQL with a compiler would make of it cannot be seen on every server: that it may not, can.
  test(`on ${engine.name}, a fetch is never compiled`, async () => {
    await withFetchOf(engine, async ({ database, settings }) => {
      assert.deepEqual(await database.queryUnder(settings, sql`select current_setting('jit') as jit`), [{ jit: 'off' }])
    })
  })

  test(`on ${engine.name}, a fetch reads no more the more an organization has waiting, at its share or not · DLV-12`, async () => {
    await withFetchOf(engine, async ({ database, queue, settings, text }) => {
      let waiting = 0
      const wait = async (until: number) => {
        const more = Array.from({ length: until - waiting }, (_, index) => `dlv_${waiting + index}`)
        await queue.enqueueAll(more.map((id) => ({ deliveryId: id, deliveryKey: id, organizationId: 'org_a' })))
        waiting = until
      }
      // As a connection keeps it: without knowing how many are asked for, and from when there was nothing.
      const blocksRead = (places: number) =>
        database.transaction(async (transaction) => {
          await transaction.script(`${settings}; prepare look as ${text}`)
          const [row] = await transaction.query<Explained>(
            sql`explain (analyze, buffers, format json) execute look('', ${raw(String(places))}, 64)`,
          )
          await transaction.script('rollback; begin; deallocate look')
          const { 'Shared Hit Blocks': hit, 'Shared Read Blocks': read } = row?.['QUERY PLAN'][0].Plan ?? {}
          return Number(hit) + Number(read)
        })
      const both = async () => [await blocksRead(0), await blocksRead(1)] as const
      await wait(100)
      const few = await both()
      await wait(5_000)
      const many = await both()
      const told = `with 100 waiting ${few} blocks, with 5,000 ${many}`
      for (const [index, blocks] of few.entries()) assert.ok(blocks > 0 && Number(many[index]) <= blocks + 10, told)
      const { fetchJobs } = createFetch(database, { queueName: 'deliveries', perOrganization: 0 })
      const { jobs, heldBack } = await fetchJobs(64)
      assert.deepEqual([jobs, [...heldBack]], [[], ['org_a']])
    })
  })

  test(`on ${engine.name}, looks go on from where the last one was, and soon or when told look for others · DLV-12`, async () => {
    await withFetchOf(engine, async ({ database, queue, text: afresh }) => {
      let now = 0
      let text = ''
      let broken = false
      const watched: Database = {
        ...database,
        async queryUnder(settings, statement) {
          text = statement.text
          if (broken) throw new Error('The database is away')
          return database.queryUnder(settings, statement)
        },
      }
      const looking = { queueName: 'deliveries', perOrganization: 32, clock: () => now }
      const { fetchJobs, lookAfresh } = createFetch(watched, looking)
      const look = async (most: number) => {
        const { jobs } = await fetchJobs(most)
        return [jobs.map(({ deliveryId }) => deliveryId).sort(), text === afresh ? 'afresh' : 'on']
      }
      const enqueue = (...ids: string[]) =>
        queue.enqueueAll(ids.map((id) => ({ deliveryId: id, deliveryKey: id, organizationId: `org_${id[0]}` })))

      await enqueue('a0', 'b0', 'a1', 'b1', 'a2', 'b2', 'a3', 'b3', 'a4', 'b4', 'a5', 'b5')
      assert.deepEqual(await look(2), [['a0', 'b0'], 'afresh'])
      await enqueue('c0', 'a6')
      now = 99
      assert.deepEqual(await look(2), [['a1', 'b1'], 'on'], 'others may wait a moment')
      now = 100
      assert.deepEqual(await look(3), [['a2', 'b2', 'c0'], 'afresh'], 'and no longer')
      await enqueue('d0')
      lookAfresh()
      assert.deepEqual(await look(3), [['a3', 'b3', 'd0'], 'afresh'], 'whoever is told looks at once')
      const underWay = look(2)
      lookAfresh()
      assert.deepEqual(await underWay, [['a4', 'b4'], 'on'])
      assert.deepEqual(await look(2), [['a5', 'b5'], 'afresh'], 'also when told in the middle of a look')
      assert.deepEqual(await look(2), [['a6'], 'on'], 'what an organization got meanwhile comes in its turn')
      await enqueue('f0', 'f1', 'f2', 'f3')
      lookAfresh()
      assert.deepEqual(await look(2), [['f0', 'f1'], 'afresh'])
      await database.script(`update pgboss.job set state = 'retry' where data ->> 'deliveryId' = 'a0'`)
      assert.deepEqual(await look(1), [['f2'], 'on'], 'one that comes again may wait as long')
      now = 200
      assert.deepEqual(await look(1), [['a0'], 'afresh'], 'and then goes before those that came after it')
      broken = true
      await assert.rejects(look(1))
      broken = false
      assert.deepEqual(await look(1), [['f3'], 'afresh'], 'after a look that failed')
      await enqueue('e0')
      assert.deepEqual(await look(2), [['e0'], 'afresh'], 'those that are known have nothing more')
    })
  })

  test(`on ${engine.name}, a fetch knows whether it has taken all that is due`, async () => {
    await withFetchOf(engine, async ({ database, queue }) => {
      let count = 0
      const look = async (most: number, waiting: Record<string, number>) => {
        const all = Object.entries(waiting).flatMap(([organizationId, jobs]) =>
          Array.from({ length: jobs }, () => ({ deliveryId: `d${++count}`, deliveryKey: `d${count}`, organizationId })),
        )
        await database.script(`delete from pgboss.job where name = 'deliveries'`)
        await queue.enqueueAll(all)
        const { fetchJobs } = createFetch(database, { queueName: 'deliveries', perOrganization: 4, clock: () => 0 })
        const looks = [await fetchJobs(most), await fetchJobs(most)]
        return looks.map(({ jobs, more }) => [jobs.length, more])
      }
      assert.deepEqual(await look(8, {}), [
        [0, false],
        [0, false],
      ])
      assert.deepEqual(await look(8, { org_a: 1 }), [
        [1, false],
        [0, false],
      ])
      assert.deepEqual(await look(8, { org_a: 3, org_b: 3 }), [
        [6, false],
        [0, false],
      ])
      const [atItsShare] = await look(8, { org_a: 4 })
      assert.deepEqual(atItsShare, [4, true], 'it may have one for which there is no place')
      const [shared] = await look(4, { org_a: 3, org_b: 1 })
      assert.deepEqual(shared, [3, true], 'half of the places are of the one, and it has more')
      const [all] = await look(2, { org_a: 1, org_b: 1, org_c: 1 })
      assert.deepEqual(all, [2, true], 'no place is left')
      const goneOn = await look(3, { org_a: 3, org_b: 1, org_c: 1 })
      assert.deepEqual(
        goneOn,
        [
          [3, true],
          [2, true],
        ],
        'a look that goes on has not asked everybody',
      )
    })
  })

  test(`on ${engine.name}, with more organizations than are asked at once no look goes on from a part of them · DLV-12`, async () => {
    await withFetchOf(engine, async ({ database, queue }) => {
      const ids = Array.from({ length: 140 }, (_, index) => String(index).padStart(3, '0'))
      const both = ids.flatMap((id) => [`${id} first`, `${id} second`])
      await queue.enqueueAll(
        both.map((id) => ({ deliveryId: id, deliveryKey: id, organizationId: `org_${id.slice(0, 3)}` })),
      )
      const { fetchJobs } = createFetch(database, { queueName: 'deliveries', perOrganization: 32, clock: () => 0 })
      const look = async (most: number) => (await fetchJobs(most)).jobs.map(({ deliveryId }) => deliveryId).sort()
      const told = (some: string[], which: string) => some.map((id) => `${id} ${which}`)
      assert.deepEqual(await look(128), told(ids.slice(0, 128), 'first'))
      assert.deepEqual(await look(12), told(ids.slice(128), 'first'))
      assert.deepEqual(await look(12), told(ids.slice(0, 12), 'second'))
    })
  })
}

// On the embedded engine nobody fetches beside another: it has one connection.
test('on PostgreSQL, what another process is just taking hides nothing else that waits', async () => {
  for (const engine of engines.filter(({ name }) => name === 'PostgreSQL')) {
    await withFetchOf(engine, async ({ database, queue }) => {
      const ids = Array.from({ length: 60 }, (_, index) => String(index).padStart(2, '0'))
      await queue.enqueueAll(ids.map((id) => ({ deliveryId: id, deliveryKey: id, organizationId: `org_${id}` })))
      const { fetchJobs } = createFetch(database, { queueName: 'deliveries', perOrganization: 32 })
      const { jobs } = await database.transaction(async (other) => {
        await other.query(sql`select from pgboss.job where data ->> 'deliveryId' < '16' for update`)
        return fetchJobs(16)
      })
      assert.deepEqual(jobs.map(({ deliveryId }) => deliveryId).sort(), ids.slice(16, 32))
    })
  }
})

type Explained = { 'QUERY PLAN': [{ Plan: Record<string, unknown> }] }

/** A queue, and the statement by which it fetches. */
async function withFetchOf(
  engine: Engine,
  work: (fetch: { database: Database; queue: DeliveryQueue; settings: string; text: string }) => Promise<void>,
): Promise<void> {
  const database = await engine.openEmpty()
  const fetched = Promise.withResolvers<{ settings: string; text: string }>()
  const watched: Database = {
    ...database,
    queryUnder(settings, statement) {
      fetched.resolve({ settings, text: statement.text })
      return database.queryUnder(settings, statement)
    },
  }
  const report = (_: string, error: unknown) => fetched.reject(error)
  const kind = engine.name === 'embedded' ? 'embedded' : 'postgres'
  const queue = createPgBossQueue({ database: watched, engine: kind, retryDelaySeconds: 0, report })
  try {
    await queue.start()
    const consumer = queue.consume({ capacity: 1, perOrganization: 1, report, handle: async () => 'done' })
    const fetch = await fetched.promise
    await consumer.stop()
    await work({ database, queue, ...fetch })
  } finally {
    await queue.stop()
    await database.close()
  }
}

async function openPgBoss(engine: Engine): Promise<QueueUnderTest> {
  const database = await engine.openEmpty()
  const opened: DeliveryQueue[] = []
  const open = async ({ retryDelaySeconds = 0 } = {}): Promise<DeliveryQueue> => {
    const queue = createPgBossQueue({
      database,
      engine: engine.name === 'embedded' ? 'embedded' : 'postgres',
      retryDelaySeconds,
      superviseSeconds: 1,
      report() {},
    })
    await queue.start()
    opened.push(queue)
    return queue
  }
  // Two processes may start on the same empty database.
  const [queue] = await Promise.all([open(), open()])
  return {
    queue,
    another: open,
    async vanish(deliveryId) {
      await database.execute(
        `update pgboss.job set started_on = started_on - interval '1 minute'
         where state = 'active' and data ->> 'deliveryId' = $1`,
        [deliveryId],
      )
    },
    async turnClockBack() {
      await database.script(`
        update pgboss.job set start_after = start_after + interval '2 hours', started_on = started_on + interval '2 hours';
        update pgboss.queue set monitor_on = now() + interval '2 hours', monitor_claim_on = now() + interval '2 hours'`)
    },
    async breakDown() {
      await database.script('alter schema pgboss rename to pgboss_away')
      return () => database.script('alter schema pgboss_away rename to pgboss')
    },
    async empty() {
      await database.script('delete from pgboss.job')
    },
    async close() {
      for (const one of opened) await one.stop()
      await database.close()
    },
  }
}
