import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { encodeCursor } from '../../server/database/paging.ts'
import type { ActivityPage, Key, KeyPage, MintedKey } from '../../server/http/settings/schemas.ts'
import { maxKeys, scopes } from '../../server/organizations/api-keys.ts'
import { engines } from '../../support/engines.ts'
import { assertRefused } from '../../support/error-responses.ts'
import { type SignedInMember, signedInMember } from '../../support/members.ts'
import { call, type Partner, type Service, startService } from '../../support/service.ts'

for (const engine of engines) {
  describe(`API keys in the settings area on ${engine.name}`, () => {
    let service: Service
    let partner: Partner
    let admin: SignedInMember
    let path: string
    before(async () => {
      service = await startService(engine)
      partner = await service.partner()
      admin = await signedInMember(service, 'admin', partner.organizationId)
      path = `/organizations/${partner.organizationId}/keys`
    })
    after(() => service.close())

    const templates = (key: string) => call(service.url, 'GET', '/v1/templates', { 'x-service-api-key': key })
    const listed = async (id: string) => {
      const { body } = await admin.call<KeyPage>('GET', path)
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

    test('an organization has at most 100 keys in use, and pages through those it ever had · ROB-4', async () => {
      const crowded = await service.partner()
      const owner = await signedInMember(service, 'admin', crowded.organizationId)
      const keys = `/organizations/${crowded.organizationId}/keys`
      const make = () =>
        owner.call<MintedKey & { error: string }>('POST', keys, { label: 'L', scopes: ['results:read'] })
      // Eight at once: more would wait for a connection, and on a slow machine longer than they may.
      const made = []
      while (made.length < maxKeys + 4) made.push(...(await Promise.all(Array.from({ length: 8 }, make))))
      const refused = made.filter(({ status }) => status === 409)
      assert.equal(refused.length, 5, 'one was there before')
      assert.match(refused[0]?.body.error ?? '', /at most 100 keys in use/)
      await owner.call('POST', `${keys}/${crowded.keyId}/revocation`)
      assert.equal((await make()).status, 201)
      assert.equal((await make()).status, 409)

      assert.equal((await owner.call<KeyPage>('GET', keys)).body.data.length, maxKeys, 'all in use are on one page')
      const seen: Key[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page: KeyPage = (await owner.call<KeyPage>('GET', `${keys}?limit=30${cursor && `&cursor=${cursor}`}`))
          .body
        seen.push(...page.data)
        cursor = page.nextCursor
      }
      assert.deepEqual([seen.length, new Set(seen.map(({ id }) => id)).size], [maxKeys + 1, maxKeys + 1])
      assert.equal(seen.at(-1)?.id, crowded.keyId, 'revoked ones come last')
      for (const parts of [[2, crowded.keyId], [0], ['0', crowded.keyId], [0, 'key_x'], []]) {
        const cursor = encodeCursor(parts)
        assertRefused(await owner.call('GET', `${keys}?cursor=${cursor}`), 400, 'cursor is invalid')
      }
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
        lastUsedAddress: null,
        expiresAt: null,
        revokedAt: null,
        successorId: null,
        usage: { thisMinute: 0, limitPerMinute: 120, lastDay: [] },
      })
      await templates(made.key)
      assert.notEqual((await listed(made.id))?.lastUsedAt, null)
      const secret = made.key.split('.')[1] ?? ''
      const list = await admin.call('GET', path)
      const activity = await admin.call('GET', path.replace('keys', 'activity'))
      for (const text of [list.text, activity.text, service.logged()]) assert.ok(!text.includes(secret))
    })

    test('a key without a scope, or with one that is not there, is refused · AUTH-9', async () => {
      const plainText = 'must be text without control characters or unpaired surrogates'
      const refusals: [body: unknown, error: string][] = [
        [{ label: 'L', scopes: [] }, 'scopes must not be empty'],
        [{ label: 'L' }, 'scopes is required'],
        [{ label: 'L', scopes: ['all'] }, `scopes.0 must be one of ${scopes.join(', ')}`],
        [{ label: ' ', scopes: ['results:read'] }, 'label is required'],
        [{ label: 'A\u001b[2J', scopes: ['results:read'] }, `label ${plainText}`],
        [{ label: 'A\nB', scopes: ['results:read'] }, `label ${plainText}`],
        [{ label: 'A\u202eB', scopes: ['results:read'] }, `label ${plainText}`],
        [{ label: 'A\ud800B', scopes: ['results:read'] }, `label ${plainText}`],
        [{ label: 'x'.repeat(101), scopes: ['results:read'] }, 'label must be at most 100 characters'],
      ]
      const ids = async () => (await admin.call<KeyPage>('GET', path)).body.data.map(({ id }) => id)
      const before = await ids()
      for (const [body, error] of refusals) assertRefused(await admin.call('POST', path, body), 400, error)
      assert.deepEqual(await ids(), before)
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
      const { body: made } = await admin.call<MintedKey>('POST', path, { label: 'Reporting', scopes: ['results:read'] })
      for (let count = 0; count < 2; count++) await admin.call('POST', `${path}/${made.id}/revocation`)
      const { body } = await admin.call<ActivityPage>('GET', path.replace('keys', 'activity?limit=2'))
      const recorded = body.data.map(({ actor, action, subject, detail }) => [actor, action, subject, detail])
      assert.deepEqual(recorded, [
        [admin.email, 'key.revoked', `Reporting (${made.id})`, null],
        [admin.email, 'key.created', `Reporting (${made.id})`, 'results:read'],
      ])
    })
  })
}
