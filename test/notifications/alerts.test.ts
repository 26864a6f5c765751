import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { updateEndpointHealth } from '../../server/endpoints/endpoint-health.ts'
import { createOutbox } from '../../server/notifications/outbox.ts'
import { createAlerts } from '../../server/workflows/alert-members.ts'
import { type Deliveries, type Subscriber, startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'
import { type MailServer, startChatting, startMailing, startMailServer } from '../../support/mail-server.ts'
import { type SignedInMember, signedInMember } from '../../support/members.ts'
import { eventually } from '../../support/process.ts'

const minute = 60_000
const hour = 60 * minute

for (const engine of engines) {
  describe(`alerts on ${engine.name}`, () => {
    let deliveries: Deliveries
    let server: MailServer
    let stopSending: () => Promise<void>
    before(async () => {
      deliveries = await startDeliveries(engine, { mailConfigured: true })
      server = await startMailServer()
      const senders = [startMailing(deliveries.service, server), startChatting(deliveries)]
      stopSending = async () => {
        for (const sender of senders) await sender.stop()
      }
    })
    after(async () => {
      await stopSending?.()
      await server?.close()
      await deliveries?.close()
    })

    const advance = (milliseconds: number) => {
      const { time } = deliveries.service
      time.now = new Date(time.now.getTime() + milliseconds)
    }
    const sends = async (subscriber: Subscriber, status: number) => {
      subscriber.answer({ status })
      const { deliveryId } = await subscriber.complete()
      await deliveries.attempt(deliveryId)
    }
    /** Evaluates all attempts so far, and waits until every message has left. */
    const look = async () => {
      advance(minute)
      const { database, secretsKey, time } = deliveries.service
      await updateEndpointHealth(database, time.now, createAlerts(createOutbox({ mailConfigured: true, secretsKey })))
      assert.ok(
        await eventually(async () => {
          const [row] = await database.query<{ count: number }>(sql`select count(*) from outbox`)
          return row?.count === 0
        }),
      )
    }
    const chatOf = async ({ organizationId }: Subscriber, admin: SignedInMember) => {
      const chat = await deliveries.subscriber()
      const path = `/organizations/${organizationId}/notifications/chat-webhook`
      assert.equal((await admin.call('PUT', path, { url: chat.url })).status, 200)
      return chat
    }
    const subjectsTo = (member: SignedInMember) =>
      server.received.filter(({ to }) => to.includes(member.email)).map((mail) => mail.header('subject'))

    test('an endpoint that fails and recovers is reported in exactly two emails and two chat messages · SET-8', async () => {
      const subscriber = await deliveries.subscriber({ host: 'candidates' })
      const { organizationId } = subscriber
      const admin = await signedInMember(deliveries.service, 'admin', organizationId)
      const other = await signedInMember(deliveries.service, 'admin', organizationId)
      const viewer = await signedInMember(deliveries.service, 'viewer', organizationId)
      const chat = await chatOf(subscriber, admin)
      await other.call('PUT', `/organizations/${organizationId}/notifications/alert-emails`, { enabled: false })

      await sends(subscriber, 200)
      await look()
      for (const status of [503, 500, 503]) {
        await sends(subscriber, status)
        await look()
      }
      await sends(subscriber, 200)
      await look()
      await sends(subscriber, 200)
      await look()

      assert.deepEqual(subjectsTo(admin), ['Webhook failing: Acme', 'Webhook recovered: Acme'])
      assert.deepEqual(subjectsTo(other), [], 'who opted out')
      assert.deepEqual(subjectsTo(viewer), [], 'who is not an admin')
      const texts = chat.requests.map(({ body }) => JSON.parse(body.toString()))
      assert.equal(texts.length, 2)
      assert.match(texts[0].text, /^Webhook failing: Acme\ncandidates\.hooks\.example\.com:\d+ has not accepted events/)
      assert.match(texts[0].text, /Last error: it answered with a 5xx status/)
      assert.match(texts[1].text, /^Webhook recovered: Acme\n/)
      assert.equal(chat.requests[0]?.headers['content-type'], 'application/json')
      assert.equal(chat.requests[0]?.headers['x-service-signature'], undefined)

      const everything = [...server.received.map(({ raw, text, html }) => raw + text + html), ...texts.map(String)]
      for (const one of [...everything, ...texts.map(({ text }) => text)]) {
        assert.doesNotMatch(one, /Lovelace|ada\.\d+@|events\/\d/i, 'neither a candidate nor the path of the URL')
      }
      const [mail] = server.received.filter(({ to }) => to.includes(admin.email))
      assert.match(mail?.text ?? '', new RegExp(`/settings/${organizationId}/notifications`))
    })

    test('who has opted out by the time an alert is sent does not get it', async () => {
      const subscriber = await deliveries.subscriber()
      const { organizationId } = subscriber
      const admin = await signedInMember(deliveries.service, 'admin', organizationId)
      const { database, secretsKey } = deliveries.service
      const outbox = createOutbox({ mailConfigured: true, secretsKey })
      await database.transaction(async (transaction) => {
        await transaction.query(sql`update members set alert_emails = false where organization_id = ${organizationId}`)
        await outbox.queueMail(transaction, {
          kind: 'endpoint_alert',
          to: admin.email,
          organizationId,
          values: {
            organization: 'Acme',
            organizationId,
            state: 'failing',
            host: 'hooks.example.com',
            failedHost: 'hooks.example.com',
            since: '2026-03-01T12:00:00.000Z',
            lastError: 'TIMEOUT',
            failures: 1,
          },
        })
      })
      await look()
      assert.deepEqual(subjectsTo(admin), [])
    })

    test('an hour of failures is reported once more', async () => {
      const subscriber = await deliveries.subscriber()
      const admin = await signedInMember(deliveries.service, 'admin', subscriber.organizationId)
      await sends(subscriber, 410)
      await look()
      advance(hour)
      await look()
      await look()
      assert.deepEqual(subjectsTo(admin), ['Webhook failing: Acme', 'Webhook still failing: Acme'])
    })

    test('one failure and one success are reported to nobody', async () => {
      const subscriber = await deliveries.subscriber()
      const admin = await signedInMember(deliveries.service, 'admin', subscriber.organizationId)
      for (const status of [503, 200]) {
        await sends(subscriber, status)
        await look()
      }
      assert.deepEqual(subjectsTo(admin), [])
    })

    test('a recovery does not claim that a new host had failed', async () => {
      const subscriber = await deliveries.subscriber({ host: 'old' })
      const { organizationId, url } = subscriber
      const admin = await signedInMember(deliveries.service, 'admin', organizationId)
      await sends(subscriber, 410)
      await look()
      await deliveries.subscriber({ host: 'new' })
      const { database, time } = deliveries.service
      await database.query(sql`
        update webhook_endpoints set url = ${url.replace('old', 'new')}, updated_at = ${time.now}
        where organization_id = ${organizationId}`)
      advance(minute)
      await sends(subscriber, 200)
      await look()
      assert.deepEqual(subjectsTo(admin), ['Webhook failing: Acme', 'Webhook recovered: Acme'])
      const text = server.received.filter(({ to }) => to.includes(admin.email)).at(-1)?.text ?? ''
      assert.match(text, /^new\.\S+ accepts events for Acme\. The previous endpoint, old\.\S+, had been failing\./)
    })

    test('messages arrive in order, also when the first one had to wait', async () => {
      const subscriber = await deliveries.subscriber()
      const admin = await signedInMember(deliveries.service, 'admin', subscriber.organizationId)
      const chat = await chatOf(subscriber, admin)
      chat.answer({ status: 503 })
      await sends(subscriber, 410)
      const { database, secretsKey, time } = deliveries.service
      const announce = createAlerts(createOutbox({ mailConfigured: false, secretsKey }))
      advance(minute)
      await updateEndpointHealth(database, time.now, announce)
      assert.ok(await eventually(async () => chat.requests.length === 1))
      await sends(subscriber, 200)
      advance(minute)
      await updateEndpointHealth(database, time.now, announce)

      chat.answer({ status: 200 })
      assert.ok(
        await eventually(async () => {
          await database.query(
            sql`update outbox set due_at = now() where tries > 0 and due_at < now() + interval '1 minute'`,
          )
          return chat.requests.length === 3
        }),
      )
      const heads = chat.requests.map(({ body }) => JSON.parse(body.toString()).text.split('\n')[0])
      assert.deepEqual(heads, ['Webhook failing: Acme', 'Webhook failing: Acme', 'Webhook recovered: Acme'])
    })

    test('a chat message goes nowhere that a delivery could not go', async () => {
      const subscriber = await deliveries.subscriber()
      const admin = await signedInMember(deliveries.service, 'admin', subscriber.organizationId)
      const chat = await chatOf(subscriber, admin)
      chat.addresses.now = ['10.0.0.7']
      await sends(subscriber, 410)
      advance(minute)
      const { database, secretsKey, time } = deliveries.service
      await updateEndpointHealth(database, time.now, createAlerts(createOutbox({ mailConfigured: false, secretsKey })))
      const problemOf = async () => {
        const path = `/organizations/${subscriber.organizationId}/notifications`
        const { body } = await admin.call<{ chat: { problem: { problem: string } | null } }>('GET', path)
        return body.chat.problem?.problem
      }
      assert.ok(await eventually(async () => (await problemOf()) === 'DESTINATION_REFUSED'))
      assert.equal(chat.requests.length, 0)
      // What waits for a chat webhook that was removed is discarded.
      await admin.call('DELETE', `/organizations/${subscriber.organizationId}/notifications/chat-webhook`)
      await database.query(sql`update outbox set due_at = now()`)
      await look()
      assert.equal(chat.requests.length, 0)
    })
  })
}
