import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { DeliveryQueue, QueuedDelivery } from '../../server/queue/queue.ts'
import { eventually } from '../support/process.ts'
import { type Watch, watch } from './queue-watch.ts'

export type QueueUnderTest = {
  /** Brings jobs back at once, and looks for workers that vanished every second. */
  queue: DeliveryQueue
  /** The same queue as another process sees it, open until the end. */
  another(options?: { retryDelaySeconds?: number }): Promise<DeliveryQueue>
  /** Makes the worker that runs this delivery's job seem to have been silent for too long. */
  vanish(deliveryId: string): Promise<void>
  /** Makes it all look as if the database's clock had been hours ahead until now. */
  turnClockBack(): Promise<void>
  /** Takes the database away; what comes back brings it back. */
  breakDown(): Promise<() => Promise<void>>
  /** Forgets all jobs and dead letters. */
  empty(): Promise<void>
  close(): Promise<void>
}

/** What every engine behind the port must do. */
export function queueSuite(name: string, open: () => Promise<QueueUnderTest>): void {
  describe(`the queue: ${name}`, () => {
    let under: QueueUnderTest
    let queue: DeliveryQueue
    const watches: Watch[] = []
    before(async () => {
      under = await open()
      queue = under.queue
    })
    after(() => under?.close())
    afterEach(async () => {
      for (const one of watches.splice(0)) await one.end()
      await under.empty()
    })

    function consume(options: Parameters<typeof watch>[1] = {}, from = queue): Watch {
      const made = watch(from, options)
      watches.push(made)
      return made
    }

    test('a job is refused while one with its key waits, runs or is to come again, and taken after that · DLV-8', async () => {
      assert.equal(await queue.enqueue(delivery('a')), true)
      assert.equal(await queue.enqueue(delivery('a')), false)
      assert.equal(await queue.enqueue(delivery('b')), true)
      const { taken, takes } = consume({ capacity: 10 })
      await takes(2)
      assert.equal(await queue.enqueue(delivery('a')), false)
      taken[0]?.settle('again')
      assert.equal(await queue.enqueue(delivery('a')), false)
      await takes(3)
      taken[2]?.settle('done')
      assert.ok(await eventually(() => queue.enqueue(delivery('a'))))
      await takes(4)
      assert.deepEqual([taken[3]?.job.deliveryId, taken[3]?.job.receive], ['a', 1])
    })

    test('many at once: the number says how many were new · DLV-8', async () => {
      assert.equal(await queue.enqueueAll([]), 0)
      await queue.enqueue(delivery('b'))
      assert.equal(await queue.enqueueAll(['a', 'b', 'c', 'a'].map((id) => delivery(id))), 2)
      assert.equal(await queue.enqueueAll(['a', 'b', 'c'].map((id) => delivery(id))), 0)
    })

    test('a key is in hand while its job waits, runs or is to come again, and not after that · DLV-8', async () => {
      const keys = ['a', 'b', 'c'].map((id) => delivery(id).deliveryKey)
      const [a = '', b = ''] = keys
      const inHand = async () => [...(await queue.inHand(keys))].sort()
      assert.deepEqual(await inHand(), [])
      await queue.enqueueAll(['a', 'b'].map((id) => delivery(id)))
      assert.deepEqual(await inHand(), [a, b])
      const { taken, takes } = consume({ capacity: 2 })
      await takes(2)
      assert.deepEqual(await inHand(), [a, b])
      for (const { job, settle } of taken.slice()) settle(job.deliveryId === 'a' ? 'done' : 'again')
      await takes(3)
      assert.ok(await eventually(async () => (await inHand()).join() === b))
    })

    test('of ten that enqueue the same at the same moment one succeeds · DLV-8', async () => {
      const other = await under.another()
      const tries = Array.from({ length: 10 }, (_, index) => (index % 2 ? queue : other).enqueue(delivery('a')))
      const taken = await Promise.all(tries)
      assert.equal(taken.filter(Boolean).length, 1)
    })

    test('first in, first out; what was enqueued in one breath comes after what was there before · DLV-12', async () => {
      const ids = Array.from({ length: 30 }, (_, index) => `one-${String(index).padStart(2, '0')}`)
      for (const id of ids) await queue.enqueue(delivery(id))
      const more = Array.from({ length: 60 }, (_, index) => `all-${String(index).padStart(2, '0')}`)
      await queue.enqueueAll(more.map((id) => delivery(id)))
      for (const capacity of [1, 16]) {
        const { order, handled } = consume({ capacity, answer: 'done' })
        await handled(90)
        assert.deepEqual(order().slice(0, 30), ids, `with a capacity of ${capacity}`)
        assert.deepEqual(order().slice(30).sort(), more)
        await watches.pop()?.end()
        for (const id of ids) await queue.enqueue(delivery(id))
        await queue.enqueueAll(more.map((id) => delivery(id)))
      }
    })

    test('no more run at once than the capacity allows, and each place that becomes free is taken', async () => {
      await queue.enqueueAll(Array.from({ length: 12 }, (_, index) => delivery(`job-${index}`)))
      const { taken, takes, most } = consume({ capacity: 3 })
      for (let index = 0; index < 12; index += 1) {
        await takes(Math.min(index + 3, 12))
        taken[index]?.settle('done')
      }
      assert.equal(most(), 3)
    })

    test('a job that has left its place makes room for another, and stopping still waits for it', async () => {
      await queue.enqueueAll([delivery('a'), delivery('b'), delivery('c')])
      const { taken, takes, order, end } = consume({ capacity: 1 })
      await takes(1)
      taken[0]?.leave()
      taken[0]?.leave()
      await takes(2)
      assert.deepEqual(order(), ['a', 'b'])
      taken[1]?.settle('done')
      await takes(3)
      let stopped = false
      const stopping = end({ settle: false }).then(() => {
        stopped = true
      })
      taken[2]?.settle('done')
      assert.equal(await queue.enqueue(delivery('a')), false)
      assert.equal(stopped, false)
      taken[0]?.settle('done')
      await stopping
      assert.equal(await queue.enqueue(delivery('a')), true)
    })

    test('one organization has its share of the places, anywhere, and holds back no other · DLV-12', async () => {
      await queue.enqueueAll(['a1', 'a2', 'a3', 'a4'].map((id) => delivery(id, 'org_a')))
      await queue.enqueue(delivery('b1', 'org_b'))
      const here = consume({ capacity: 8, perOrganization: 2 })
      await here.takes(3)
      const other = await under.another()
      const there = consume({ capacity: 8, perOrganization: 2 }, other)
      await other.enqueue(delivery('c1', 'org_c'))
      const all = () => [...here.order(), ...there.order()]
      assert.ok(await eventually(async () => all().includes('c1')))
      assert.deepEqual(all().sort(), ['a1', 'a2', 'b1', 'c1'])
      here.taken.find(({ job }) => job.deliveryId === 'a1')?.settle('done')
      assert.ok(await eventually(async () => all().includes('a3')))
      assert.ok(!all().includes('a4'))
    })

    test('of several organizations, the one that has waited longest comes first · DLV-12', async () => {
      const ids = ['a1', 'b1', 'c1', 'b2', 'a2', 'c2', 'b3']
      for (const id of ids) await queue.enqueue(delivery(id, `org_${id[0]}`))
      for (const capacity of [1, 3, 16]) {
        const { order, handled } = consume({ capacity, answer: 'done' })
        await handled(ids.length)
        assert.deepEqual(order(), ids, `with a capacity of ${capacity}`)
        await watches.pop()?.end()
        for (const id of ids) await queue.enqueue(delivery(id, `org_${id[0]}`))
      }
    })

    test('however many organizations wait, each has its turn, and none is hidden by those at their share · DLV-12', async () => {
      const organizations = Array.from({ length: 300 }, (_, index) => `org_${String(index).padStart(3, '0')}`)
      const jobs = (round: string) => organizations.map((id) => delivery(`${round}-${id}`, id))
      await queue.enqueueAll(jobs('first'))
      await queue.enqueueAll(jobs('second'))
      const { taken, takes, order } = consume({ capacity: 700, perOrganization: 1 })
      await takes(300)
      assert.deepEqual(
        order().sort(),
        jobs('first').map(({ deliveryId }) => deliveryId),
      )
      for (const [index, organization] of ['org_', 'org_150x', 'org_999'].entries()) {
        await queue.enqueue(delivery(`late-${organization}`, organization))
        await takes(301 + index)
        assert.equal(order().at(-1), `late-${organization}`)
      }
      for (const { settle } of taken) settle('done')
      await takes(603)
    })

    test('an enqueue in this process wakes the consumer at once', async () => {
      const { taking } = consume()
      const latencies: number[] = []
      for (let count = 1; count <= 10; count += 1) {
        // Until it rests again: by itself it would then look only after most of a quarter of a second.
        await setTimeout(50)
        const started = performance.now()
        const next = taking(count)
        if (count % 2) await queue.enqueue(delivery(`job-${count}`))
        else await queue.enqueueAll([delivery(`job-${count}`)])
        await next
        latencies.push(performance.now() - started)
      }
      assert.ok(Math.min(...latencies) < 100, latencies.join())
    })

    test('an enqueue in another process is found soon', async () => {
      const other = await under.another()
      const { takes } = consume()
      for (const count of [1, 2, 3]) {
        await other.enqueue(delivery(`job-${count}`))
        await takes(count)
      }
    })

    test('a job that is not done, or breaks off, comes four times and then is a dead letter · DLV-4 DLV-5', async () => {
      await queue.enqueueAll([delivery('again', 'org_a'), delivery('throws', 'org_b')])
      const answers = { again: 'again', throws: new Error('broken') } as const
      const { taken, handled, reports } = consume({
        answer: (job) => (job.deliveryId === 'again' ? answers.again : answers.throws),
      })
      await handled(8)
      const seen = (id: string) => taken.flatMap(({ job }) => (job.deliveryId === id ? [job] : []))
      for (const id of ['again', 'throws']) {
        assert.deepEqual(seen(id), [
          { deliveryId: id, receive: 1, last: false },
          { deliveryId: id, receive: 2, last: false },
          { deliveryId: id, receive: 3, last: false },
          { deliveryId: id, receive: 4, last: true },
        ])
      }
      assert.ok(await eventually(async () => (await queue.deadLetters({ limit: 10 })).length === 2))
      assert.equal(reports.filter((problem) => problem.includes('delivery throws broke off')).length, 4)
      assert.equal(await queue.enqueue(delivery('again', 'org_a')), true)
      await handled(9)
      assert.equal(taken[8]?.job.receive, 1)
    })

    test('a job that comes again waits out its delay; others go ahead meanwhile', async () => {
      const patient = await under.another({ retryDelaySeconds: 60 })
      await patient.enqueue(delivery('a'))
      const { taken, takes } = consume({ capacity: 1 }, patient)
      await takes(1)
      taken[0]?.settle('again')
      for (const count of [2, 3]) {
        await patient.enqueue(delivery(`later-${count}`))
        await takes(count)
        taken[count - 1]?.settle('done')
      }
      assert.equal(await patient.enqueue(delivery('a')), false)
      assert.equal(taken.length, 3)
    })

    test('a job that comes again goes before those that came after it · DLV-12', async () => {
      for (const id of ['a', 'b', 'c']) await queue.enqueue(delivery(id))
      const first = consume({ capacity: 1 })
      await first.takes(1)
      const stopped = first.end({ settle: false })
      first.taken[0]?.settle('again')
      await stopped
      const { order, handled } = consume({ capacity: 1, answer: 'done' })
      await handled(3)
      assert.deepEqual(order(), ['a', 'b', 'c'])
    })

    test('the job of a worker that vanished comes back, and what that worker says later counts for nothing · DLV-11', async () => {
      await queue.enqueue(delivery('a'))
      const { taken, takes } = consume()
      await takes(1)
      await under.vanish('a')
      await takes(2)
      assert.deepEqual([taken[1]?.job.deliveryId, taken[1]?.job.receive], ['a', 2])
      taken[0]?.settle('done')
      await queue.enqueue(delivery('b'))
      await takes(3)
      taken[2]?.settle('done')
      assert.ok(await eventually(() => queue.enqueue(delivery('b'))))
      // The first one's word has been heard by now, or it never will be: the second is still at it.
      assert.equal(await queue.enqueue(delivery('a')), false)
    })

    test('a worker that vanishes in the fourth receive leaves a dead letter · DLV-5', async () => {
      await queue.enqueue(delivery('a', 'org_a'))
      const { takes } = consume({ answer: ({ last }) => (last ? null : 'again') })
      await takes(4)
      await under.vanish('a')
      assert.ok(await eventually(async () => (await queue.deadLetters({ limit: 10 })).length === 1))
      assert.equal(await queue.enqueue(delivery('a')), true)
    })

    test('jobs from before the clock was turned back come when the times are mended, not hours later', async () => {
      const patient = await under.another({ retryDelaySeconds: 60 })
      await patient.enqueue(delivery('waits'))
      const { taken, takes } = consume({ capacity: 10 })
      await takes(1)
      taken[0]?.settle('again')
      await queue.enqueue(delivery('runs'))
      await takes(2)
      await patient.mendTimes()
      await queue.enqueue(delivery('next'))
      await takes(3)
      assert.equal(taken[2]?.job.deliveryId, 'next', 'an ordinary delay is left alone')

      await under.turnClockBack()
      await patient.mendTimes()
      await takes(4)
      assert.equal(taken[3]?.job.deliveryId, 'waits')
      await under.vanish('runs')
      await takes(5)
      assert.deepEqual([taken[4]?.job.deliveryId, taken[4]?.job.receive], ['runs', 2])
    })

    test('dead letters: newest first, found by delivery, taken out once · DLV-5', async () => {
      const { handled } = consume({ answer: 'again' })
      for (const [index, id] of ['a', 'b', 'a'].entries()) {
        const began = new Date()
        assert.ok(await eventually(() => queue.enqueue(delivery(id, `org_${id}`))))
        await handled((index + 1) * 4)
        assert.ok(await eventually(async () => (await queue.deadLetters({ limit: 10 })).length === index + 1))
        const [newest] = await queue.deadLetters({ limit: 1 })
        assert.deepEqual([newest?.deliveryId, newest?.organizationId], [id, `org_${id}`])
        assert.ok(Math.abs(new Date(newest?.deadSince ?? '').getTime() - began.getTime()) < 60_000)
      }
      const ids = async (deliveryIds?: string[]) =>
        (await queue.deadLetters({ limit: 10, ...(deliveryIds && { deliveryIds }) })).map((one) => one.deliveryId)
      assert.deepEqual(await ids(), ['a', 'b', 'a'])
      assert.deepEqual(await ids(['a', 'x']), ['a', 'a'])
      assert.deepEqual(await ids([]), [])

      const all = await queue.deadLetters({ limit: 10 })
      const found = (filter: object) => queue.deadLetters({ limit: 10, ...filter })
      assert.deepEqual(await found({ organizationId: 'org_b' }), all.slice(1, 2))
      assert.deepEqual(await found({ id: all[2]?.id }), all.slice(2))
      for (const [place, after] of all.entries()) assert.deepEqual(await found({ after }), all.slice(place + 1))
      assert.deepEqual(await found({ deadBefore: new Date(all[1]?.deadSince ?? '') }), all.slice(2))
      assert.deepEqual(await queue.removeDeadLetters(['x', '', "'; --", all[0]?.id ?? '']), all.slice(0, 1))
      assert.deepEqual(await ids(), ['b', 'a'])
      assert.deepEqual(await queue.removeDeadLetters([all[0]?.id ?? '']), [])
    })

    test('stopping takes no more jobs and waits for those under way, which are settled', async () => {
      await queue.enqueueAll([delivery('a'), delivery('b')])
      const { taken, takes, end } = consume({ capacity: 1 })
      await takes(1)
      let stopped = false
      const stopping = end({ settle: false }).then(() => {
        stopped = true
      })
      // A consumer that is not stopping hears of this at once.
      await queue.enqueue(delivery('c'))
      assert.equal(stopped, false)
      taken[0]?.settle('done')
      await stopping
      assert.equal(taken.length, 1)
      assert.equal(await queue.enqueue(delivery('a')), true)
      assert.equal(await queue.enqueue(delivery('b')), false)
    })

    test('a database that goes away stops nothing for good', async () => {
      await queue.enqueue(delivery('a'))
      const { taken, takes, reports } = consume({ capacity: 4 })
      await takes(1)
      const mend = await under.breakDown()
      taken[0]?.settle('done')
      const said = (text: string) => eventually(async () => reports.some((problem) => problem.includes(text)))
      assert.ok(await said('could not be settled'))
      assert.ok(await said('cannot be fetched'))
      await assert.rejects(queue.enqueue(delivery('b')))
      await mend()
      assert.equal(await queue.enqueue(delivery('b')), true)
      await takes(2)
      // What could not be settled comes again, as if its worker had vanished.
      await under.vanish('a')
      await takes(3)
      assert.deepEqual([taken[2]?.job.deliveryId, taken[2]?.job.receive], ['a', 2])
    })

    test('starting twice is starting once', async () => {
      await Promise.all([queue.start(), queue.start()])
      assert.equal(await queue.enqueue(delivery('a')), true)
    })
  })
}

function delivery(deliveryId: string, organizationId = 'org_any'): QueuedDelivery {
  return { deliveryId, deliveryKey: `key of ${deliveryId}`, organizationId }
}
