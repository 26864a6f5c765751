import assert from 'node:assert/strict'
import { test } from 'node:test'
import { consume, type Fetched } from '../../server/webhooks/queue-consumer.ts'

// Time stands still: by itself a consumer that has looked in vain would not look again.
test('an organization at its share goes on as soon as one of its jobs is settled, and not for a job of another', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const job = (organizationId: string) => ({
    id: organizationId,
    retryCount: 0,
    organizationId,
    deliveryId: organizationId,
  })
  const answers: Fetched[] = [
    { jobs: [job('org_a'), job('org_b')], heldBack: new Set() },
    { jobs: [], heldBack: new Set(['org_a']) },
  ]
  const handled = new Map<string, () => void>()
  const settled: string[] = []
  let looks = 0
  const consumer = consume({
    capacity: 8,
    report: assert.fail,
    handle: ({ deliveryId }) => new Promise((resolve) => handled.set(deliveryId, () => resolve('done'))),
    fetch: async () => answers[looks++] ?? { jobs: [], heldBack: new Set() },
    complete: async (jobs) => settled.push(...jobs.map(({ deliveryId }) => deliveryId)),
    fail: async () => assert.fail('nothing fails here'),
  })
  const turns = async () => {
    for (let count = 0; count < 10; count += 1) await new Promise((resolve) => setImmediate(resolve))
  }
  await turns()
  assert.equal(looks, 2)

  handled.get('org_b')?.()
  await turns()
  t.mock.timers.tick(20)
  await turns()
  assert.deepEqual([settled, looks], [['org_b'], 2])

  handled.get('org_a')?.()
  await turns()
  assert.deepEqual([settled, looks], [['org_b', 'org_a'], 3])
  await consumer.stop()
})
