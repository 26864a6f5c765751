import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { rotateSecret } from '../../server/endpoints/endpoint.ts'
import { saveWebhook } from '../../server/workflows/administer.ts'
import { type Deliveries, image, scoring, startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'
import type { ReceivedRequest } from '../../support/receiver.ts'
import { appUrl } from '../../support/service.ts'
import { fieldsOf, hostile, markerText, theFields } from './event-fields.ts'

for (const engine of engines) {
  describe(`the event on ${engine.name}`, () => {
    let deliveries: Deliveries
    before(async () => {
      deliveries = await startDeliveries(engine)
    })
    after(() => deliveries?.close())

    test('contains the result, the invitation’s IDs and the image, and nothing else · EVT-1 EVT-3 INV-5 THU-1', async () => {
      const { time } = deliveries.service
      const subscriber = await deliveries.subscriber()
      time.now = new Date('2026-03-02T08:00:00.007Z')
      const completedAt = '2026-03-02T09:59:30+02:00'
      const completed = await subscriber.complete({ completedAt, analysis: { transcript: ['Hello'] } })
      const { resultId, resultUrl, invitation } = completed
      time.now = new Date('2026-03-02T08:00:09.000Z')
      await deliveries.attempt(completed.deliveryId)

      const [request, ...more] = subscriber.requests
      assert.ok(request && more.length === 0)
      const event = eventOf(request)
      assert.deepEqual(event, {
        eventId: `external_result_completed_${resultId}`,
        eventType: 'result.completed',
        occurredAt: '2026-03-02T08:00:00.007Z',
        idempotencyKey: resultId,
        resultId,
        template: { id: invitation.templateId, name: event.template.name },
        candidate: invitation.candidate,
        interview: { id: invitation.interview.id, completedAt: '2026-03-02T07:59:30.000Z', status: 'COMPLETED' },
        resultUrl,
        thumbnail: { contentType: 'image/jpeg', dataBase64: image.toString('base64') },
        result: { resultId, aiAnalysis: { scoring } },
      })
      assert.match(event.template.name, /^Backend engineer \d+$/)
      assert.match(resultUrl, new RegExp(`^${appUrl}/shared/interview-details/[\\w-]{43}$`))
      assert.deepEqual(fieldsOf(event), theFields)
    })

    test('is a POST with the five headers of the contract · EVT-8', async () => {
      const subscriber = await deliveries.subscriber()
      const { deliveryId, resultId } = await subscriber.complete()
      await deliveries.attempt(deliveryId)
      const [request] = subscriber.requests
      assert.ok(request)
      assert.deepEqual([request.method, request.url], ['POST', new URL(subscriber.url).pathname])
      const { host, connection: _kept, 'content-length': length, 'user-agent': agent, ...headers } = request.headers
      assert.deepEqual([host, length], [new URL(subscriber.url).host, String(request.body.length)])
      assert.match(agent ?? '', /^PartnerInterview\/\d+\.\d+\.\d+$/)
      assert.deepEqual(headers, {
        'content-type': 'application/json',
        'x-service-event': 'result.completed',
        'x-service-event-id': `external_result_completed_${resultId}`,
        'x-service-idempotency-key': resultId,
        'x-service-signature': headers['x-service-signature'],
      })
    })

    test('is the same on every retry except for its signature · EVT-4', async () => {
      const { time } = deliveries.service
      const subscriber = await deliveries.subscriber()
      const { deliveryId, resultId } = await subscriber.complete()
      subscriber.answer({ status: 500 })
      for (const minute of [10, 11, 13, 17]) {
        time.now = new Date(`2026-03-02T08:${minute}:00.000Z`)
        await deliveries.attempt(deliveryId)
      }
      assert.equal(subscriber.requests.length, 4)
      const [first] = subscriber.requests
      const signatures = new Set<unknown>()
      for (const request of subscriber.requests) {
        assert.deepEqual(request.body, first?.body)
        assert.equal(request.headers['x-service-event-id'], `external_result_completed_${resultId}`)
        assert.equal(request.headers['x-service-idempotency-key'], resultId)
        signatures.add(request.headers['x-service-signature'])
      }
      const { eventId, idempotencyKey, resultId: id, result } = eventOf(first)
      assert.deepEqual([eventId, idempotencyKey, id], [`external_result_completed_${resultId}`, resultId, resultId])
      assert.equal(result.resultId, resultId)
      assert.equal(signatures.size, 4)
    })

    test('says when it occurred and that the interview is COMPLETED · EVT-5', async () => {
      const subscriber = await deliveries.subscriber()
      deliveries.service.time.now = new Date('2026-03-02T09:00:00.000Z')
      const { deliveryId } = await subscriber.complete()
      await deliveries.attempt(deliveryId)
      const { occurredAt, interview } = eventOf(subscriber.requests[0])
      // Whole seconds keep their milliseconds, and a result without a time was completed when it was reported.
      assert.equal(occurredAt, '2026-03-02T09:00:00.000Z')
      assert.partialDeepStrictEqual(interview, { completedAt: '2026-03-02T09:00:00.000Z', status: 'COMPLETED' })
    })

    test('never contains anything from the analysis or from unknown scoring fields, at any depth · EVT-7', async () => {
      const subscriber = await deliveries.subscriber()
      const property = fc.asyncProperty(hostile, hostile, async (analysis, extra) => {
        const { deliveryId } = await subscriber.complete({ analysis, scoring: { ...extra, ...scoring } })
        await deliveries.attempt(deliveryId)
        const body = String(subscriber.requests.at(-1)?.body)
        assert.doesNotMatch(body, markerText)
        assert.deepEqual(fieldsOf(JSON.parse(body)), theFields)
      })
      await fc.assert(property, { numRuns: 15 })
    })

    test('has no PDF, and no route serves a thumbnail · EVT-9', async () => {
      const subscriber = await deliveries.subscriber()
      const { deliveryId, invitation, resultUrl } = await subscriber.complete()
      await deliveries.attempt(deliveryId)
      const body = String(subscriber.requests[0]?.body)
      // Doesn't just look for the three letters: random IDs and tokens contain them now and then.
      assert.doesNotMatch(fieldsOf(JSON.parse(body)).join(), /pdf/i)
      assert.doesNotMatch(body, /application\/pdf|\.pdf|"JVBER/i)
      const interview = `/interviews/${invitation.interview.id}`
      for (const path of [`${interview}/thumbnail`, `${interview}/thumbnail.jpg`, `${interview}/pdf`]) {
        assert.ok([404, 405].includes((await deliveries.engine('GET', path)).status), path)
      }
      for (const path of ['/v1/thumbnails', `/v1/interviews/${invitation.interview.id}/thumbnail`, '/v1/pdf']) {
        assert.equal((await subscriber.call('GET', path)).status, 404)
      }
      const shared = new URL(resultUrl).pathname
      for (const path of [`${shared}/thumbnail`, `${shared}.pdf`, `${shared}/thumbnail.jpg`]) {
        const { status } = await fetch(deliveries.service.url + path)
        assert.equal(status, 404, path)
      }
    })

    test('is signed over the exact bytes sent and the time of the attempt, as other implementations confirm · SIG-1 SIG-2', async () => {
      const { database, time } = deliveries.service
      for (const secret of ['0123456789abcdef', 'whsec_/+=.:,~! "quoted"'.replaceAll(' ', '_'), 'k'.repeat(256)]) {
        const subscriber = await deliveries.subscriber()
        const settings = { url: subscriber.url, secret }
        const saved = await saveWebhook(
          { ...deliveries.out, database },
          { organizationId: subscriber.organizationId, actor: 'test' },
          settings,
          time.now,
        )
        assert.equal(saved.outcome, 'saved')
        const { deliveryId } = await subscriber.complete()
        time.now = new Date('2026-03-02T10:11:12.999Z')
        await deliveries.attempt(deliveryId)

        const [request] = subscriber.requests
        assert.ok(request)
        const signed = Buffer.concat([Buffer.from('1772446272.'), request.body])
        for (const digest of referenceSignatures(secret, signed)) {
          assert.equal(request.headers['x-service-signature'], `t=1772446272,v1=${digest}`)
        }
      }
    })

    test('is signed with only the new secret from the next attempt on · SIG-3', async () => {
      const { database, time } = deliveries.service
      const subscriber = await deliveries.subscriber()
      const { deliveryId } = await subscriber.complete()
      subscriber.answer({ status: 503 })
      await deliveries.attempt(deliveryId)
      const rotated = await rotateSecret({ ...deliveries.out, database }, subscriber.organizationId, time.now)
      assert.ok(rotated && rotated.secret !== subscriber.secret)
      await deliveries.attempt(deliveryId)

      const secrets = [subscriber.secret, rotated.secret]
      for (const [index, request] of subscriber.requests.entries()) {
        const signature = String(request.headers['x-service-signature'])
        const t = signature.slice(2, signature.indexOf(','))
        const [digest] = referenceSignatures(secrets[index] ?? '', Buffer.concat([Buffer.from(`${t}.`), request.body]))
        assert.equal(signature, `t=${t},v1=${digest}`)
      }
      assert.equal(subscriber.requests.length, 2)
    })
  })
}

function eventOf(request: ReceivedRequest | undefined) {
  assert.ok(request)
  return JSON.parse(request.body.toString('utf8'))
}

/** HMAC SHA-256 as hex, written out as in RFC 2104 and, if it is installed, by openssl. */
function referenceSignatures(secret: string, message: Buffer): string[] {
  const key = secret.length > 64 ? createHash('sha256').update(secret).digest() : Buffer.from(secret)
  const block = Buffer.concat([key, Buffer.alloc(64 - key.length)])
  const inner = createHash('sha256')
    .update(block.map((byte) => byte ^ 0x36))
    .update(message)
    .digest()
  const byHand = createHash('sha256')
    .update(block.map((byte) => byte ^ 0x5c))
    .update(inner)
    .digest('hex')

  const hexKey = `hexkey:${Buffer.from(secret).toString('hex')}`
  const openssl = spawnSync('openssl', ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', hexKey], { input: message })
  if (openssl.error) return [byHand]
  assert.equal(openssl.status, 0, String(openssl.stderr))
  return [byHand, String(openssl.stdout).trim().split('= ').at(-1) ?? '']
}
