import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { endTurns } from '../../server/queue/pace.ts'
import { setMaxPerSecond } from '../../server/queue/pauses.ts'
import { createSqsQueue } from '../../server/queue/sqs-queue.ts'
import { engines } from '../../support/engines.ts'
import { eventually } from '../../support/process.ts'
import { elapsePaces } from '../../support/queue-hooks.ts'
import { watch } from './queue-watch.ts'
import { openSqsQueue, type SqsUnderTest } from './sqs-under-test.ts'

const perSecond = 10
const seconds = 6

for (const engine of engines) {
  describe(`a pace on SQS with ${engine.name}`, () => {
    let under: SqsUnderTest
    before(async () => {
      under = await openSqsQueue(engine)
    })
    after(() => under?.close())

    test('two workers send a backlog exactly at the limit, and none of it costs a receive or a request · DLV-19', async () => {
      const { database } = under
      const names = Array.from({ length: perSecond * seconds + 20 }, (_, index) => `paced-${100 + index}`)
      await setMaxPerSecond(database, 'slow', perSecond)
      await under.queue.enqueue(await under.open(names, 'slow'))
      const workers = [under.queue, await under.another()].map((queue) =>
        watch(queue, under.settle, { capacity: 64, perOrganization: 32 }),
      )
      const running = () => workers.flatMap((worker) => worker.running)
      const ended = new Set<string>()
      // A turn is taken until a second after its job ended, and this test decides when that second is over.
      for (let second = 1; second <= seconds; second += 1) {
        assert.ok(await eventually(async () => running().length >= second * perSecond), `${running().length} started`)
        const started = running().filter(({ job }) => !ended.has(job.deliveryId))
        assert.equal(started.length, perSecond)
        for (const { job, settle } of started) {
          ended.add(job.deliveryId)
          settle('done')
        }
        await endTurns(
          database,
          started.map(({ job }) => ({ job, sent: true, delivered: true })),
        )
        await elapsePaces(database, 1)
      }
      assert.ok(running().every(({ job }) => job.holdsTurn && job.receive === 1))
      assert.equal(new Set(running().map(({ job }) => job.deliveryId)).size, running().length)
      await Promise.all(workers.map((worker) => worker.stop()))
      await under.empty()
    })

    test('organizations at their limit do not keep others from being received · DLV-12 DLV-19', async () => {
      const slow = ['a', 'b', 'c', 'd', 'e', 'f']
      for (const organization of slow) {
        await setMaxPerSecond(under.database, organization, 1)
        const names = Array.from({ length: 40 }, (_, index) => `${organization}-${100 + index}`)
        await under.queue.enqueue(await under.open(names, organization))
      }
      const worker = watch(under.queue, under.settle, { capacity: 16, perOrganization: 4 })
      await worker.begins(slow.length)
      await under.queue.enqueue(await under.open(['quick'], 'quick'))
      await worker.begins(slow.length + 1)
      assert.deepEqual(worker.order().slice(slow.length), ['quick'])
      await worker.stop()
      await under.empty()
    })

    test('while an organization waits for its turn, its messages make no requests to SQS · DLV-19', async () => {
      const { database, sqs } = under
      await setMaxPerSecond(database, 'slow', 1)
      let hidden = 0
      const watched = {
        ...sqs,
        hide(messages: Parameters<typeof sqs.hide>[0]) {
          hidden += messages.length
          return sqs.hide(messages)
        },
      }
      const queue = createSqsQueue({ database, sqs: watched, report: () => {} })
      await queue.enqueue(await under.open(['one', 'two', 'three'], 'slow'))
      const worker = watch(queue, under.settle, {})
      for (let count = 1; count <= 3; count += 1) {
        await worker.begins(count)
        worker.running[count - 1]?.settle('done')
        const { job } = worker.running[count - 1] ?? assert.fail()
        await endTurns(database, [{ job, sent: true, delivered: true }])
        await elapsePaces(database, 1)
      }
      await worker.ends(3)
      assert.equal(hidden, 0)
      await worker.stop()
      await queue.stop()
      await under.empty()
    })
  })
}
