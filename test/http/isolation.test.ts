import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '../../server/database/ids.ts'
import type { Page } from '../../server/database/paging.ts'
import type { Invitation } from '../../server/interviews/invitations.ts'
import type { ResultSummary } from '../../server/interviews/results.ts'
import type { Template } from '../../server/interviews/templates.ts'
import { engines } from '../../support/engines.ts'
import { assertRefused } from '../../support/error-responses.ts'
import { finish, invite } from '../../support/results.ts'
import { type Partner, type Service, startService } from '../../support/service.ts'

type Ids = { template: string; posting: string; invitation: string; pendingInvitation: string; result: string }

const candidate = { email: 'ada@example.com', firstName: 'Ada' }

/** Every way to refer to an organization's object. With another organization's ID the response must be the same as for an unknown ID. */
const ways: [name: string, method: string, path: (ids: Ids) => string, body?: (ids: Ids) => unknown][] = [
  ['get a template', 'GET', ({ template }) => `/v1/templates/${template}`],
  ['change a template', 'PATCH', ({ template }) => `/v1/templates/${template}`, () => ({ title: 'Mine now' })],
  [
    'map a template to another posting',
    'PATCH',
    ({ template }) => `/v1/templates/${template}`,
    () => ({ externalPostingId: 'own' }),
  ],
  [
    'change a template with an invalid body',
    'PATCH',
    ({ template }) => `/v1/templates/${template}`,
    () => ({ title: '' }),
  ],
  ['list by posting', 'GET', ({ posting }) => `/v1/templates?externalPostingId=${posting}`],
  [
    'invite to a template',
    'POST',
    () => '/v1/interview-invitations',
    ({ template }) => ({ templateId: template, candidate }),
  ],
  ['results of a template', 'GET', ({ template }) => `/v1/interview-results?templateId=${template}`],
  ['results of an invitation', 'GET', ({ invitation }) => `/v1/interview-results?invitationId=${invitation}`],
  [
    'results of an unfinished invitation',
    'GET',
    ({ pendingInvitation }) => `/v1/interview-results?invitationId=${pendingInvitation}`,
  ],
  ['one result', 'GET', ({ result }) => `/v1/interview-results?resultId=${result}`],
  [
    'results by every ID',
    'GET',
    ({ result, invitation, template }) =>
      `/v1/interview-results?resultId=${result}&invitationId=${invitation}&templateId=${template}`,
  ],
]

for (const engine of engines) {
  describe(`organizations are isolated on ${engine.name}`, () => {
    let service: Service
    let own: Partner
    let other: Partner
    let foreign: Ids
    before(async () => {
      service = await startService(engine)
      own = await service.partner({ unlimited: true, name: 'Own' })
      other = await service.partner({ unlimited: true, name: 'Other' })
      foreign = await fill(other, 'foreign')
    })
    after(() => service.close())

    async function fill(partner: Partner, posting: string): Promise<Ids> {
      const fields = { title: 'T', description: 'D', externalPostingId: posting }
      const { body } = await partner.call<Template>('POST', '/v1/templates', fields)
      const { resultId, invitation } = await finish(service, partner.organizationId, { templateId: body.id })
      const pending = await invite(service, partner.organizationId, body.id)
      const ids = { template: body.id, invitation: invitation.id, pendingInvitation: pending.id, result: resultId }
      return { ...ids, posting }
    }

    for (const [name, method, path, body] of ways) {
      test(`${name}: another organization’s ID gets the same response as an unknown one · AUTH-1`, async () => {
        const nowhere: Ids = {
          template: newId('tpl'),
          posting: 'nowhere',
          invitation: newId('inv'),
          pendingInvitation: newId('inv'),
          result: newId('res'),
        }
        const ask = (partner: Partner, ids: Ids) => partner.call(method, path(ids), body?.(ids))
        const before = await state()
        const [asked, expected] = [await ask(own, foreign), await ask(own, nowhere)]
        assert.deepEqual([asked.status, asked.text], [expected.status, expected.text])
        assert.deepEqual(headerNames(asked.headers), headerNames(expected.headers))
        assert.deepEqual(await state(), before)
        if (method === 'GET') {
          const served = await ask(other, foreign)
          assert.equal(served.status, 200, 'its own organization can see it')
        }
      })
    }

    /** Everything the other organization can see. */
    async function state() {
      const templates = await other.call<Page<Template>>('GET', '/v1/templates')
      const results = await other.call<Page<ResultSummary>>('GET', '/v1/interview-results')
      return [templates.body, results.body]
    }

    test('lists contain nothing from another organization · AUTH-1', async () => {
      const mine = await service.partner()
      const ids = await fill(mine, 'mine')
      const templates = await mine.call<Page<Template>>('GET', '/v1/templates')
      const results = await mine.call<Page<ResultSummary>>('GET', '/v1/interview-results')
      assert.deepEqual(
        templates.body.data.map(({ id }) => id),
        [ids.template],
      )
      assert.deepEqual(
        results.body.data.map(({ resultId }) => resultId),
        [ids.result],
      )
    })

    test('another organization’s cursor reveals nothing · AUTH-1', async () => {
      for (let count = 0; count < 3; count++) await fill(other, `more-${count}`)
      const mine = await service.partner()
      await fill(mine, 'mine')
      const follow = async (path: string) => {
        const theirs = await other.call<Page<object>>('GET', `${path}?limit=1`)
        assert.ok(theirs.body.nextCursor)
        return mine.call<Page<object>>('GET', `${path}?cursor=${theirs.body.nextCursor}`)
      }
      const { status, body } = await follow('/v1/templates')
      assert.equal(status, 200)
      const all = await mine.call<Page<object>>('GET', '/v1/templates')
      const known = all.body.data.map((item) => JSON.stringify(item))
      for (const item of body.data) assert.ok(known.includes(JSON.stringify(item)))
      assertRefused(await follow('/v1/interview-results'), 400, 'cursor is invalid')
    })

    test('another organization’s postings and candidates are not reused · AUTH-1 TPL-3', async () => {
      const person = { email: 'shared@example.com', firstName: 'S' }
      const created: { template: Template; invitation: Invitation }[] = []
      for (const name of ['one', 'two']) {
        const partner = await service.partner({ name })
        const fields = { title: name, description: name, externalPostingId: 'shared' }
        const template = await partner.call<Template>('POST', '/v1/templates', fields)
        const body = { templateId: template.body.id, candidate: person }
        const invitation = await partner.call<Invitation>('POST', '/v1/interview-invitations', body)
        assert.deepEqual([template.status, invitation.status, template.body.title], [201, 201, name])
        created.push({ template: template.body, invitation: invitation.body })
      }
      const [one, two] = created
      assert.notEqual(one?.template.id, two?.template.id)
      assert.notEqual(one?.invitation.candidate.id, two?.invitation.candidate.id)
      assert.notEqual(one?.invitation.inviteUrl, two?.invitation.inviteUrl)
    })

    test('mapping a posting that another organization has mapped is no conflict · AUTH-1', async () => {
      const mine = await service.partner()
      const { body } = await mine.call<Template>('POST', '/v1/templates', { title: 'T', description: 'D' })
      const changed = await mine.call<Template>('PATCH', `/v1/templates/${body.id}`, { externalPostingId: 'foreign' })
      assert.deepEqual([changed.status, changed.body.externalPostingId], [200, 'foreign'])
    })
  })
}

function headerNames(headers: Headers): string[] {
  return [...headers.keys()].sort()
}
