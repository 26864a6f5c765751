import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listActivity } from '../../server/organizations/activity.ts'
import { createDemo } from '../../server/workflows/create-demo.ts'
import { engines } from '../../support/engines.ts'

for (const engine of engines) {
  test(`the activity shows the demo key and the demo admin, but not the key itself, on ${engine.name}`, async () => {
    const database = await engine.open()
    const demo = await createDemo(database, new Date('2026-03-01T12:00:00.000Z'))
    assert.ok(demo)
    const page = await listActivity(database, demo.organizationId, { limit: 10 })
    assert.ok(page !== 'invalid_cursor')
    assert.deepEqual(
      page.data.map(({ actor, action }) => [actor, action]),
      [
        ['first start', 'key.created'],
        ['first start', 'member.added'],
      ],
    )
    assert.ok(!JSON.stringify(page).includes(demo.key))
    await database.close()
  })
}
