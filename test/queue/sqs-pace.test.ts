import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { endTurns } from '../../server/queue/pace.ts'
import { setMaxPerSecond } from '../../server/queue/pauses.ts'
import { createSqsQueue } from '../../server/queue/sqs-queue.ts'
import { engines } from '../../support/engines.ts'
import { elapsePaces } from '../../support/queue-hooks.ts'
import { paceSuite } from './pace-suite.ts'
import { watch } from './queue-watch.ts'
import { openSqsQueue, type SqsUnderTest } from './sqs-under-test.ts'

for (const engine of engines) {
  paceSuite(`SQS with ${engine.name}`, () => openSqsQueue(engine))

  describe(`turns and requests on SQS with ${engine.name}`, () => {
    let under: SqsUnderTest
    before(async () => {
      under = await openSqsQueue(engine)
    })
    after(() => under?.close())

    test('while an organization waits for its turn, its messages make no requests to SQS · DLV-19', async () => {
      const { database, sqs } = under
      await setMaxPerSecond(database, 'slow', 1)
      const leaseSeconds = 30
      let hidden = 0
      const watched = {
        ...sqs,
        hide(messages: Parameters<typeof sqs.hide>[0]) {
          // Leases are renewed if this takes long enough.
          hidden += messages.filter(({ seconds }) => seconds !== leaseSeconds).length
          return sqs.hide(messages)
        },
      }
      const queue = createSqsQueue({ database, sqs: watched, report: () => {}, leaseSeconds })
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
