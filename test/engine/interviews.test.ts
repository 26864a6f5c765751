import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { type InterviewStatus, interviewStatuses } from '../../server/interviews/interview-status.ts'
import { type Deliveries, startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'
import { assertRefused } from '../../support/error-responses.ts'
import { call, engineToken, type Partner, send } from '../../support/service.ts'

const moves: Record<InterviewStatus, InterviewStatus[]> = {
  SCHEDULED: ['IN_PROGRESS', 'EXPIRED', 'FAILED', 'CANCELLED'],
  IN_PROGRESS: ['PAUSED', 'PROCESSING', 'EXPIRED', 'FAILED', 'CANCELLED'],
  PAUSED: ['IN_PROGRESS', 'PROCESSING', 'EXPIRED', 'FAILED', 'CANCELLED'],
  PROCESSING: ['COMPLETED', 'EXPIRED', 'FAILED', 'CANCELLED'],
  COMPLETED: [],
  EXPIRED: [],
  FAILED: [],
  CANCELLED: [],
}
const nobody = 'int_01m7efx4xwfztrm1s20bva7r58'

for (const engine of engines) {
  describe(`the engine API for interviews on ${engine.name}`, () => {
    let deliveries: Deliveries
    let partner: Partner
    before(async () => {
      deliveries = await startDeliveries(engine)
      partner = await deliveries.subscriber()
    })
    after(() => deliveries?.close())

    const routes: [string, string][] = [
      ['GET', '/invitations/abc'],
      ['POST', `/interviews/${nobody}/status`],
      ['PUT', `/interviews/${nobody}/thumbnail`],
      ['PUT', `/interviews/${nobody}/result`],
      ['DELETE', `/interviews/${nobody}/result`],
      ['GET', '/nothing/here'],
      ['GET', ''],
    ]

    test('everything is 401 without the token or with a wrong one', async () => {
      const { url } = deliveries.service
      const wrong: Record<string, string>[] = [
        {},
        { authorization: '' },
        { authorization: 'Bearer' },
        { authorization: 'Bearer ' },
        { authorization: engineToken },
        { authorization: `Basic ${engineToken}` },
        { authorization: `Bearer ${engineToken.slice(0, -1)}` },
        { authorization: `Bearer ${engineToken}x` },
        { authorization: `Bearer ${engineToken.toUpperCase()}` },
        { authorization: `Bearer ${partner.key}` },
        { 'x-service-api-key': engineToken },
      ]
      for (const [method, path] of routes) {
        for (const headers of wrong) {
          const response = await call(url, method, `/internal/v1${path}`, headers)
          assertRefused(response, 401, 'Invalid engine token')
        }
      }
    })

    test('with the token, unknown paths are 404 and wrong methods 405', async () => {
      assertRefused(await deliveries.engine('GET', '/nothing/here'), 404, 'Not found')
      for (const [path, allow] of [
        ['/invitations/abc', 'GET, HEAD'],
        [`/interviews/${nobody}/status`, 'POST'],
        [`/interviews/${nobody}/thumbnail`, 'PUT'],
        [`/interviews/${nobody}/result`, 'PUT'],
      ] as const) {
        const response = await deliveries.engine('DELETE', path)
        assertRefused(response, 405, 'Method not allowed')
        assert.equal(response.headers.get('allow'), allow)
      }
      const headers = { authorization: `bearer  ${engineToken}` }
      assert.equal((await call(deliveries.service.url, 'GET', '/internal/v1/x', headers)).status, 404)
    })

    test('none of it is in the public OpenAPI document', async () => {
      const { url } = deliveries.service
      const { text, body } = await call<{ paths: object }>(url, 'GET', '/openapi.json', {})
      const paths = Object.keys(body.paths)
      assert.ok(paths.includes('/v1/templates') && paths.every((path) => path.startsWith('/v1/')), paths.join())
      for (const word of ['internal/v1', 'engine token', 'whiteboardTask', '"analysis"', '/status', '/thumbnail']) {
        assert.ok(!text.includes(word), word)
      }
    })

    test('an invitation’s token returns its template, candidate and interview', async () => {
      const { interview, inviteUrl, ...rest } = await invite()
      const found = await deliveries.engine<Record<string, unknown>>('GET', `/invitations/${tokenOf(inviteUrl)}`)
      assert.equal(found.status, 200)
      const { template, ...others } = found.body
      assert.deepEqual(others, {
        interview: { id: interview.id, status: 'SCHEDULED', expiresAt: rest.expiresAt },
        invitationId: rest.id,
        candidate: rest.candidate,
      })
      assert.partialDeepStrictEqual(template, { id: rest.templateId, title: 'Designer', whiteboardEnabled: true })
      assert.ok(typeof template === 'object' && template && 'whiteboardTask' in template && template.whiteboardTask)
    })

    test('the link of a finished or expired interview is 410', async () => {
      const { time } = deliveries.service
      const { interview, inviteUrl, expiresAt } = await invite()
      const lookUp = () => deliveries.engine('GET', `/invitations/${tokenOf(inviteUrl)}`)
      for (const status of interviewStatuses) {
        await setStatus(interview.id, status)
        if (moves[status].length > 0) assert.equal((await lookUp()).status, 200, status)
        else assertRefused(await lookUp(), 410, 'Interview is over')
      }
      const before = time.now
      time.now = new Date(expiresAt)
      await setStatus(interview.id, 'SCHEDULED')
      assertRefused(await lookUp(), 410, 'Interview is over')
      // An interview in progress doesn't expire.
      await setStatus(interview.id, 'IN_PROGRESS')
      assert.equal((await lookUp()).status, 200)
      time.now = before
    })

    test('an unknown link is 404', async () => {
      for (const token of ['x', 'A'.repeat(43), 'A'.repeat(10_000), '%00', '%F0%9F%98%80', "'--", nobody]) {
        assertRefused(await deliveries.engine('GET', `/invitations/${token}`), 404, 'Interview invitation not found')
      }
    })

    test('for every pair of statuses, an allowed move or no move is 200, and any other move is 409', async () => {
      const { interview } = await invite()
      for (const from of interviewStatuses) {
        for (const to of interviewStatuses) {
          await setStatus(interview.id, from)
          const response = await move(interview.id, to)
          const allowed = from === to || moves[from].includes(to)
          if (allowed) assert.deepEqual([response.status, response.body], [200, { id: interview.id, status: to }])
          else assertRefused(response, 409, `Interview cannot move from ${from} to ${to}`)
          assert.equal(await statusOf(interview.id), allowed ? to : from)
        }
      }
    })

    test('an expired interview can’t be started', async () => {
      const { time } = deliveries.service
      const { interview, expiresAt } = await invite()
      const before = time.now
      time.now = new Date(new Date(expiresAt).getTime() - 1)
      assertRefused(await move(interview.id, 'PAUSED'), 409, 'Interview cannot move from SCHEDULED to PAUSED')
      time.now = new Date(expiresAt)
      assertRefused(await move(interview.id, 'IN_PROGRESS'), 409, 'Interview cannot move from EXPIRED to IN_PROGRESS')
      assert.equal((await move(interview.id, 'EXPIRED')).status, 200)
      time.now = before
    })

    test('an invalid status is 400, and an unknown interview is 404', async () => {
      const { interview } = await invite()
      const known = interviewStatuses.join(', ')
      const path = `/interviews/${interview.id}/status`
      for (const [body, error] of [
        [{ status: 'DONE' }, `status must be one of ${known}`],
        [{ status: 'scheduled' }, `status must be one of ${known}`],
        [{ status: null }, `status must be one of ${known}`],
        [{}, 'status is required'],
        [{ status: 'PAUSED', reason: 'x' }, 'Unknown field: reason'],
        [[], 'Request body must be a JSON object'],
      ] as const) {
        assertRefused(await deliveries.engine('POST', path, body), 400, error)
      }
      for (const id of [nobody, 'int_x', interview.id.toUpperCase(), '%00']) {
        assertRefused(await move(id, 'PAUSED'), 404, 'Interview not found')
      }
      const headers = { authorization: `Bearer ${engineToken}`, 'content-type': 'text/plain' }
      const plain = await send(deliveries.service.url, 'POST', `/internal/v1${path}`, headers, '{"status":"PAUSED"}')
      assertRefused(plain, 415, 'Content-Type must be application/json')
    })

    type Invitation = {
      id: string
      templateId: string
      candidate: object
      interview: { id: string }
      inviteUrl: string
      expiresAt: string
    }

    let count = 0

    async function invite(): Promise<Invitation> {
      count += 1
      const fields = { title: 'Designer', description: 'Draw.', whiteboardEnabled: true }
      const template = await partner.call<{ id: string }>('POST', '/v1/templates', fields)
      const candidate = { email: `candidate-${count}@example.com`, firstName: 'Grace' }
      const invitation = { templateId: template.body.id, candidate }
      return (await partner.call<Invitation>('POST', '/v1/interview-invitations', invitation)).body
    }

    function move(id: string, status: string) {
      return deliveries.engine('POST', `/interviews/${id}/status`, { status })
    }

    async function setStatus(id: string, status: InterviewStatus): Promise<void> {
      await deliveries.service.database.query(sql`update interviews set status = ${status} where id = ${id}`)
    }

    async function statusOf(id: string): Promise<string | undefined> {
      const rows = await deliveries.service.database.query<{ status: string }>(
        sql`select status from interviews where id = ${id}`,
      )
      return rows[0]?.status
    }
  })
}

function tokenOf(inviteUrl: string): string {
  return inviteUrl.slice(inviteUrl.lastIndexOf('/') + 1)
}
