import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Database } from '../../server/database/database.ts'
import { listDeadLetters } from '../../server/deliveries/dead-letters.ts'
import { findDeliveryOfResult } from '../../server/deliveries/delivery-history.ts'
import { startRetryRun } from '../../server/deliveries/retry-runs.ts'
import { type Commands, commandsOf } from '../../support/commands.ts'
import {
  type Deliveries,
  type Invitation,
  image,
  type Subscriber,
  scoring,
  startDeliveries,
} from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'
import { assertRefused } from '../../support/error-responses.ts'
import { signedInMember } from '../../support/members.ts'
import { eventually } from '../../support/process.ts'

const person = { email: 'Zora.Qvist@Example.com', firstName: 'Zorafirst', lastName: 'Qvistlast' }
const words = {
  ...scoring,
  technical_feedback: 'secretword one',
  soft_skills_feedback: 'secretword two',
  language_proficiency_feedback: 'secretword three',
  feedback: 'secretword four',
  highlights: ['secretword five'],
  suggestions: ['secretword six'],
}
const traces = /zora|qvist|secretword/i

for (const engine of engines) {
  describe(`candidate erase on ${engine.name}`, () => {
    let deliveries: Deliveries
    let subscriber: Subscriber
    let commands: Commands
    let delivered: Reported
    let waiting: Reported
    let failed: Reported
    let running: Invitation
    let other: Reported
    before(async () => {
      deliveries = await startDeliveries(engine)
      commands = commandsOf(deliveries.service)
      subscriber = await deliveries.subscriber()
      // A receiver that echoes the event.
      subscriber.answer((request) => ({ status: 500, body: request.body.toString().slice(0, 1_000) }))
      failed = await report(person)
      other = await report({ ...person, email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' }, scoring)
      const worker = deliveries.startWorker()
      assert.ok(await eventually(async () => (await letters()).length === 2))
      await worker.stop()
      subscriber.answer((request) => ({ status: 200, body: request.body.toString().slice(0, 1_000) }))
      delivered = await report(person)
      await deliveries.attempt(delivered.deliveryId)
      waiting = await report(person)
      running = await invite(person)
      await deliveries.uploadImage(running.interview.id, Buffer.from('a picture of zora'))
      const partial = { scoring: words, analysis: { transcript: 'secretword' } }
      await deliveries.engine('PUT', `/interviews/${running.interview.id}/result?final=false`, partial)
      for (const search of ['zora.qvist@example.com', 'Zora', 'a']) {
        const run = { organizationId: subscriber.organizationId, actor: 'test', filter: { search } }
        await startRetryRun(deliveries.service.database, run, deliveries.service.time.now)
      }
    })
    after(() => deliveries?.close())

    const letters = async () => (await listDeadLetters(deliveries.service.database, {}, { limit: 10 })).data
    const erase = (...more: string[]) =>
      commands.json<Record<string, unknown>>(
        ...['candidate', 'erase', '--organization', subscriber.organizationId, '--email', 'zora.qvist@EXAMPLE.com'],
        ...more,
      )

    test('a dry run counts and changes nothing', async () => {
      const before = await everything(deliveries.service.database, writtenAfterResponses)
      assert.match(before, traces)
      assert.partialDeepStrictEqual(await erase('--dry-run'), {
        dryRun: true,
        candidateId: running.candidate.id,
        interviews: 4,
        cancelled: 1,
        results: 4,
        images: 4,
        deliveriesEnded: 1,
        attempts: 5,
      })
      assert.equal(await everything(deliveries.service.database, writtenAfterResponses), before)
    })

    test('afterwards no table contains a trace of the candidate; IDs, statuses and numbers remain', async () => {
      const { database } = deliveries.service
      const polled = await poll()
      const erased = await erase()
      assert.partialDeepStrictEqual(erased, { dryRun: false, cancelled: 1, deliveriesEnded: 1, attempts: 5 })
      const left = await everything(database)
      assert.deepEqual(left.match(traces) ?? [], [])
      for (const { invitation } of [delivered, waiting, failed]) {
        assert.ok(!left.includes(tokenOf(invitation.inviteUrl)), 'the invitation’s token is left')
        assert.ok(left.includes(invitation.interview.id) && left.includes(invitation.candidate.id))
      }
      assert.match(left, /"an erased candidate"/)
      assert.match(left, /"search": ?"a"/, 'a search that identifies nobody stays')
      assert.match(left, new RegExp(`candidate\\.erased.*${running.candidate.id}`))

      assert.partialDeepStrictEqual(await deliveries.read(delivered.deliveryId), { status: 'DELIVERED', history: [] })
      const ended = { status: 'FAILED', failureReason: 'CANDIDATE_ERASED', history: [] }
      assert.partialDeepStrictEqual(await deliveries.read(waiting.deliveryId), { ...ended, attempts: 0 })
      assert.partialDeepStrictEqual(await deliveries.read(failed.deliveryId), { ...ended, attempts: 4 })
      for (const { deliveryId } of [waiting, failed]) assert.equal(await deliveries.job(deliveryId), null)
      assert.deepEqual(
        (await letters()).map(({ deliveryId }) => deliveryId),
        [other.deliveryId],
      )

      const admin = await signedInMember(deliveries.service, 'admin', subscriber.organizationId)
      const detail = `/organizations/${subscriber.organizationId}/deliveries/${waiting.deliveryId}`
      assert.match((await admin.call('GET', detail)).text, /"email":"erased".*personal data was erased/)
      for (const event of ['payload', 'event.json']) {
        const answer = await admin.call('GET', `${detail}/${event}`)
        assertRefused(answer, 410, 'The candidate’s personal data was erased, so there is no event')
      }

      const stillPolled = await poll()
      const summaries = ({ data }: Polled) => data.map(({ resultId, overallScore }) => [resultId, overallScore])
      assert.deepEqual(summaries(stillPolled), summaries(polled))
      assert.equal((await deliveries.read(other.deliveryId)).history.length, 4)
    })

    test('its links show a friendly not-found page', async () => {
      const { url } = deliveries.service
      for (const { resultUrl } of [
        ...(await poll()).data.filter(({ resultId }) => resultId !== other.resultId),
        waiting,
      ]) {
        const page = await fetch(url + new URL(resultUrl).pathname)
        assert.equal(page.status, 404)
        assert.match(await page.text(), /Result not found/)
      }
      assert.equal((await deliveries.engine('GET', `/invitations/${tokenOf(running.inviteUrl)}`)).status, 404)
      assert.equal((await fetch(url + new URL(other.resultUrl).pathname)).status, 200)
    })

    test('nothing is sent anymore, not even with Retry, and no report is accepted · DLV-18', async () => {
      const sent = subscriber.requests.length
      for (const { deliveryId } of [waiting, failed]) {
        await commands.json('delivery', 'retry', '--id', deliveryId)
        assert.equal((await deliveries.attempt(deliveryId)).outcome, 'canceled')
        const ended = { status: 'FAILED', failureReason: 'CANDIDATE_ERASED', attempts: 0, history: [] }
        assert.partialDeepStrictEqual(await deliveries.read(deliveryId), ended)
      }
      assert.equal(subscriber.requests.length, sent)

      for (const { invitation } of [delivered, { invitation: running }]) {
        const { id } = invitation.interview
        assert.equal((await deliveries.uploadImage(id, Buffer.from('zora again'))).status, 404)
        assert.equal((await deliveries.engine('PUT', `/interviews/${id}/result`, { scoring: words })).status, 409)
        assert.equal(
          (await deliveries.engine('POST', `/interviews/${id}/status`, { status: 'IN_PROGRESS' })).status,
          409,
        )
      }
      assert.doesNotMatch(await everything(deliveries.service.database), traces)
    })

    test('an attempt in flight stores no response and is not retried · DLV-18', async () => {
      const late = await report({ ...person, email: 'late.zora@example.com' })
      let release = () => {}
      const asked = new Promise<void>((resolve) => {
        subscriber.answer(async () => {
          resolve()
          await new Promise<void>((go) => {
            release = go
          })
          return { status: 503, body: 'secretword: busy' }
        })
      })
      const attempt = deliveries.attempt(late.deliveryId)
      await asked
      await commands.run(
        'candidate',
        'erase',
        '--organization',
        subscriber.organizationId,
        '--email',
        'late.zora@example.com',
      )
      release()
      assert.equal((await attempt).attempt?.error, 'HTTP_5XX')
      const ended = { status: 'FAILED', failureReason: 'CANDIDATE_ERASED', history: [] }
      assert.partialDeepStrictEqual(await deliveries.read(late.deliveryId), ended)
      assert.equal(await deliveries.job(late.deliveryId), null)
      assert.doesNotMatch(await everything(deliveries.service.database), traces)
    })

    test('a report after the erasure is refused, even if the interview had been completed without a result · DLV-18', async () => {
      for (const before of ['', '?final=false']) {
        const email = `early.zora${before.length}@example.com`
        const { interview } = await invite({ ...person, email })
        const path = `/interviews/${interview.id}`
        for (const status of ['IN_PROGRESS', 'PROCESSING', 'COMPLETED']) {
          assert.equal((await deliveries.engine('POST', `${path}/status`, { status })).status, 200)
        }
        const report = (query = '') => deliveries.engine('PUT', `${path}/result${query}`, { scoring: words })
        if (before !== '') assert.equal((await report(before)).status, 201)
        await commands.run(...['candidate', 'erase', '--organization', subscriber.organizationId, '--email', email])
        for (const query of ['', '?final=false']) assertRefused(await report(query), 404, 'Interview not found')
      }
      assert.doesNotMatch(await everything(deliveries.service.database), traces)
    })

    test('a search for a name that someone else has too stays, whatever its letters', async () => {
      const { organizationId } = subscriber
      for (const [email, lastName] of [
        ['nikos@example.gr', 'Παπάς'],
        ['other.nikos@example.gr', 'Άλλος'],
      ] as const) {
        await invite({ email, firstName: 'Νίκος', lastName })
      }
      for (const search of ['Νίκος', 'Νίκος Παπάς']) {
        const run = { organizationId, actor: 'test', filter: { search } }
        await startRetryRun(deliveries.service.database, run, deliveries.service.time.now)
      }
      await commands.run('candidate', 'erase', '--organization', organizationId, '--email', 'nikos@example.gr')
      const left = await everything(deliveries.service.database)
      assert.match(left, /"search": ?"Νίκος"/)
      assert.doesNotMatch(left, /Παπάς/)
    })

    test('inviting the same email address again starts from scratch', async () => {
      const reinvited = await invite(person, running.templateId)
      assert.equal(reinvited.candidate.email, person.email)
      assert.notEqual(reinvited.candidate.id, running.candidate.id)
      assert.notEqual(reinvited.id, running.id)
      const again = await erase()
      assert.partialDeepStrictEqual(again, {
        candidateId: reinvited.candidate.id,
        interviews: 1,
        cancelled: 1,
        results: 0,
      })
    })

    test('an unknown candidate, or one in another organization, can’t be erased', async () => {
      const { organizationId } = await deliveries.service.partner()
      for (const [organization, email] of [
        [subscriber.organizationId, 'nobody@example.com'],
        [organizationId, 'ada@example.com'],
      ] as const) {
        const error = await commands.error('candidate', 'erase', '--organization', organization, '--email', email)
        assert.equal(error, `${organization} has no candidate with the email address ${email}`)
      }
      const { stdout } = await commands.run(
        ...[
          'candidate',
          'erase',
          '--organization',
          subscriber.organizationId,
          '--email',
          'ada@example.com',
          '--dry-run',
        ],
      )
      assert.match(stdout, /^Dry run\. Erasing cand_\w+ would affect:[\s\S]*Kept: the IDs of/)
      assert.match(stdout, /^open interviews, would become CANCELLED .*\npending deliveries, would become FAILED /m)
    })

    type Reported = { invitation: Invitation; resultId: string; resultUrl: string; deliveryId: string }
    type Polled = { data: { resultId: string; resultUrl: string; overallScore: number }[] }

    const poll = async () => (await subscriber.call<Polled>('GET', '/v1/interview-results')).body

    async function invite(candidate: typeof person, templateId?: string): Promise<Invitation> {
      const fields = { title: 'Backend engineer', description: 'Queues.' }
      const template = templateId ?? (await subscriber.call<{ id: string }>('POST', '/v1/templates', fields)).body.id
      const body = { templateId: template, candidate }
      return (await subscriber.call<Invitation>('POST', '/v1/interview-invitations', body)).body
    }

    /** An interview with an image and a result, and a waiting delivery. */
    async function report(candidate: typeof person, scored: object = words): Promise<Reported> {
      const invitation = await invite(candidate)
      const { id } = invitation.interview
      await deliveries.uploadImage(id, image)
      const result = { scoring: scored, analysis: { transcript: scored === words ? 'secretword' : '' } }
      const path = `/interviews/${id}/result`
      const reported = await deliveries.engine<{ resultId: string; resultUrl: string }>('PUT', path, result)
      const { body } = reported
      assert.equal(reported.status, 201, reported.text)
      const delivery = await findDeliveryOfResult(deliveries.service.database, body.resultId)
      return { ...body, invitation, deliveryId: delivery?.id ?? '' }
    }
  })
}

function tokenOf(inviteUrl: string | null): string {
  return inviteUrl?.split('/').at(-1) ?? ''
}

const writtenAfterResponses = ['request_log', 'key_usage']

/** All rows of all tables, including the queue's. */
async function everything(database: Database, except: string[] = []): Promise<string> {
  const tables = await database.execute<{ schema: string; name: string }>(`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE' order by 1, 2`)
  let text = ''
  for (const { schema, name } of tables.rows.filter(({ name }) => !except.includes(name))) {
    const { rows } = await database.execute<Record<string, unknown>>(`select * from "${schema}"."${name}"`)
    for (const row of rows) text += `${name} ${readable(row)}\n`
  }
  return text
}

function readable(row: Record<string, unknown>): string {
  return Object.values(row)
    .map((value) => {
      const text = Buffer.isBuffer(value) ? value.toString('latin1') : (JSON.stringify(value) ?? '')
      // Images are stored as Base64.
      const decoded = /^"[A-Za-z0-9+/=]{8,}"$/.test(text)
        ? Buffer.from(text.slice(1, -1), 'base64').toString('latin1')
        : ''
      return `${text} ${decoded}`
    })
    .join(' ')
}
