import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { newId } from '../../server/database/ids.ts'
import type { Invitation } from '../../server/interviews/invitations.ts'
import { engines } from '../../support/engines.ts'
import { raceOnLock } from '../../support/race-on-lock.ts'
import { finish } from '../../support/results.ts'
import { appUrl, type Partner, type Service, startService } from '../../support/service.ts'

const begun = new Date('2026-03-01T12:00:00.000Z')
const day = 86_400_000

for (const engine of engines) {
  describe(`invitations on ${engine.name}`, () => {
    let service: Service
    let partner: Partner
    let templateId: string
    before(async () => {
      service = await startService(engine)
    })
    after(() => service.close())
    beforeEach(async () => {
      service.time.now = begun
      partner = await service.partner({ unlimited: true })
      templateId = await newTemplate()
    })

    const ada = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' }
    const post = (fields: Record<string, unknown> = {}) =>
      partner.call<Invitation>('POST', '/v1/interview-invitations', { templateId, candidate: ada, ...fields })
    const setStatus = ({ interview }: Invitation, status: string) =>
      service.database.query(sql`update interviews set status = ${status} where id = ${interview.id}`)

    async function newTemplate(): Promise<string> {
      const { body } = await partner.call<{ id: string }>('POST', '/v1/templates', { title: 'T', description: 'D' })
      return body.id
    }

    test('POST ties a candidate to a template and returns the link · INV-1', async () => {
      const { status, body } = await post()
      assert.equal(status, 201)
      assert.match(body.id, /^inv_[0-7][0-9a-z]{25}$/)
      assert.match(body.candidate.id, /^cand_[0-7][0-9a-z]{25}$/)
      assert.match(body.interview.id, /^int_[0-7][0-9a-z]{25}$/)
      assert.match(body.inviteUrl ?? '', /^https:\/\/interviews\.example\/interview\/[A-Za-z0-9_-]{43}$/)
      assert.deepEqual(body, {
        id: body.id,
        templateId,
        candidate: { id: body.candidate.id, ...ada },
        interview: { id: body.interview.id, status: 'SCHEDULED' },
        inviteUrl: body.inviteUrl,
        expiresAt: '2026-03-31T12:00:00.000Z',
        createdAt: '2026-03-01T12:00:00.000Z',
      })
    })

    test('a link’s token is 32 random bytes and unique · INV-1', async () => {
      const tokens = new Set<string>()
      for (let index = 0; index < 20; index++) {
        const { body } = await post({ candidate: { ...ada, email: `c${index}@example.com` } })
        const token = body.inviteUrl?.slice(`${appUrl}/interview/`.length) ?? ''
        assert.equal(Buffer.from(token, 'base64url').length, 32)
        tokens.add(token)
      }
      assert.equal(tokens.size, 20)
    })

    test('the last name is optional, and the expiry is configurable · INV-1', async () => {
      const { body } = await post({ candidate: { email: 'ada@example.com', firstName: ' Ada ' }, expiresInDays: 1 })
      assert.deepEqual([body.candidate.firstName, body.candidate.lastName], ['Ada', ''])
      assert.equal(body.expiresAt, '2026-03-02T12:00:00.000Z')
      const later = await post({ candidate: { ...ada, email: 'b@example.com', lastName: ' ' }, expiresInDays: 90 })
      assert.equal(later.body.candidate.lastName, '')
      assert.equal(later.body.expiresAt, '2026-05-30T12:00:00.000Z')
    })

    test('the same candidate and template return the same invitation, unchanged · INV-2', async () => {
      const first = await post({ candidate: { ...ada, email: 'Ada.L@Example.com' } })
      service.time.now = new Date(begun.getTime() + 5 * day)
      for (const email of ['ada.l@example.com', 'ADA.L@EXAMPLE.COM', ' Ada.L@example.com ']) {
        const again = await post({ candidate: { email, firstName: 'Other', lastName: 'Name' }, expiresInDays: 3 })
        assert.deepEqual([again.status, again.body], [200, first.body], email)
      }
      assert.equal(first.body.candidate.email, 'Ada.L@Example.com')
    })

    test('case does not matter for non-ASCII letters either · INV-2', async () => {
      const first = await post({ candidate: { ...ada, email: 'jürgen@müller.example' } })
      const again = await post({ candidate: { ...ada, email: 'JÜRGEN@MÜLLER.example' } })
      assert.deepEqual([first.status, again.status], [201, 200])
      assert.deepEqual(again.body, first.body)
      const greek = await post({ candidate: { ...ada, email: 'νίκος.παπάς@example.gr' } })
      const uppercase = await post({ candidate: { ...ada, email: 'ΝΊΚΟΣ.ΠΑΠΆΣ@EXAMPLE.GR' } })
      assert.deepEqual([uppercase.status, uppercase.body], [200, greek.body])
    })

    test('fifty concurrent requests create one invitation · INV-2', async () => {
      const attempts = Array.from({ length: 50 }, (_, index) =>
        post({ candidate: { ...ada, email: index % 2 ? 'ada@example.com' : 'ADA@example.com' } }),
      )
      await assertOneNew(await Promise.all(attempts))
      assert.equal(await countOf('interviews'), 1)
      assert.equal(await countOf('candidates'), 1)
    })

    if (engine.name === 'PostgreSQL') {
      const six = () => Array.from({ length: 6 }, () => post())

      test('requests that race in the database create one invitation · INV-2', async () => {
        const hold = sql`
          insert into candidates (id, organization_id, email_key)
          values ('held', ${partner.organizationId}, 'ada@example.com')`
        await assertOneNew(await raceOnLock(service.database, hold, six))
      })

      test('requests that race for an expired invitation create one new one · INV-3', async () => {
        const { body: first } = await post()
        service.time.now = new Date(first.expiresAt)
        const hold = sql`select from interviews where id = ${first.interview.id} for update`
        assertReplaces(await assertOneNew(await raceOnLock(service.database, hold, six)), first)
      })
    }

    test('other candidates and templates get their own invitations · INV-2', async () => {
      const first = await post()
      const otherTemplate = await post({ templateId: await newTemplate() })
      const otherPerson = await post({ candidate: { ...ada, email: 'ada+2@example.com' } })
      assert.deepEqual([otherTemplate.status, otherPerson.status], [201, 201])
      assert.equal(otherTemplate.body.candidate.id, first.body.candidate.id)
      assert.notEqual(otherPerson.body.candidate.id, first.body.candidate.id)
      const created = [first, otherTemplate, otherPerson].map(({ body }) => body)
      for (const part of ['id', 'inviteUrl'] as const) assert.equal(new Set(created.map((one) => one[part])).size, 3)
    })

    for (const status of ['IN_PROGRESS', 'PAUSED', 'PROCESSING']) {
      test(`while the interview is ${status} the invitation stays the same, even after its expiry · INV-2`, async () => {
        const { body: first } = await post()
        await setStatus(first, status)
        const expected = { ...first, interview: { id: first.interview.id, status } }
        for (const days of [1, 31]) {
          service.time.now = new Date(begun.getTime() + days * day)
          const again = await post()
          assert.deepEqual([again.status, again.body], [200, expected])
        }
      })
    }

    test('once the interview is completed the invitation has no link · INV-2', async () => {
      const { body: first } = await post()
      await finish(service, partner.organizationId, { invitation: first })
      service.time.now = new Date(begun.getTime() + 400 * day)
      const again = await post()
      const expected = { ...first, interview: { id: first.interview.id, status: 'COMPLETED' }, inviteUrl: null }
      assert.deepEqual([again.status, again.body], [200, expected])
    })

    for (const status of ['FAILED', 'CANCELLED', 'EXPIRED']) {
      test(`after ${status} a new one is created, and then reused · INV-3`, async () => {
        const { body: first } = await post()
        await setStatus(first, status)
        const second = await post({ candidate: { ...ada, email: 'ADA@example.com', firstName: 'A.' } })
        assert.equal(second.status, 201)
        assertReplaces(second.body, first)
        assert.equal(second.body.candidate.firstName, 'A.')
        const third = await post()
        assert.deepEqual([third.status, third.body], [200, second.body])
      })
    }

    test('an invitation expires to the millisecond, and then a new one is created · INV-3', async () => {
      const { body: first } = await post({ expiresInDays: 2 })
      service.time.now = new Date(Date.parse(first.expiresAt) - 1)
      assert.deepEqual((await post()).body, first)
      service.time.now = new Date(first.expiresAt)
      const second = await post({ expiresInDays: 2 })
      assert.equal(second.status, 201)
      assertReplaces(second.body, first)
      service.time.now = new Date(second.body.expiresAt)
      const third = await post()
      assert.equal(third.status, 201)
      assertReplaces(third.body, second.body)
    })

    test('fifty concurrent requests after expiry create one new invitation · INV-3', async () => {
      const { body: first } = await post()
      service.time.now = new Date(first.expiresAt)
      const responses = await Promise.all(Array.from({ length: 50 }, () => post()))
      assertReplaces(await assertOneNew(responses), first)
      assert.equal(await countOf('interviews'), 2)
    })

    test('an unknown template or one from another organization is not found · INV-4', async () => {
      const other = await service.partner()
      const foreign = await other.call<{ id: string }>('POST', '/v1/templates', { title: 'T', description: 'D' })
      for (const id of [newId('tpl'), foreign.body.id, newId('inv'), 'x', '', 'tpl_\u0000', '😀'.repeat(100)]) {
        const response = await post({ templateId: id })
        assert.deepEqual([response.status, response.body], [404, { error: 'Template not found' }], id)
      }
      assert.equal(await countOf('candidates'), 0)
      assert.equal(await countOf('interviews'), 0)
    })

    async function assertOneNew(responses: Awaited<ReturnType<typeof post>>[]): Promise<Invitation> {
      const statuses = responses.map(({ status }) => status).sort((a, b) => b - a)
      assert.deepEqual(statuses, [201, ...Array.from({ length: responses.length - 1 }, () => 200)])
      const created = responses.find(({ status }) => status === 201)
      assert.ok(created)
      for (const { body } of responses) assert.deepEqual(body, created.body)
      return created.body
    }

    async function countOf(table: 'interviews' | 'candidates'): Promise<number | undefined> {
      const { organizationId } = partner
      const [row] = await service.database.query<Record<string, number>>(sql`
        select (select count(*) from interviews where organization_id = ${organizationId}) as interviews,
          (select count(*) from candidates where organization_id = ${organizationId}) as candidates`)
      return row?.[table]
    }
  })
}

function assertReplaces(later: Invitation, earlier: Invitation): void {
  assert.notEqual(later.id, earlier.id)
  assert.notEqual(later.interview.id, earlier.interview.id)
  assert.notEqual(later.inviteUrl, earlier.inviteUrl)
  assert.equal(later.candidate.id, earlier.candidate.id)
  assert.equal(later.interview.status, 'SCHEDULED')
}
