import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import sql from 'sql-template-tag'
import type { Database } from '../../server/database/database.ts'
import { settle } from '../../server/deliveries/transitions.ts'
import { removeJobs } from '../../server/queue/jobs.ts'
import { engines } from '../../support/engines.ts'
import { createRandom } from '../../support/random.ts'
import type { Operations } from './interleaving-operations.ts'
import { realOperations } from './interleaving-simulation.ts'
import { describeViolation, explore } from './interleavings.ts'

const orders = { PostgreSQL: 3_000, embedded: 400 }

for (const engine of engines) {
  describe(`on ${engine.name}, in every order of claim, settle, retry, redrive, sweep, erase, disable and crash`, () => {
    const exploring = async (operations: Operations, limit: number = orders[engine.name]) => {
      const database = await engine.open()
      try {
        return await explore(database, {
          orders: limit,
          walks: limit / 20,
          depth: 25,
          random: createRandom('interleavings'),
          operations,
        })
      } finally {
        await database.close()
      }
    }

    test('nothing is lost, duplicated or undone · DLV-2 DLV-3 DLV-11 DLV-15 DLV-16 DLV-17', async () => {
      const { violation, orders: run, deepest } = await exploring(realOperations)
      assert.equal(violation && describeViolation(violation), null)
      assert.ok(run >= orders[engine.name] && deepest >= 25, `${run} orders, up to ${deepest} steps`)
    })

    // One database is enough to prove that the search finds violations.
    if (engine.name === 'embedded') return

    test('the search finds a Retry undone between settling a record and settling its job · DLV-17', async () => {
      const { violation } = await exploring(recordAndJobSeparately, 20_000)
      assert.match(violation?.rule ?? '', /Retry was undone/)
      assert.ok(violation?.order.includes('admin: retry'), violation?.order.join() ?? '')
    })

    test('the search finds a redrive that disturbs a later round · DLV-17', async () => {
      const { violation } = await exploring(redriveAnyRound, 20_000)
      assert.match(violation?.rule ?? '', /two requests are in flight|4xx|not in the history/)
      assert.ok(violation?.order.includes('operator: redrive'), violation?.order.join() ?? '')
    })
  })
}

/**
 * Settles the record and its job one after the other, leaves a retried job to the sweep, and lets the sweep take a dead
 * letter as the end of the record’s current round.
 */
const recordAndJobSeparately: Operations = {
  ...realOperations,
  settle: [
    async (database, settlement) => {
      if (settlement.outcome !== 'exhausted') return settle(database, [settlement])
      const { deliveryId, round } = settlement.job
      await database.query(sql`
        update deliveries set status = 'FAILED', failure_reason = 'RECEIVES_EXHAUSTED', attempts = 4
        where id = ${deliveryId} and status = 'PENDING' and round = ${round}`)
    },
    async (database, { job, outcome }) => {
      if (outcome !== 'exhausted') return
      await removeJobs(database, [job.deliveryId])
      await addLetter(database, job.deliveryId)
    },
  ],
  async retry(database, deliveryId) {
    await database.query(sql`
      update deliveries set status = 'PENDING', failure_reason = null, attempts = 0, round = round + 1, updated_at = now()
      where id = ${deliveryId} and status = 'FAILED'`)
  },
  async sweep(database) {
    await database.query(sql`
      update deliveries d set status = 'FAILED', failure_reason = 'RECEIVES_EXHAUSTED'
      where status = 'PENDING' and exists (select from dead_letters l where l.delivery_id = d.id)
        and not exists (select from delivery_jobs j where j.delivery_id = d.id)`)
    await realOperations.sweep(database)
  },
}

/** Any dead letter restarts its delivery, whatever state that is in now. */
const redriveAnyRound: Operations = {
  ...realOperations,
  async redrive(database, ids) {
    await database.query(sql`
      with removed as (
        delete from dead_letters where id = any(${ids}::uuid[]) returning delivery_id
      ), restarted as (
        update deliveries set status = 'PENDING', failure_reason = null, attempts = 0, round = round + 1,
          earlier_attempts = earlier_attempts + attempts
        where id in (select delivery_id from removed) and status <> 'DELIVERED'
        returning id, organization_id, round
      )
      insert into delivery_jobs (delivery_id, organization_id, round) select id, organization_id, round from restarted
      on conflict (delivery_id) do update set round = excluded.round, receives = 0, due_at = now(), leased_until = null,
        claimed_at = null`)
  },
}

async function addLetter(database: Database, deliveryId: string): Promise<void> {
  await database.query(sql`
    insert into dead_letters (delivery_id, organization_id, round)
    select id, organization_id, 1 from deliveries where id = ${deliveryId} on conflict do nothing`)
}
