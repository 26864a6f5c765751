import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { type ClaimedJob, type DeliveryQueue, type Job, receives } from '../../server/queue/queue.ts'
import { eventually } from '../../support/process.ts'
import { type Disposition, type Watch, type WatchOptions, watch } from './queue-watch.ts'

/** An engine behind the port, with the hooks that only the suite needs. */
export type QueueUnderTest = {
  queue: DeliveryQueue
  /** The same queue as another process sees it, open until the end of the suite. */
  another(options?: { pollMilliseconds?: number }): Promise<DeliveryQueue>
  /** Stores records with these names, so that their jobs can be settled, and returns the jobs. */
  open(names: readonly string[], organization: string): Promise<Job[]>
  /** Settles a job as a worker does. A retry is due immediately, or after the delay. */
  settle(job: ClaimedJob, disposition: Disposition, delaySeconds?: number): Promise<void>
  /** The names of the records that have a job, queued or running. */
  queued(): Promise<string[]>
  dead(): Promise<string[]>
  /** What the engine has reported outside a consumer. */
  reports: string[]
  /** Moves the queue's clock forward, for leases and due times. */
  elapse(seconds: number): Promise<void>
  /** Makes all due times and leases look as if the clock had been hours ahead until now. */
  turnClockBack(): Promise<void>
  resetFutureTimes(): Promise<void>
  /** Makes the database unavailable until the returned function is called. */
  breakDown(): Promise<() => Promise<void>>
  /** Deletes all jobs and dead letters. */
  empty(): Promise<void>
  close(): Promise<void>
}

