import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { ActivityPage } from '../../server/http/settings/schemas.ts'
import { recordActivity } from '../../server/organizations/activity.ts'
import { engines } from '../../support/engines.ts'
import { assertRefused } from '../../support/error-responses.ts'
import { type SignedInMember, signedInMember } from '../../support/members.ts'
import { type Partner, type Service, startService } from '../../support/service.ts'

for (const engine of engines) {
  describe(`the activity on ${engine.name}`, () => {
    let service: Service
    let partner: Partner
    let admin: SignedInMember
    let path: string
    before(async () => {
      service = await startService(engine)
      partner = await service.partner()
      admin = await signedInMember(service, 'admin', partner.organizationId)
      path = `/organizations/${partner.organizationId}/activity`
    })
    after(() => service.close())

    test('it is read newest first, page by page, while more is happening · SET-6', async () => {
      const note = (subject: string) =>
        recordActivity(
          service.database,
          { organizationId: partner.organizationId, actor: 'command line', action: 'webhook.saved', subject },
          service.time.now,
        )
      for (let number = 1; number <= 5; number++) await note(`host-${number}`)
      const first = await admin.call<ActivityPage>('GET', `${path}?limit=2`)
      assert.deepEqual(
        first.body.data.map(({ at, actor, action, subject, detail }) => [at, actor, action, subject, detail]),
        ['host-5', 'host-4'].map((host) => [
          service.time.now.toISOString(),
          'command line',
          'webhook.saved',
          host,
          null,
        ]),
      )
      await note('meanwhile')
      const seen: string[] = []
      for (let cursor = first.body.nextCursor; cursor !== null; ) {
        const page = await admin.call<ActivityPage>('GET', `${path}?limit=2&cursor=${cursor}`)
        seen.push(...page.body.data.map(({ subject }) => subject))
        cursor = page.body.nextCursor
      }
      assert.deepEqual(seen, ['host-3', 'host-2', 'host-1', admin.email])
    })

    test('a place that is none, and what is no number, are refused', async () => {
      assertRefused(await admin.call('GET', `${path}?cursor=x`), 400, 'cursor is invalid')
      assertRefused(await admin.call('GET', `${path}?limit=0`), 400, 'limit must be an integer between 1 and 100')
    })

    test('a change that fails leaves no trace in it, and none is made without one · SET-6', async () => {
      await service.database.script('alter table activity rename to activity_away')
      const keys = `/organizations/${partner.organizationId}/keys`
      const before = await admin.call('GET', keys)
      assertRefused(
        await admin.call('POST', keys, { label: 'L', scopes: ['results:read'] }),
        500,
        'Internal server error',
      )
      assertRefused(await admin.call('POST', `${keys}/${partner.keyId}/revocation`), 500, 'Internal server error')
      await service.database.script('alter table activity_away rename to activity')
      assert.deepEqual((await admin.call('GET', keys)).body, before.body)
    })
  })
}
