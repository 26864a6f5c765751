import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { InvitationPage, ResultPage, TemplatePage } from '../../server/http/settings/browse-schemas.ts'
import { type CompletedInterview, type Deliveries, type Subscriber, startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'
import { assertRefused } from '../../support/error-responses.ts'
import { type SignedInMember, signedInMember } from '../../support/members.ts'

for (const engine of engines) {
  describe(`templates, invitations and results in the settings area on ${engine.name}`, () => {
    let deliveries: Deliveries
    let subscriber: Subscriber
    let viewer: SignedInMember
    let completed: CompletedInterview[]
    before(async () => {
      deliveries = await startDeliveries(engine)
      subscriber = await deliveries.subscriber()
      viewer = await signedInMember(deliveries.service, 'viewer', subscriber.organizationId)
      completed = [await subscriber.complete(), await subscriber.complete(), await subscriber.complete()]
      const other = await deliveries.subscriber()
      await other.complete()
    })
    after(() => deliveries.close())

    const see = async <Body>(path: string) => {
      const answer = await viewer.call<Body>('GET', `/organizations/${subscriber.organizationId}${path}`)
      assert.equal(answer.status, 200, answer.text)
      return answer.body
    }
    type AnyPage = { data: { id: string }[]; nextCursor: string | null }
    const walk = async (path: string) => {
      const ids: string[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page: AnyPage = await see<AnyPage>(`/${path}?limit=2${cursor && `&cursor=${cursor}`}`)
        ids.push(...page.data.map(({ id }) => id))
        cursor = page.nextCursor
      }
      return ids
    }

    test('each list is read newest first, page by page, and holds nothing of others · SET-5', async () => {
      const invitationIds = completed.map(({ invitation }) => invitation.id)
      assert.deepEqual(await walk('invitations'), invitationIds.toSorted().reverse())
      const resultIds = completed.map(({ resultId }) => resultId)
      assert.deepEqual((await walk('results')).toSorted(), resultIds.toSorted())
      const templateIds = new Set(completed.map(({ invitation }) => invitation.templateId))
      assert.deepEqual(await walk('templates'), [...templateIds].toSorted().reverse())
    })

    test('a result leads to its invitation, its template and its delivery, and back', async () => {
      const [{ invitation, resultId, deliveryId } = assert.fail()] = completed
      const { data: results } = await see<ResultPage>(`/results?search=${invitation.id}`)
      assert.equal(results.length, 1)
      assert.partialDeepStrictEqual(results[0], {
        id: resultId,
        invitationId: invitation.id,
        templateId: invitation.templateId,
        deliveryId,
        deliveryStatus: 'PENDING',
        candidate: { email: invitation.candidate.email },
      })
      const { data: invitations } = await see<InvitationPage>(`/invitations?search=${resultId}`)
      assert.partialDeepStrictEqual(invitations, [{ id: invitation.id, resultId, deliveryId, status: 'COMPLETED' }])
      const { data: templates } = await see<TemplatePage>(`/templates?search=${invitation.templateId}`)
      assert.deepEqual(
        templates.map(({ id }) => id),
        [invitation.templateId],
      )
      const ofTemplate = await see<InvitationPage>(`/invitations?search=${invitation.templateId}`)
      assert.ok(ofTemplate.data.some(({ id }) => id === invitation.id))
    })

    test('candidates are found by name and address, templates by title', async () => {
      const [{ invitation } = assert.fail()] = completed
      const { email } = invitation.candidate
      const found = await see<InvitationPage>(`/invitations?search=${email.toUpperCase()}`)
      assert.deepEqual(
        found.data.map(({ id }) => id),
        [invitation.id],
      )
      assert.equal((await see<ResultPage>('/results?search=lovel')).data.length, completed.length)
      assert.equal((await see<ResultPage>('/results?search=nobody')).data.length, 0)
      assert.ok((await see<TemplatePage>('/templates?search=BACKEND')).data.length > 0)
    })

    test('no internal field and no invitation link is in any list', async () => {
      for (const kind of ['templates', 'invitations', 'results']) {
        const text = JSON.stringify(await see(`/${kind}`))
        for (const word of ['whiteboardTask', 'analysis', 'token', 'inviteUrl']) assert.ok(!text.includes(word), word)
      }
    })

    test('a foreign cursor is refused · LIM-3', async () => {
      for (const kind of ['templates', 'invitations', 'results']) {
        for (const cursor of ['x', 'WyJ4Il0', 'WzFd']) {
          const path = `/organizations/${subscriber.organizationId}/${kind}?cursor=${cursor}`
          assertRefused(await viewer.call('GET', path), 400, 'cursor is invalid')
        }
      }
    })
  })
}
