import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import type { ActivityPage, Key, KeyList, MintedKey } from '../../server/http/settings/schemas.ts'
import { scopes } from '../../server/organizations/api-keys.ts'
import { assertRefused } from '../support/answers.ts'
import { engines } from '../support/engines.ts'
import { type Visitor, visitor } from '../support/members.ts'
import { call, type Partner, type Service, startService } from '../support/service.ts'

for (const engine of engines) {
  describe(`API keys in the settings area on ${engine.name}`, () => {
    let service: Service
    let partner: Partner
    let admin: Visitor
    let path: string
    before(async () => {
      service = await startService(engine)
      partner = await service.partner()
      admin = await visitor(service, 'admin', partner.organizationId)
      path = `/organizations/${partner.organizationId}/keys`
    })
    after(() => service.close())

    const templates = (key: string) => call(service.url, 'GET', '/v1/templates', { 'x-service-api-key': key })
    const listed = async (id: string) => {
      const { body } = await admin.call<KeyList>('GET', path)
      return body.data.find((key) => key.id === id)
    }

    test('a key made here works on /v1 at once, and gives 401 once revoked · SET-2 AUTH-6', async () => {
      const made = await admin.call<MintedKey>('POST', path, { label: ' ATS ', scopes: ['templates:read'] })
      assert.equal(made.status, 201)
      const { id, key } = made.body
      assert.deepEqual(made.body, { id, key, label: 'ATS', scopes: ['templates:read'] })
      assert.match(key, /^service_live_[A-Za-z0-9]{16}\.[A-Za-z0-9_-]{43}$/)
      assert.equal((await templates(key)).status, 200)

      const revoked = await admin.call<Key>('POST', `${path}/${id}/revocation`)
      assert.deepEqual([revoked.status, revoked.body.revokedAt], [200, service.time.now.toISOString()])
      assertRefused(await templates(key), 401, 'Invalid API key')
      const again = await admin.call<Key>('POST', `${path}/${id}/revocation`)
      assert.deepEqual([again.status, again.body], [200, revoked.body])
    })

    test('the key is shown once: neither the list nor the log nor the activity holds it · SET-2 AUTH-11', async () => {
      const { body: made } = await admin.call<MintedKey>('POST', path, { label: 'Once', scopes: [...scopes] })
      const shown = await listed(made.id)
      assert.deepEqual(shown, {
        id: made.id,
        label: 'Once',
        prefix: made.key.split('.')[0],
        scopes: [...scopes],
        legacy: false,
        createdBy: admin.email,
        createdAt: service.time.now.toISOString(),
        lastUsedAt: null,
        revokedAt: null,
      })
      await templates(made.key)
      assert.notEqual((await listed(made.id))?.lastUsedAt, null)
      const secret = made.key.split('.')[1] ?? ''
      const list = await admin.call('GET', path)
      const activity = await admin.call('GET', path.replace('keys', 'activity'))
      for (const text of [list.text, activity.text, service.logged()]) assert.ok(!text.includes(secret))
    })

    test('a key without a scope, or with one that is not there, is refused · AUTH-9', async () => {
      const refusals: [body: unknown, error: string][] = [
        [{ label: 'L', scopes: [] }, 'scopes must not be empty'],
        [{ label: 'L' }, 'scopes is required'],
        [{ label: 'L', scopes: ['all'] }, `scopes.0 must be one of ${scopes.join(', ')}`],
        [{ label: ' ', scopes: ['results:read'] }, 'label is required'],
        [{ label: 'x'.repeat(101), scopes: ['results:read'] }, 'label must be at most 100 characters'],
      ]
      const before = (await admin.call<KeyList>('GET', path)).body
      for (const [body, error] of refusals) assertRefused(await admin.call('POST', path, body), 400, error)
      assert.deepEqual((await admin.call<KeyList>('GET', path)).body, before)
    })

    test('a key from before scopes is marked, and has all four until it is revoked · AUTH-10', async () => {
      const { body: made } = await admin.call<MintedKey>('POST', path, { label: 'Old', scopes: ['results:read'] })
      await service.database.query(sql`update api_keys set scopes = null where id = ${made.id}`)
      const shown = await listed(made.id)
      assert.deepEqual([shown?.legacy, shown?.scopes], [true, [...scopes]])
      assert.equal((await templates(made.key)).status, 200)
      await admin.call('POST', `${path}/${made.id}/revocation`)
      assertRefused(await templates(made.key), 401, 'Invalid API key')
    })

    test('many at the same moment do not wait for one another without end', async () => {
      const wanted = { label: 'Many', scopes: ['results:read'] }
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          index % 2 === 0 ? admin.call('POST', path, wanted) : admin.call('GET', '/session'),
        ),
      )
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201, 200]))
    })

    test('a key that is not there cannot be revoked', async () => {
      for (const id of ['key_unknown', '%00', `${partner.keyId}x`]) {
        assertRefused(await admin.call('POST', `${path}/${id}/revocation`), 404, 'API key not found')
      }
    })

    test('each key made and revoked is in the activity once · SET-6', async () => {
      const { body: made } = await admin.call<MintedKey>('POST', path, { label: 'Told', scopes: ['results:read'] })
      for (let count = 0; count < 2; count++) await admin.call('POST', `${path}/${made.id}/revocation`)
      const { body } = await admin.call<ActivityPage>('GET', path.replace('keys', 'activity?limit=2'))
      const told = body.data.map(({ actor, action, subject, detail }) => [actor, action, subject, detail])
      assert.deepEqual(told, [
        [admin.email, 'key.revoked', `Told (${made.id})`, null],
        [admin.email, 'key.created', `Told (${made.id})`, 'results:read'],
      ])
    })
  })
}
