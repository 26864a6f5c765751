import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startConsumer } from '../../server/queue/consumer.ts'
import type { ClaimedJob } from '../../server/queue/queue.ts'

const job: ClaimedJob = { deliveryId: 'dlv_1', organizationId: 'org_1', round: 1, receive: 1, claimedAt: 0 }

test('after an outage, running jobs are renewed before others are claimed', async (t) => {
  // Nor by the clock, which might be too late.
  t.mock.timers.enable({ apis: ['setInterval'] })
  const calls: string[] = []
  const { promise: settled, resolve: settle } = Promise.withResolvers<void>()
  const { promise: isBack, resolve: comeBack } = Promise.withResolvers<void>()
  let claims = 0
  const consumer = startConsumer({
    capacity: 2,
    perOrganization: 2,
    pollMilliseconds: 10,
    renewEveryMilliseconds: 500,
    handle: () => settled,
    report: (problem) => calls.push(problem),
    async claim() {
      claims += 1
      if (claims === 1) return [job]
      if (claims === 2) throw new Error('the database is away')
      calls.push('claim')
      comeBack()
      return []
    },
    async renew(jobs) {
      calls.push(`renew ${jobs.map(({ deliveryId }) => deliveryId)}`)
    },
  })
  await isBack
  settle()
  await consumer.stop()
  assert.deepEqual(calls.slice(0, 3), ['jobs could not be claimed; retrying in a second', 'renew dlv_1', 'claim'])
})