/** The tests that every engine behind the port must pass. */
export function queueSuite(name: string, openEngine: () => Promise<QueueUnderTest>): void {
  describe(`the queue on ${name}`, () => {
    let under: QueueUnderTest
    let queue: DeliveryQueue
    const watches: Watch[] = []
    before(async () => {
      under = await openEngine()
      queue = under.queue
    })
    after(() => under?.close())
    afterEach(async () => {
      for (const one of watches.splice(0)) await one.stop()
      await under.empty()
    })

    async function enqueue(names: string | readonly string[], organization = 'any', into = queue): Promise<void> {
      await into.enqueue(await under.open([names].flat(), organization))
    }

    function consume(options: WatchOptions = {}, from = queue): Watch {
      const consumer = watch(from, under.settle, options)
      watches.push(consumer)
      return consumer
    }

    test('a delivery has one job, however often it is enqueued, until that job is done · DLV-8', async () => {
      const other = await under.another()
      const [job] = await under.open(['a'], 'any')
      assert.ok(job)
      await Promise.all(Array.from({ length: 10 }, (_, index) => (index % 2 ? queue : other).enqueue([job])))
      assert.deepEqual(await under.queued(), ['a'])
      const { running, begins, ends } = consume()
      await begins(1)
      await queue.enqueue([job])
      running[0]?.settle('again')
      await begins(2)
      await queue.enqueue([job])
      running[1]?.settle('done')
      await ends(2)
      assert.deepEqual(await under.queued(), [])
      assert.equal(running.length, 2)
    })

    test('first in, first out by due time · DLV-12', async () => {
      const names = Array.from({ length: 40 }, (_, index) => `job-${String(index).padStart(2, '0')}`)
      for (const capacity of [1, 16]) {
        for (const one of names) await enqueue(one)
        const { order, ends } = consume({ capacity, result: 'done' })
        await ends(names.length)
        assert.deepEqual(order(), names, `capacity ${capacity}`)
        await watches.pop()?.stop()
        await under.empty()
      }
    })

    test('no more jobs run at once than the capacity allows, and each slot that becomes free is used', async () => {
      await enqueue(Array.from({ length: 12 }, (_, index) => `job-${index}`))
      const { running, begins, max } = consume({ capacity: 3 })
      for (let index = 0; index < 12; index += 1) {
        await begins(Math.min(index + 3, 12))
        running[index]?.settle('done')
      }
      assert.equal(max(), 3)
    })

    test('a job that has released its slot makes room for another, and stopping still waits for it', async () => {
      for (const one of ['a', 'b', 'c']) await enqueue(one)
      const { running, begins, order, stop } = consume({ capacity: 1 })
      await begins(1)
      running[0]?.release()
      running[0]?.release()
      await begins(2)
      assert.deepEqual(order(), ['a', 'b'])
      running[1]?.settle('done')
      await begins(3)
      let stopped = false
      const stopping = stop({ settle: false }).then(() => {
        stopped = true
      })
      running[2]?.settle('done')
      assert.ok(await eventually(async () => (await under.queued()).join() === 'a'))
      assert.equal(stopped, false)
      running[0]?.settle('done')
      await stopping
      assert.deepEqual(await under.queued(), [])
    })

    test('one organization gets its share of the slots and delays no other · DLV-12', async () => {
      for (const one of ['a1', 'a2', 'a3', 'a4']) await enqueue(one, 'a')
      await enqueue('b1', 'b')
      const { running, begins, order } = consume({ capacity: 8, perOrganization: 2 })
      await begins(3)
      await enqueue('c1', 'c')
      await begins(4)
      assert.deepEqual(order().sort(), ['a1', 'a2', 'b1', 'c1'])
      running.find(({ job }) => job.deliveryId.endsWith('a1'))?.settle('done')
      await begins(5)
      // Not which one: SQS keeps no order between messages that had to wait for a slot.
      assert.match(String(order().at(-1)), /^a[34]$/)
    })

    test('of several organizations, the one that has waited longest comes first · DLV-12', async () => {
      const names = ['1a', '2b', '3c', '4b', '5a', '6c', '7b']
      for (const one of names) await enqueue(one, one.slice(1))
      const { order, ends } = consume({ capacity: 1, result: 'done' })
      await ends(names.length)
      assert.deepEqual(order(), names)
    })

    test('1,000 organizations share the slots, and none is hidden by those that have used their share · DLV-12', async () => {
      const organizations = Array.from({ length: 1_000 }, (_, index) => `o${String(index).padStart(3, '0')}`)
      const jobs = await under.open(
        ['first', 'second'].flatMap((round) => organizations.map((organization) => `${round}-${organization}`)),
        'any',
      )
      await queue.enqueue(jobs.map((job) => ({ ...job, organizationId: job.deliveryId.replace(/.*-/, '') })))
      const { running, begins, order } = consume({ capacity: 2_000, perOrganization: 1 })
      await begins(1_000)
      assert.deepEqual(
        order().sort(),
        organizations.map((organization) => `first-${organization}`),
      )
      for (const [index, organization] of ['o', 'o500x', 'z'].entries()) {
        await enqueue(`late-${organization}`, organization)
        await begins(1_001 + index)
        assert.equal(order().at(-1), `late-${organization}`)
      }
      for (const { settle } of running) settle('done')
      await begins(2_003)
    })

    test('an enqueue in this process wakes a consumer that would not poll for an hour', async () => {
      const sleepy = await under.another({ pollMilliseconds: 3_600_000 })
      const { begins } = consume({}, sleepy)
      for (let count = 1; count <= 3; count += 1) {
        await enqueue(`job-${count}`, 'any', sleepy)
        await begins(count)
      }
    })

    test('an enqueue in another process is found soon', async () => {
      const other = await under.another()
      const { begins } = consume()
      for (const count of [1, 2, 3]) {
        await enqueue(`job-${count}`, 'any', other)
        await begins(count)
      }
    })

    test('a failing job is received four times and then is a dead letter · DLV-4 DLV-5', async () => {
      await enqueue('a')
      const { running, ends } = consume({ result: ({ receive }) => (receive < receives ? 'again' : 'exhausted') })
      await ends(receives)
      assert.deepEqual(
        running.map(({ job }) => job.receive),
        [1, 2, 3, 4],
      )
      assert.deepEqual([await under.queued(), await under.dead()], [[], ['a']])
    })

    test('a job whose worker dies each time is a dead letter after four receives · DLV-5', async () => {
      await enqueue('a')
      const { running, begins, ends } = consume({
        result: ({ receive }) => (receive > receives ? 'exhausted' : 'vanished'),
      })
      for (let count = 1; count <= receives + 1; count += 1) {
        await begins(count)
        await ends(count)
        await under.elapse(60)
      }
      assert.deepEqual(
        running.map(({ job }) => job.receive),
        [1, 2, 3, 4, 5],
      )
      assert.deepEqual([await under.queued(), await under.dead()], [[], ['a']])
    })

    test('a retry waits for its delay, and other jobs go ahead in the meantime · DLV-12', async () => {
      await enqueue('a')
      const { running, begins, order } = consume({ capacity: 1 })
      await begins(1)
      const [first] = running
      assert.ok(first)
      await under.settle(first.job, 'again', 60)
      first.settle('vanished')
      for (const [index, one] of ['b', 'c'].entries()) {
        await enqueue(one)
        await begins(index + 2)
        running[index + 1]?.settle('done')
      }
      await under.elapse(60)
      await begins(4)
      assert.deepEqual(order(), ['a', 'b', 'c', 'a'])
    })

    test('the job of a vanished worker is received again, and what that worker reports later changes nothing · DLV-11', async () => {
      await enqueue('a')
      const { running, begins } = consume()
      await begins(1)
      await under.elapse(60)
      await begins(2)
      assert.deepEqual([running[1]?.job.receive, await under.queued()], [2, ['a']])
      running[0]?.settle('again')
      await enqueue('b')
      await begins(3)
      // The first worker's report has arrived by now, and the second still has the job.
      assert.equal(running.length, 3)
      running[1]?.settle('done')
      assert.ok(await eventually(async () => (await under.queued()).join() === 'b'))
    })

    test('times from before the clock was set back are corrected · DLV-8', async () => {
      await enqueue(['waits', 'runs'])
      const first = consume({ capacity: 10 })
      await first.begins(2)
      const waits = first.running.find(({ job }) => job.deliveryId.endsWith('waits'))
      assert.ok(waits)
      await under.settle(waits.job, 'again', 60)
      for (const { settle } of first.running) settle('vanished')
      await under.resetFutureTimes()
      await enqueue('next')
      await first.begins(3)
      assert.equal(first.order().at(-1), 'next', 'an ordinary delay is left alone')
      first.running[2]?.settle('done')
      await first.ends(3)
      await under.turnClockBack()
      await under.resetFutureTimes()
      await first.begins(5)
      assert.deepEqual(first.order().slice(3).sort(), ['runs', 'waits'])
    })

    test('stopping claims no more jobs and waits until the running ones are settled', async () => {
      for (const one of ['a', 'b']) await enqueue(one)
      const { running, begins, stop } = consume({ capacity: 1 })
      await begins(1)
      let stopped = false
      const stopping = stop({ settle: false }).then(() => {
        stopped = true
      })
      await enqueue('c')
      assert.equal(stopped, false)
      running[0]?.settle('done')
      await stopping
      assert.deepEqual([running.length, (await under.queued()).sort()], [1, ['b', 'c']])
    })

    test('the queue recovers when the database comes back', async () => {
      await enqueue('a')
      const jobs = await under.open(['b'], 'any')
      const { running, begins, reports } = consume({ capacity: 4 })
      await begins(1)
      const repair = await under.breakDown()
      running[0]?.settle('done')
      const reported = (text: string) =>
        eventually(async () => [...reports, ...under.reports].some((problem) => problem.includes(text)))
      assert.ok(await reported('was interrupted'))
      assert.ok(await reported('could not be claimed'))
      await assert.rejects(queue.enqueue(jobs))
      await repair()
      await queue.enqueue(jobs)
      await begins(2)
      // Jobs that could not be settled are received again when their lease expires.
      await under.elapse(60)
      await begins(3)
      assert.deepEqual([running[2]?.job.receive, running[2]?.job.deliveryId.endsWith('a')], [2, true])
    })
  })
}
