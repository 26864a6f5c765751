import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import type { Database } from '../../server/database/database.ts'
import type { ReceivedMessage } from '../../server/queue/sqs-client.ts'
import { claimReceived, renewPostings, takeBack } from '../../server/queue/sqs-jobs.ts'
import { engines } from '../../support/engines.ts'

const rounds = 40
const ids = Array.from({ length: 192 }, (_, index) => `dlv_${String(index).padStart(3, '0')}`)

// The embedded database runs one statement at a time.
for (const engine of engines.filter(({ name }) => name === 'PostgreSQL')) {
  describe('the jobs of the SQS engine', () => {
    let database: Database
    before(async () => {
      database = await engine.open()
    })
    after(() => database.close())

    for (const change of [renewPostings, takeBack]) {
      test(`claiming and ${change.name} never wait for each other`, async () => {
        for (let round = 1; round <= rounds; round++) {
          await storePosted(round)
          const posted = ids.map((deliveryId) => ({ deliveryId, round })).toReversed()
          await Promise.all([
            change(database, posted),
            ...[0, 48, 96, 144].map((start) =>
              claimReceived(database, ids.slice(start, start + 48).map(message(round)), 15),
            ),
          ])
        }
        const [count] = await database.query<{ claimed: number }>(
          sql`select count(*)::int as claimed from delivery_jobs where claimed_at is not null`,
        )
        assert.equal(count?.claimed, ids.length)
      })
    }

    /** Jobs that SQS holds, and whose lease is due for renewal. */
    async function storePosted(round: number): Promise<void> {
      await database.script('delete from delivery_jobs')
      await database.query(sql`
      insert into delivery_jobs (delivery_id, organization_id, round, leased_until)
      select id, 'org_suite', ${round}::int, now() + interval '10 seconds' from unnest(${ids}::text[]) as given (id)`)
    }
  })
}

function message(round: number): (deliveryId: string) => ReceivedMessage {
  return (deliveryId) => ({
    deliveryId,
    round,
    organizationId: 'org_suite',
    dueAt: 0,
    receipt: deliveryId,
    dead: false,
  })
}
