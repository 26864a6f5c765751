import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { encodeCursor } from '../../server/database/paging.ts'
import type {
  CurrentRetryRun,
  DeliveryDetail,
  DeliveryHealth,
  DeliveryPage,
  DeliveryPayload,
  DeliveryRow,
  FailedCount,
  Finding,
  ReceiverChecks,
  RetryRun,
} from '../../server/http/settings/delivery-schemas.ts'
import type { ActivityPage, Preflight } from '../../server/http/settings/schemas.ts'
import { type Deliveries, image, type Subscriber, startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'
import { assertRefused } from '../../support/error-responses.ts'
import { type SignedInMember, signedInMember } from '../../support/members.ts'
import { eventually } from '../../support/process.ts'
import { elapse } from '../../support/queue-hooks.ts'

for (const engine of engines) {
  describe(`deliveries in the settings area on ${engine.name}`, () => {
    let deliveries: Deliveries
    let subscriber: Subscriber
    let admin: SignedInMember
    let viewer: SignedInMember
    let organization: string
    before(async () => {
      deliveries = await startDeliveries(engine)
      subscriber = await deliveries.subscriber()
      admin = await signedInMember(deliveries.service, 'admin', subscriber.organizationId)
      viewer = await signedInMember(deliveries.service, 'viewer', subscriber.organizationId)
      organization = `/organizations/${subscriber.organizationId}`
    })
    after(() => deliveries.close())

    const see = async <Body>(path: string) => {
      const answer = await viewer.call<Body>('GET', `${organization}${path}`)
      assert.equal(answer.status, 200, answer.text)
      return answer.body
    }
    const change = <Body>(path: string, body?: unknown) => admin.call<Body>('POST', `${organization}${path}`, body)
    const failing = async (status: number) => {
      subscriber.answer({ status, body: 'no' })
      const completed = await subscriber.complete()
      await deliveries.attempt(completed.deliveryId, { receive: 4 })
      return completed
    }

    test('a failure is seen, explained, retried and a minute later delivered · SET-4 DLV-9 DLV-13', async () => {
      const worker = deliveries.startWorker()
      subscriber.answer({ status: 413, body: 'no' })
      const { deliveryId, resultId, invitation } = await subscriber.complete()
      await deliveries.waitForStatus(deliveryId, 'FAILED')
      const { email } = invitation.candidate

      const page = await see<DeliveryPage>(`/deliveries?status=FAILED&error=HTTP_4XX&search=${email.toUpperCase()}`)
      assert.equal(page.nextCursor, null)
      const [row] = page.data
      assert.partialDeepStrictEqual(row, {
        id: deliveryId,
        resultId,
        status: 'FAILED',
        failureReason: 'RECEIVER_REJECTED',
        lastError: 'HTTP_4XX',
        attempts: 1,
        deliveredAt: null,
        candidate: { email, firstName: 'Ada', lastName: 'Lovelace' },
      })
      assert.match(row?.templateName ?? '', /^Backend engineer/)
      assert.deepEqual((await see<DeliveryPage>(`/deliveries?search=${resultId}`)).data, [row])
      assert.deepEqual((await see<DeliveryPage>(`/deliveries?search=${resultId}&status=DELIVERED`)).data, [])

      const detail = await see<DeliveryDetail>(`/deliveries/${deliveryId}`)
      assert.deepEqual(detail.failure, {
        summary: 'Your endpoint answered 413: its body limit is below 1.4 MB.',
        advice: 'Raise it to 2 MB, then Retry.',
      })
      assert.equal(detail.history.length, 1)
      const [attempt] = detail.history
      assert.partialDeepStrictEqual(attempt, {
        number: 1,
        address: '127.0.0.1',
        status: 413,
        error: 'HTTP_4XX',
        answer: 'no',
        explanation: detail.failure?.summary,
      })
      assert.ok(Object.values(attempt?.timing ?? {}).every((part) => part === null || part >= 0))
      assert.ok((attempt?.timing.total ?? 0) > 0)

      assertRefused(
        await viewer.call('POST', `${organization}/deliveries/${deliveryId}/retries`),
        403,
        'Only an admin can do this',
      )
      const retried = await change<DeliveryRow>(`/deliveries/${deliveryId}/retries`)
      assert.equal(retried.status, 200, retried.text)
      assert.partialDeepStrictEqual(retried.body, {
        id: deliveryId,
        status: 'PENDING',
        attempts: 0,
        failureReason: null,
      })
      const { data: activity } = (await admin.call<ActivityPage>('GET', `${organization}/activity`)).body
      assert.partialDeepStrictEqual(activity[0], { actor: admin.email, action: 'delivery.retried' })
      assert.ok(activity[0]?.subject.includes(deliveryId))
      assertRefused(await change(`/deliveries/${deliveryId}/retries`), 409, 'Only a failed delivery can be retried')

      subscriber.answer({ status: 200 })
      assert.equal((await deliveries.job(deliveryId))?.receives, 0, 'nothing is sent before the minute is over')
      await elapse(deliveries.service.database, 60)
      await deliveries.waitForStatus(deliveryId, 'DELIVERED')
      await worker.stop()
      const delivered = await see<DeliveryDetail>(`/deliveries/${deliveryId}`)
      assert.deepEqual([delivered.status, delivered.failure, delivered.history.length], ['DELIVERED', null, 2])

      const health = await see<DeliveryHealth>('/deliveries/health')
      assert.ok(health.delivered >= 1 && health.buckets.length === 48 && health.answerMilliseconds !== null)
    })

    test('the last day, week and month are as long as they say, and end with the current interval · SET-4', async () => {
      const now = deliveries.service.time.now.getTime()
      for (const [last, days, minutes] of [
        ['day', 1, 30],
        ['week', 7, 240],
        ['month', 30, 720],
      ] as const) {
        const { since, until, intervalMinutes, buckets } = await see<DeliveryHealth>(`/deliveries/health?last=${last}`)
        assert.deepEqual([intervalMinutes, buckets.length], [minutes, (days * 1440) / minutes])
        assert.equal(Date.parse(until) - Date.parse(since), days * 86_400_000)
        const ahead = Date.parse(until) - now
        assert.ok(ahead > 0 && ahead <= minutes * 60_000, `${last} ends at ${until}`)
      }
    })

    test('the payload is shown as it is sent, without the image and the signature', async () => {
      subscriber.answer({ status: 200 })
      const { deliveryId } = await subscriber.complete()
      await deliveries.attempt(deliveryId)
      const sent = subscriber.requests.at(-1)
      assert.ok(sent)
      const payload = await see<DeliveryPayload>(`/deliveries/${deliveryId}/payload`)
      const event = JSON.parse(sent.body.toString())
      const length = image.toString('base64').length.toLocaleString('en')
      event.thumbnail.dataBase64 = `(${length} characters of Base64 not shown)`
      assert.deepEqual(payload.body, event)
      assert.deepEqual(Object.keys(payload.headers).toSorted(), [
        'content-type',
        'x-service-event',
        'x-service-event-id',
        'x-service-idempotency-key',
      ])
      for (const [name, value] of Object.entries(payload.headers)) assert.equal(sent.headers[name], value)
      assert.equal(payload.url, subscriber.url)

      const download = await viewer.call('GET', `${organization}/deliveries/${deliveryId}/event.json`)
      assert.equal(download.text, sent.body.toString(), 'byte for byte, image included')
      assert.equal(download.headers.get('content-disposition'), `attachment; filename="${deliveryId}.json"`)
    })

    test('the history is numbered across rounds and says who began each · SET-4 DLV-13', async () => {
      const { deliveryId, resultId, invitation } = await failing(410)
      await change(`/deliveries/${deliveryId}/retries`)
      await deliveries.attempt(deliveryId, { receive: 1 })
      await change(`/deliveries/${deliveryId}/retries`)
      const detail = await see<DeliveryDetail>(`/deliveries/${deliveryId}`)
      assert.partialDeepStrictEqual(detail, {
        id: deliveryId,
        resultId,
        invitationId: invitation.id,
        templateId: invitation.templateId,
        attempts: 0,
        totalAttempts: 5,
        eventId: `external_result_completed_${resultId}`,
      })
      assert.deepEqual(
        detail.history.map(({ number, round }) => [number, round]),
        [
          [4, 1],
          [5, 2],
        ],
      )
      const begunAt = deliveries.service.time.now.toISOString()
      assert.deepEqual(
        detail.rounds,
        [2, 3].map((round) => ({ round, begunBy: admin.email, begunAt })),
      )
      const csv = await viewer.call('GET', `${organization}/deliveries/export.csv?search=${resultId}`)
      const [header = [], row = []] = csv.text.split('\r\n').map((line) => line.split(','))
      const counts = ['attempts', 'total_attempts'].map((name) => row[header.indexOf(name)])
      assert.deepEqual(counts, ['0', '5'])
    })

    test('selected deliveries are retried, and only those that failed · SET-4 SET-6', async () => {
      const failed = [await failing(410), await failing(410)]
      subscriber.answer({ status: 200 })
      const delivered = await subscriber.complete()
      await deliveries.attempt(delivered.deliveryId)
      const ids = [...failed, delivered].map(({ deliveryId }) => deliveryId)
      const wanted = { ids: [...ids, ...ids, 'dlv_unknown'] }
      const retried = await change<{ retried: number }>('/deliveries/retries', wanted)
      assert.deepEqual([retried.status, retried.body], [200, { retried: 2 }])
      const statuses = await Promise.all(ids.map(async (id) => (await deliveries.read(id))?.status))
      assert.deepEqual(statuses, ['PENDING', 'PENDING', 'DELIVERED'])
      const { data } = (await admin.call<ActivityPage>('GET', `${organization}/activity`)).body
      assert.partialDeepStrictEqual(data[0], { action: 'deliveries.retried', subject: '2 selected deliveries' })
      assert.deepEqual((await change('/deliveries/retries', { ids })).body, { retried: 0 })
      assertRefused(await change('/deliveries/retries', { ids: [] }), 400, 'ids must not be empty')
    })

    test('deliveries and activity are exported for spreadsheets, without running anything there · SET-4 SET-6', async () => {
      const { deliveryId, resultId } = await failing(410)
      const { database } = deliveries.service
      await database.query(sql`
        update interviews i set first_name = '=1+1', last_name = 'O"Hara, Jr.' from deliveries d
        where d.interview_id = i.id and d.id = ${deliveryId}`)
      const csv = await viewer.call('GET', `${organization}/deliveries/export.csv?search=${resultId}`)
      assert.equal(csv.headers.get('content-type'), 'text/csv; charset=utf-8')
      assert.equal(csv.headers.get('content-disposition'), 'attachment; filename="deliveries.csv"')
      const [header = '', row = '', end, ...more] = csv.text.split('\r\n')
      assert.match(header, /delivery_id,result_id,event_id,/)
      assert.ok(row.startsWith(`${deliveryId},${resultId},external_result_completed_${resultId},`), row)
      assert.ok(row.includes(`,'=1+1,"O""Hara, Jr.",`), row)
      assert.deepEqual([end, more], ['', []])

      const all = await viewer.call('GET', `${organization}/deliveries/export.csv`)
      const { data } = await see<DeliveryPage>('/deliveries?limit=100')
      assert.equal(all.text.trimEnd().split('\r\n').length, data.length + 1)
      const activity = await admin.call('GET', `${organization}/activity/export.csv`)
      assert.match(activity.text, /^\ufeff?at,actor,action,subject,detail,ends_at\r\n/)
      assert.ok(activity.text.includes(`,${admin.email},deliveries.retried,2 selected deliveries,`))
    })

    test('all that match are retried, with the count before and the progress after · SET-4', async () => {
      const failed = [await failing(410), await failing(410)]
      const filter = { error: 'HTTP_4XX', search: failed[0]?.resultId ?? '' }
      const query = new URLSearchParams(filter)
      assert.deepEqual(await see<FailedCount>(`/deliveries/failed-count?${query}`), { count: 1 })
      const { count } = await see<FailedCount>('/deliveries/failed-count?error=HTTP_4XX')
      assert.ok(count >= 2)

      assertRefused(await viewer.call('POST', `${organization}/retry-runs`, {}), 403, 'Only an admin can do this')
      for (const [body, total] of [
        [filter, 1],
        [{ error: 'HTTP_4XX' }, count - 1],
      ] as const) {
        const started = await change<RetryRun>('/retry-runs', body)
        assert.equal(started.status, 202, started.text)
        assert.partialDeepStrictEqual(started.body, { total, done: 0, finishedAt: null, startedBy: admin.email })
        const { id } = started.body
        await eventually(async () => (await see<RetryRun>(`/retry-runs/${id}`)).finishedAt !== null)
        assert.equal((await see<RetryRun>(`/retry-runs/${id}`)).done, total)
        assert.equal((await see<CurrentRetryRun>('/retry-runs/current')).run?.id, id)
      }
      for (const { deliveryId } of failed) {
        assert.partialDeepStrictEqual(await deliveries.read(deliveryId), { status: 'PENDING', attempts: 0 })
      }
      const { data } = (await admin.call<ActivityPage>('GET', `${organization}/activity`)).body
      assert.partialDeepStrictEqual(data[1], { action: 'deliveries.retried', subject: '1 failed delivery' })
    })

    test('what is not there is not found, and what cannot be is refused', async () => {
      const nobody = 'dlv_01m7efx4xwfztrm1s20bva7r58'
      for (const path of [`/deliveries/${nobody}`, '/deliveries/x', `/deliveries/${nobody}/payload`]) {
        assertRefused(await viewer.call('GET', `${organization}${path}`), 404, 'Delivery not found')
      }
      assertRefused(await change(`/deliveries/${nobody}/retries`), 404, 'Delivery not found')
      const run = 'run_01m7efx4xwfztrm1s20bva7r58'
      assertRefused(await viewer.call('GET', `${organization}/retry-runs/${run}`), 404, 'Retry run not found')
      const bad = {
        'cursor=x': 'cursor is invalid',
        [`cursor=${encodeCursor(['0000-06-01T00:00:00.000Z', nobody])}`]: 'cursor is invalid',
        [`cursor=${encodeCursor(['2026-02-30T00:00:00.000Z', nobody])}`]: 'cursor is invalid',
        'limit=0': 'limit must be an integer between 1 and 100',
        'status=LOST': 'status must be one of PENDING, DELIVERED, FAILED',
        'from=9999-12-31T23:59:59-12:00': 'from must be an ISO 8601 time such as 2026-01-02T03:04:05.678Z',
        'from=yesterday': 'from must be an ISO 8601 time such as 2026-01-02T03:04:05.678Z',
        'x=1': 'Unknown query parameter: x',
      }
      for (const [query, error] of Object.entries(bad)) {
        assertRefused(await viewer.call('GET', `${organization}/deliveries?${query}`), 400, error)
      }
      for (const query of ['from=0000-01-01T00:00:00Z', 'to=9999-12-31T23:59:59Z', 'to=0000-01-01T00:00:00-14:00']) {
        assert.equal((await viewer.call('GET', `${organization}/deliveries?${query}`)).status, 200, query)
      }
      const anciently = 'from=0000-01-01T00:00:00Z&to=0000-01-02T00:00:00Z'
      assert.equal((await viewer.call('GET', `${organization}/deliveries/health?${anciently}`)).status, 200)
    })

    test('the receiver is checked, and a destination before it is saved · SET-3', async () => {
      const looked = await change<Preflight>('/webhook/preflight', { url: ` ${subscriber.url} ` })
      assert.partialDeepStrictEqual(looked.body, { ok: true, tls: { ok: true, protocol: 'TLSv1.3' } })
      const refused = await change<Preflight>('/webhook/preflight', { url: 'https://169.254.169.254/' })
      assert.partialDeepStrictEqual(refused.body, { ok: false, tls: null })
      assert.equal(refused.body.addresses[0]?.allowed, false)

      const { data } = (await admin.call<ReceiverChecks>('GET', `${organization}/webhook/checks`)).body
      assert.deepEqual(
        data.map(({ name }) => name),
        ['valid', 'wrong_signature', 'old_timestamp', 'repeated', 'largest_body'],
      )
      subscriber.answer({ status: 204 })
      const checked = await change<Finding>('/webhook/checks/valid')
      assert.partialDeepStrictEqual(checked.body, { name: 'valid', ok: true, status: 204, advice: null })
      assertRefused(await change('/webhook/checks/nothing'), 404, 'Check not found')
    })
  })
}
