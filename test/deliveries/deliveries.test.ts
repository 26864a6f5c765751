import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { findDelivery, retryDelivery } from '../../server/deliveries/delivery-history.ts'
import { listDeliveryRows } from '../../server/deliveries/delivery-table.ts'
import { type Deliveries, type Subscriber, startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'

const nobody = 'dlv_01m7efx4xwfztrm1s20bva7r58'

for (const engine of engines) {
  describe(`delivery records on ${engine.name}`, () => {
    let deliveries: Deliveries
    before(async () => {
      deliveries = await startDeliveries(engine)
    })
    after(() => deliveries?.close())

    test('are listed newest first, in pages, by status, and each organization sees only its own · DLV-13', async () => {
      const { database } = deliveries.service
      const [subscriber, other] = [await deliveries.subscriber(), await deliveries.subscriber()]
      const ids = await several(subscriber, 5)
      await several(other, 1)
      for (const id of [ids[1] ?? '', ids[3] ?? '']) await deliveries.attempt(id, { receive: 4 })
      const newest = ids.toReversed()

      const list = async (filter: { status?: 'PENDING' | 'FAILED' | 'DELIVERED'; limit: number; cursor?: string }) => {
        const page = await listDeliveryRows(database, subscriber.organizationId, filter)
        assert.ok(page !== 'invalid_cursor')
        return { ids: page.data.map(({ id }) => id), nextCursor: page.nextCursor }
      }
      assert.deepEqual(await list({ limit: 100 }), { ids: newest, nextCursor: null })
      assert.deepEqual((await list({ limit: 100, status: 'FAILED' })).ids, [ids[3], ids[1]])
      assert.deepEqual((await list({ limit: 100, status: 'DELIVERED' })).ids, [])
      const walked: string[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page = await list({ limit: 2, ...(cursor !== '' && { cursor }) })
        walked.push(...page.ids)
        cursor = page.nextCursor
      }
      assert.deepEqual(walked, newest)
      for (const cursor of ['x', '', Buffer.from('["res_1"]').toString('base64url')]) {
        assert.equal(
          await listDeliveryRows(database, subscriber.organizationId, { limit: 2, cursor }),
          'invalid_cursor',
        )
      }
    })

    test('a delivery that does not exist is not found', async () => {
      const { database, time } = deliveries.service
      for (const id of [nobody, '', 'x', "dlv_'--", 'org_01m7efx4xwfztrm1s20bva7r58']) {
        assert.equal(await findDelivery(database, id), null)
        assert.equal(await retryDelivery(database, { id, organizationId: null, by: 'admin' }, time.now), 'not_found')
      }
    })

    test('the schema rejects impossible states', async () => {
      const { database } = deliveries.service
      const [id = ''] = await several(await deliveries.subscriber(), 1)
      for (const change of [
        sql`status = 'DELIVERED'`,
        sql`status = 'FAILED'`,
        sql`delivered_at = now()`,
        sql`failure_reason = 'RECEIVER_REJECTED'`,
        sql`status = 'LOST'`,
        sql`status = 'FAILED', failure_reason = 'BAD_LUCK'`,
      ]) {
        await assert.rejects(database.query(sql`update deliveries set ${change} where id = ${id}`), /check constraint/)
      }
      const again = sql`
        insert into deliveries (id, organization_id, result_id, interview_id, status, created_at, updated_at)
        select ${nobody}, organization_id, result_id, interview_id, 'PENDING', now(), now() from deliveries
        where id = ${id}`
      await assert.rejects(database.query(again), /unique constraint/)
    })

    async function several(subscriber: Subscriber, count: number): Promise<string[]> {
      const ids: string[] = []
      for (let index = 0; index < count; index += 1) ids.push((await subscriber.complete({ image: null })).deliveryId)
      return ids
    }
  })
}
