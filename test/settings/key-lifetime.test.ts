import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import type { ActivityPage, Key, KeyPage, MintedKey } from '../../server/http/settings/schemas.ts'
import { maxKeys, scopes } from '../../server/organizations/api-keys.ts'
import { engines } from '../../support/engines.ts'
import { assertRefused } from '../../support/error-responses.ts'
import { type SignedInMember, signedInMember } from '../../support/members.ts'
import { eventually } from '../../support/process.ts'
import { raceOnLock } from '../../support/race-on-lock.ts'
import { call, type Partner, type Service, startService } from '../../support/service.ts'

const day = 86_400_000

for (const engine of engines) {
  describe(`the life of an API key on ${engine.name}`, () => {
    let service: Service
    let partner: Partner
    let admin: SignedInMember
    let path: string
    before(async () => {
      service = await startService(engine)
      // Expiry goes by the database's clock.
      service.time.now = new Date()
      partner = await service.partner()
      admin = await signedInMember(service, 'admin', partner.organizationId)
      path = `/organizations/${partner.organizationId}/keys`
    })
    after(() => service.close())

    const inDays = (days: number) => new Date(service.time.now.getTime() + days * day).toISOString()
    const create = async (fields: object = {}) => {
      const made = await admin.call<MintedKey>('POST', path, { label: 'ATS', scopes: ['templates:read'], ...fields })
      assert.equal(made.status, 201, made.text)
      return made.body
    }
    const templates = (key: string) => call(service.url, 'GET', '/v1/templates', { 'x-service-api-key': key })
    const listed = async (id: string) => {
      const { body } = await admin.call<KeyPage>('GET', path)
      const key = body.data.find((one) => one.id === id)
      assert.ok(key)
      return key
    }
    const expire = (id: string) =>
      service.database.query(sql`update api_keys set expires_at = now() - interval '1 day' where id = ${id}`)
    const activity = async () => {
      const { body } = await admin.call<ActivityPage>('GET', path.replace('keys', 'activity?limit=2'))
      return body.data.map(({ action, subject, detail, endsAt }) => [action, subject, detail, endsAt])
    }

    test('a key works until it expires, and then gets 401 from every process · SET-2 AUTH-6', async () => {
      const expiresAt = inDays(1)
      const { id, key } = await create({ expiresAt })
      assert.equal((await listed(id)).expiresAt, expiresAt)
      assert.equal((await templates(key)).status, 200)
      await expire(id)
      assertRefused(await templates(key), 401, 'Invalid API key')
      assertRefused(
        await admin.call('PATCH', `${path}/${id}`, { label: 'New' }),
        409,
        'Only an active key can be changed',
      )
      const successor = await admin.call('POST', `${path}/${id}/successor`, { oldEndsAt: inDays(1) })
      assertRefused(successor, 409, 'Only an active key can be changed')
    })

    test('a time in the past is no expiry · SET-2', async () => {
      const wanted = { label: 'ATS', scopes: ['templates:read'], expiresAt: inDays(-1) }
      assertRefused(await admin.call('POST', path, wanted), 400, 'expiresAt must be in the future')
      const { id } = await create()
      const changed = await admin.call('PATCH', `${path}/${id}`, { expiresAt: inDays(-1) })
      assertRefused(changed, 400, 'expiresAt must be in the future')
    })

    test('expired keys make room for others · ROB-4', async () => {
      const crowded = await service.partner()
      await service.database.query(sql`
        insert into api_keys (id, organization_id, public_id, hash, label, scopes, created_by, created_at, expires_at)
        select 'key_filler' || n, organization_id, 'filler' || n, hash, label, scopes, created_by, created_at, now()
        from api_keys, generate_series(1, ${maxKeys}) n where id = ${crowded.keyId}`)
      const owner = await signedInMember(service, 'admin', crowded.organizationId)
      const wanted = { label: 'ATS', scopes: ['templates:read'] }
      assert.equal((await owner.call('POST', `/organizations/${crowded.organizationId}/keys`, wanted)).status, 201)
    })

    test('a key is renamed and given an expiry, and both are in the activity · SET-2 SET-6', async () => {
      const { id, key } = await create()
      const expiresAt = inDays(30)
      const changed = await admin.call<Key>('PATCH', `${path}/${id}`, { label: ' Job board ', expiresAt })
      assert.deepEqual([changed.status, changed.body.label, changed.body.expiresAt], [200, 'Job board', expiresAt])
      assert.deepEqual(await activity(), [
        ['key.expiry_changed', `Job board (${id})`, null, expiresAt],
        ['key.renamed', `Job board (${id})`, 'was ATS', null],
      ])
      const never = await admin.call<Key>('PATCH', `${path}/${id}`, { expiresAt: null })
      assert.equal(never.body.expiresAt, null)
      const before = await activity()
      await admin.call<Key>('PATCH', `${path}/${id}`, { label: 'Job board', expiresAt: null })
      assert.deepEqual(await activity(), before, 'nothing changed, so nothing is recorded')
      assert.equal((await templates(key)).status, 200)

      const empty = await admin.call('PATCH', `${path}/${id}`, {})
      assertRefused(empty, 400, 'Request body must have at least one field to change')
      assertRefused(await admin.call('PATCH', `${path}/${id}`, { label: ' ' }), 400, 'label is required')
      assertRefused(await admin.call('PATCH', `${path}/key_unknown`, { label: 'L' }), 404, 'API key not found')
    })

    test('a key is rotated: the successor has its permissions, and the old one ends at the chosen time · SET-2 SET-6', async () => {
      const old = await create({ label: 'Rotated' })
      const oldEndsAt = inDays(7)
      const rotated = await admin.call<MintedKey>('POST', `${path}/${old.id}/successor`, { oldEndsAt })
      assert.equal(rotated.status, 201, rotated.text)
      const { id, key } = rotated.body
      assert.deepEqual(rotated.body, { id, key, label: 'Rotated', scopes: ['templates:read'] })
      for (const each of [old.key, key]) assert.equal((await templates(each)).status, 200)
      const listedOld = await listed(old.id)
      assert.deepEqual([listedOld.successorId, listedOld.expiresAt], [id, oldEndsAt])
      assert.equal((await listed(id)).expiresAt, null)
      assert.deepEqual((await activity())[0], ['key.rotated', `Rotated (${old.id})`, `by ${id}`, oldEndsAt])
      await expire(old.id)
      assert.deepEqual([(await templates(old.key)).status, (await templates(key)).status], [401, 200])
      assertRefused(await admin.call('POST', `${path}/key_x/successor`, { oldEndsAt }), 404, 'API key not found')
    })

    test('a key rotated by two admins at once has one successor, and gets another when that one is revoked · SET-2', async () => {
      const old = await create()
      const rotate = () => admin.call<MintedKey>('POST', `${path}/${old.id}/successor`, { oldEndsAt: inDays(7) })
      const requests = () => [rotate(), rotate()]
      const answers =
        engine.name === 'PostgreSQL'
          ? await raceOnLock(service.database, sql`select from api_keys where id = ${old.id} for update`, requests)
          : await Promise.all(requests())
      const [made, refused] = answers.toSorted((one, other) => one.status - other.status)
      assert.ok(made && refused)
      assert.equal(made.status, 201)
      assertRefused(refused, 409, 'This key was already replaced')
      assert.equal((await listed(old.id)).successorId, made.body.id)
      await admin.call('POST', `${path}/${made.body.id}/revocation`)
      const again = await rotate()
      assert.equal(again.status, 201, again.text)
      assert.equal((await listed(old.id)).successorId, again.body.id)
    })

    test('rotation never extends a key, can end it at once, and gives a legacy key its scopes · SET-2 AUTH-10', async () => {
      const soon = await create({ expiresAt: inDays(1) })
      await admin.call('POST', `${path}/${soon.id}/successor`, { oldEndsAt: inDays(7) })
      const { expiresAt } = await listed(soon.id)
      assert.ok(expiresAt !== null && expiresAt <= inDays(1))

      const legacy = await create()
      await service.database.query(sql`update api_keys set scopes = null where id = ${legacy.id}`)
      const rotated = await admin.call<MintedKey>('POST', `${path}/${legacy.id}/successor`, { oldEndsAt: inDays(-1) })
      assert.deepEqual(rotated.body.scopes, [...scopes])
      assert.equal((await templates(legacy.key)).status, 401)
    })

    test('a key shows where it was last used from, and its requests by status · SET-2', async () => {
      const { id, key } = await create()
      await templates(key)
      await call(service.url, 'GET', '/v1/templates/tpl_unknown', { 'x-service-api-key': key })
      await call(service.url, 'GET', '/v1/interview-results', { 'x-service-api-key': key })
      const counted = await eventually(async () => (await listed(id)).usage.lastDay.length === 3)
      assert.ok(counted)
      const { lastUsedAddress, usage } = await listed(id)
      assert.equal(lastUsedAddress, '127.0.0.1')
      assert.equal(usage.limitPerMinute, 120)
      assert.deepEqual(usage.lastDay, [
        { status: 200, requests: 1 },
        { status: 403, requests: 1 },
        { status: 404, requests: 1 },
      ])
    })
  })
}
