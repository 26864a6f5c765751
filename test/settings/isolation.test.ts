import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { newId } from '../../server/database/ids.ts'
import { startRetryRun } from '../../server/deliveries/retry-runs.ts'
import { inviteMember } from '../../server/organizations/member-invitations.ts'
import type { Membership } from '../../server/organizations/members.ts'
import { type CompletedInterview, type Deliveries, type Subscriber, startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'
import { assertRefused } from '../../support/error-responses.ts'
import { createToken } from '../../support/listener.ts'
import { type SignedInMember, signedInMember } from '../../support/members.ts'
import { appUrl, call } from '../../support/service.ts'
import { registeredRoutes, type SettingsRoute, settingsRoutes } from '../../support/settings-routes.ts'

type Place = {
  organizationId: string
  keyId: string
  deliveryId: string
  runId: string
  tokenId: string
  memberId: string
  invitationId: string
  sessionId: string
}

for (const engine of engines) {
  describe(`who sees and changes what in the settings area on ${engine.name}`, () => {
    let deliveries: Deliveries
    let own: Subscriber
    let other: Subscriber
    let delivery: CompletedInterview
    let runId: string
    let tokenId: string
    let memberId: string
    let invitationId: string
    let sessionId: string
    let admin: SignedInMember
    let viewer: SignedInMember
    before(async () => {
      deliveries = await startDeliveries(engine)
      own = await deliveries.subscriber()
      other = await deliveries.subscriber()
      delivery = await other.complete()
      const { database, time } = deliveries.service
      await database.query(sql`
        update deliveries set status = 'FAILED', failure_reason = 'RECEIVER_REJECTED', last_error = 'HTTP_4XX'
        where id = ${delivery.deliveryId}`)
      const wanted = { organizationId: other.organizationId, actor: 'test', filter: {} }
      runId = (await startRetryRun(database, wanted, time.now)).id
      tokenId = (await createToken(deliveries.service, other.organizationId)).id
      admin = await signedInMember(deliveries.service, 'admin', own.organizationId)
      viewer = await signedInMember(deliveries.service, 'viewer', other.organizationId)
      const [session] = await database.query<{ id: string; userId: string }>(sql`
        select s.id, s.user_id as "userId" from sessions s join users u on u.id = s.user_id
        where u.email = ${viewer.email}`)
      sessionId = session?.id ?? ''
      memberId = session?.userId ?? ''
      const inviting = {
        organizationId: other.organizationId,
        email: 'new@example.com',
        role: 'viewer',
        actor: 'test',
      } as const
      const invited = await inviteMember(database, inviting, time.now)
      invitationId = typeof invited === 'string' ? '' : invited.invitation.id
      // The first visit of a session is recorded as the member's last sign-in.
      await admin.call('GET', `/organizations/${own.organizationId}/deliveries`)
      await viewer.call('GET', `/organizations/${other.organizationId}/deliveries`)
    })
    after(() => deliveries.close())

    const theirs = (): Place => ({
      organizationId: other.organizationId,
      keyId: other.keyId,
      deliveryId: delivery.deliveryId,
      runId,
      tokenId,
      memberId,
      invitationId,
      sessionId,
    })
    const nowhere = (): Place => ({
      organizationId: newId('org'),
      keyId: newId('key'),
      deliveryId: newId('dlv'),
      runId: newId('run'),
      tokenId: newId('ltk'),
      memberId: newId('usr'),
      invitationId: newId('mbi'),
      sessionId: newId('ses'),
    })

    function ask(who: Pick<SignedInMember, 'call'>, { name, body }: SettingsRoute, place: Place) {
      const [method = '', path = ''] = name.split(' ')
      const filled = path
        .replace(':organizationId', place.organizationId)
        .replace(':keyId', place.keyId)
        .replace(':deliveryId', place.deliveryId)
        .replace(':runId', place.runId)
        .replace(':tokenId', place.tokenId)
        .replace(':memberId', place.memberId)
        .replace(':memberInvitationId', place.invitationId)
        .replace(':sessionId', place.sessionId)
        .replace(':name', 'valid')
      return who.call(method, filled, body)
    }

    /** All that could be changed by a request of another organization. */
    async function state() {
      const { database } = deliveries.service
      const tables = [
        'api_keys',
        'retry_runs',
        'webhook_endpoints',
        'listen_tokens',
        'deliveries',
        'members',
        'activity',
        'accounts',
        'member_invitations',
        'password_resets',
      ]
      return Promise.all(
        tables.map(async (table) => (await database.execute(`select * from ${table} order by 1`)).rows),
      )
    }

    test('the tables of this test hold every route there is', async () => {
      const there = await registeredRoutes(deliveries.service)
      const declared = settingsRoutes.map(({ name, access }) => ({ name, access }))
      const byName = (one: { name: string }, two: { name: string }) => one.name.localeCompare(two.name)
      assert.deepEqual(there.sort(byName), declared.sort(byName))
    })

    test('no route but the sign-in answers without a session · SET-1', async () => {
      const stranger = {
        call: <Body>(method: string, path: string, body?: unknown) =>
          call<Body>(deliveries.service.url, method, `/settings/api${path}`, { origin: appUrl }, body),
      }
      const before = await state()
      for (const route of settingsRoutes.filter(({ access }) => access !== 'anyone')) {
        const answer = await ask(stranger, route, theirs())
        assert.deepEqual([route.name, answer.status, answer.body], [route.name, 401, { error: 'Sign in first' }])
      }
      assertRefused(await stranger.call('GET', '/nothing/here'), 401, 'Sign in first')
      assert.deepEqual(await state(), before)
    })

    test('another organization is answered like one that is not there, on every route · SET-5', async () => {
      const before = await state()
      for (const route of settingsRoutes.filter(({ name }) => name.includes(':organizationId'))) {
        for (const place of [theirs(), nowhere(), { ...theirs(), organizationId: '%00' }]) {
          const answer = await ask(admin, route, place)
          assert.deepEqual(
            [route.name, answer.status, answer.body],
            [route.name, 404, { error: 'Organization not found' }],
          )
        }
      }
      assert.deepEqual(await state(), before)
    })

    test('what belongs to another organization is not found in one’s own either · SET-5', async () => {
      const before = await state()
      for (const route of settingsRoutes.filter(({ name }) =>
        /:(keyId|deliveryId|runId|tokenId|memberId|memberInvitationId|sessionId)/.test(name),
      )) {
        const place = { ...theirs(), organizationId: own.organizationId }
        const asked = await ask(admin, route, place)
        const expected = await ask(admin, route, { ...nowhere(), organizationId: own.organizationId })
        assert.deepEqual([route.name, asked.status, asked.text], [route.name, 404, expected.text])
      }
      assert.deepEqual(await state(), before)
      for (const list of ['keys', 'listen-tokens', 'deliveries', 'activity', 'members']) {
        const { text, status } = await admin.call('GET', `/organizations/${own.organizationId}/${list}`)
        assert.equal(status, 200)
        for (const foreign of [other.keyId, tokenId, delivery.deliveryId, viewer.email])
          assert.ok(!text.includes(foreign), list)
      }
    })

    test('a viewer changes nothing and sees no secret · SET-1', async () => {
      const before = await state()
      for (const route of settingsRoutes.filter(({ access }) => access === 'admin')) {
        const answer = await ask(viewer, route, theirs())
        assert.deepEqual(
          [route.name, answer.status, answer.body],
          [route.name, 403, { error: 'Only an admin can do this' }],
        )
      }
      const readable = settingsRoutes.filter(({ access }) => access === 'viewer')
      assert.deepEqual(
        readable.filter(({ name }) => !name.startsWith('GET ')),
        [],
      )
      for (const route of readable) assert.equal((await ask(viewer, route, theirs())).status, 200, route.name)
      assert.deepEqual(await state(), before)
    })

    test('no change is made from another page, on any route', async () => {
      const before = await state()
      const elsewhere = {
        call: <Body>(method: string, path: string, body?: unknown) => {
          const headers = { cookie: admin.cookie, origin: 'https://evil.example' }
          return call<Body>(deliveries.service.url, method, `/settings/api${path}`, headers, body)
        },
      }
      for (const route of settingsRoutes.filter(({ name }) => !name.startsWith('GET '))) {
        const answer = await ask(elsewhere, route, { ...theirs(), organizationId: own.organizationId })
        assert.deepEqual(
          [route.name, answer.status, answer.body],
          [route.name, 403, { error: 'This request must come from the settings page' }],
        )
      }
      assert.deepEqual(await state(), before)
    })

    test('whoever is in two organizations may have another role in each, and loses it at once', async () => {
      const { service } = deliveries
      const both = await signedInMember(service, 'admin', own.organizationId, other.organizationId)
      const asUser = sql`(select id from users where email = ${both.email})`
      await service.database.query(sql`
        update members set role = 'viewer' where organization_id = ${other.organizationId} and user_id = ${asUser}`)
      const { body } = await both.call<{ organizations: Membership[] }>('GET', '/session')
      assert.deepEqual(
        new Set(body.organizations.map(({ id, role }) => `${id} ${role}`)),
        new Set([`${own.organizationId} admin`, `${other.organizationId} viewer`]),
      )
      const keysOf = ({ organizationId }: Subscriber) => both.call('GET', `/organizations/${organizationId}/keys`)
      assert.equal((await keysOf(own)).status, 200)
      assertRefused(await keysOf(other), 403, 'Only an admin can do this')
      await service.database.query(sql`delete from members where user_id = ${asUser}`)
      assertRefused(await keysOf(own), 404, 'Organization not found')
      const left = await both.call<{ organizations: Membership[] }>('GET', '/session')
      assert.deepEqual([left.status, left.body.organizations], [200, []])
    })

    test('a wrong method and an unknown path say so, to those who are signed in', async () => {
      const wrongMethod = await admin.call('PUT', `/organizations/${own.organizationId}/keys`)
      assertRefused(wrongMethod, 405, 'Method not allowed')
      assert.deepEqual(wrongMethod.headers.get('allow'), 'GET, HEAD, POST')
      assertRefused(await admin.call('GET', '/nothing/here'), 404, 'Not found')
      assertRefused(await admin.call('GET', `/organizations/${own.organizationId}/nothing`), 404, 'Not found')
    })
  })
}
