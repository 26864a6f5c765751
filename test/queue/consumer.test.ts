import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { consume, type Fetched } from '../../server/queue/consumer.ts'

// Time stands still: by itself a consumer that has looked in vain would not look again.
test('an organization at its share goes on as soon as one of its jobs is settled, and not for a job of another', async (t) => {
  const { handled, settled, looks, consumer } = await consumeStill(t, [
    { jobs: [job('org_a'), job('org_b')], heldBack: new Set(), more: true },
    { jobs: [], heldBack: new Set(['org_a']), more: false },
  ])
  assert.equal(looks(), 2)

  handled.get('org_b')?.()
  await turns()
  t.mock.timers.tick(20)
  await turns()
  assert.deepEqual([settled, looks()], [['org_b'], 2])

  handled.get('org_a')?.()
  await turns()
  assert.deepEqual([settled, looks()], [['org_b', 'org_a'], 3])
  await consumer.stop()
})

test('a fetch that has found all there is, is not followed by another before somebody calls', async (t) => {
  const { handled, settled, looks, consumer } = await consumeStill(t, [
    { jobs: [job('org_a')], heldBack: new Set(), more: false },
  ])
  assert.equal(looks(), 1)
  handled.get('org_a')?.()
  await turns()
  t.mock.timers.tick(20)
  await turns()
  assert.deepEqual([settled, looks()], [['org_a'], 1])
  consumer.wake()
  await turns()
  assert.equal(looks(), 2)
  await consumer.stop()
})

function job(organizationId: string) {
  return { id: organizationId, retryCount: 0, organizationId, deliveryId: organizationId }
}

async function consumeStill(t: TestContext, answers: Fetched[]) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const handled = new Map<string, () => void>()
  const settled: string[] = []
  let looks = 0
  const consumer = consume({
    capacity: 8,
    report: assert.fail,
    handle: ({ deliveryId }) => new Promise((resolve) => handled.set(deliveryId, () => resolve('done'))),
    fetch: async () => answers[looks++] ?? { jobs: [], heldBack: new Set(), more: false },
    complete: async (jobs) => settled.push(...jobs.map(({ deliveryId }) => deliveryId)),
    fail: async () => assert.fail('nothing fails here'),
  })
  await turns()
  return { handled, settled, looks: () => looks, consumer }
}

async function turns(): Promise<void> {
  for (let count = 0; count < 10; count += 1) await new Promise((resolve) => setImmediate(resolve))
}
