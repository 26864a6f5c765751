import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Deliveries, startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'
import { signedInMember } from '../../support/members.ts'

describe('polling the settings API', () => {
  let deliveries: Deliveries
  before(async () => {
    const [engine] = engines
    assert.ok(engine)
    deliveries = await startDeliveries(engine)
  })
  after(() => deliveries.close())

  test('a response that has not changed is a 304 without a body', async () => {
    const { service } = deliveries
    const subscriber = await deliveries.subscriber()
    await subscriber.complete()
    const admin = await signedInMember(service, 'admin', subscriber.organizationId)
    const get = (path: string, etag?: string | null) =>
      fetch(`${service.url}/settings/api/organizations/${subscriber.organizationId}${path}`, {
        headers: { cookie: admin.cookie, ...(etag && { 'if-none-match': etag }) },
      })
    for (const path of [
      '/deliveries',
      '/deliveries/health',
      '/deliveries/failed-count',
      '/retry-runs/current',
      '/alert',
    ]) {
      const first = await get(path)
      const etag = first.headers.get('etag')
      assert.ok(etag && (await first.text()).length > 0, path)
      const second = await get(path, etag)
      assert.deepEqual([second.status, await second.text(), second.headers.get('etag')], [304, '', etag], path)
    }
    const etag = (await get('/deliveries')).headers.get('etag')
    await subscriber.complete()
    const changed = await get('/deliveries', etag)
    assert.equal(changed.status, 200)
    assert.notEqual(changed.headers.get('etag'), etag)
  })
})
