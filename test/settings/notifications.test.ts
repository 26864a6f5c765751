import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { createUnseal } from '../../server/endpoints/secrets.ts'
import { reencryptSecrets } from '../../server/endpoints/secrets-key.ts'
import type { NotificationSettings } from '../../server/http/settings/notification-schemas.ts'
import type { ActivityPage } from '../../server/http/settings/schemas.ts'
import { readChatUrl } from '../../server/notifications/chat-webhook.ts'
import { claimMessage, createOutbox, unsealMessage } from '../../server/notifications/outbox.ts'
import { sealedNotifications } from '../../server/notifications/sealed-values.ts'
import { commandsOf } from '../../support/commands.ts'
import { type Deliveries, startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'
import { signedInMember } from '../../support/members.ts'

for (const engine of engines) {
  describe(`notification settings on ${engine.name}`, () => {
    let deliveries: Deliveries
    before(async () => {
      deliveries = await startDeliveries(engine, { mailConfigured: true })
    })
    after(() => deliveries?.close())

    const admin = async () => {
      const chat = await deliveries.subscriber()
      const { organizationId } = chat
      const member = await signedInMember(deliveries.service, 'admin', organizationId)
      const path = `/organizations/${organizationId}/notifications`
      const ask = <Body = NotificationSettings>(method: string, rest = '', body?: unknown) =>
        member.call<Body>(method, `${path}${rest}`, body)
      const actions = async () => {
        const { body } = await member.call<ActivityPage>('GET', `/organizations/${organizationId}/activity`)
        return body.data.map(({ action, subject }) => `${action} ${subject}`).reverse()
      }
      return { organizationId, member, chat, ask, actions }
    }

    test('a new organization has no chat webhook, and its admins get emails', async () => {
      const { ask } = await admin()
      const { status, body } = await ask('GET')
      assert.equal(status, 200)
      const quiet = { waiting: 0, sentAt: null, problem: null }
      assert.deepEqual(body, { email: { configured: true, alerts: true, ...quiet }, chat: { webhook: null, ...quiet } })
    })

    test('the URL of a chat webhook is stored encrypted and never shown again', async () => {
      const { ask, organizationId, chat } = await admin()
      const { database, secretsKey, time } = deliveries.service
      const { host, pathname } = new URL(chat.url)
      const saved = await ask('PUT', '/chat-webhook', { url: `  ${chat.url}  ` })
      assert.equal(saved.status, 200)
      assert.deepEqual(saved.body.chat.webhook, { host, updatedAt: time.now.toISOString() })
      assert.ok(!saved.text.includes(pathname) && !(await ask('GET')).text.includes(pathname))
      const [row] = await database.query<{ text: string }>(sql`
        select chat_webhooks::text || encode(sealed_url, 'escape') as text from chat_webhooks
        where organization_id = ${organizationId}`)
      assert.ok(row && !row.text.includes(pathname))
      const unseal = createUnseal({ current: secretsKey, previous: null })
      assert.equal(await readChatUrl(database, unseal, organizationId), chat.url)

      assert.equal((await ask('DELETE', '/chat-webhook')).body.chat.webhook, null)
      assert.equal((await ask('DELETE', '/chat-webhook')).status, 200)
    })

    test('a chat webhook passes the same guard as the webhook', async () => {
      const { ask } = await admin()
      for (const url of [
        'http://chat.example.com/',
        'https://10.0.0.7/',
        'https://user:secret@chat.example.com/',
        'x',
      ]) {
        const { status, body } = await ask<{ error: string }>('PUT', '/chat-webhook', { url })
        assert.equal(status, 422, url)
        assert.match(body.error, /^This address isn’t allowed: /)
      }
    })

    test('every change is in the activity, with nothing secret · SET-6', async () => {
      const { ask, chat, member, actions } = await admin()
      const { host } = new URL(chat.url)
      await ask('PUT', '/chat-webhook', { url: chat.url })
      await ask('PUT', '/alert-emails', { enabled: false })
      await ask('PUT', '/alert-emails', { enabled: false })
      assert.equal((await ask('GET')).body.email.alerts, false)
      await ask('PUT', '/alert-emails', { enabled: true })
      assert.equal((await ask('POST', '/test-messages', { channel: 'chat' })).status, 202)
      assert.equal((await ask('POST', '/test-messages', { channel: 'email' })).body.email.waiting, 1)
      await ask('DELETE', '/chat-webhook')
      assert.deepEqual((await actions()).slice(2), [
        `chat_webhook.saved ${host}`,
        `alert_emails.disabled ${member.email}`,
        `alert_emails.enabled ${member.email}`,
        `notifications.tested ${host}`,
        `notifications.tested ${member.email}`,
        `chat_webhook.removed ${host}`,
      ])
    })

    test('the command line sets, shows and removes a chat webhook', async () => {
      const { organizationId, actions } = await admin()
      const commands = commandsOf(deliveries.service)
      const of = (name: string) => ['chat-webhook', name, '--organization', organizationId]
      const url = 'https://127.0.0.1/services/very/secret'
      const set = await commands.json<{ host: string }>(...of('set'), '--url', url)
      assert.equal(set.host, '127.0.0.1')
      assert.equal((await commands.json(...of('show'))).host, '127.0.0.1')
      assert.match((await commands.run(...of('remove'))).stdout, /^https:\/\/127\.0\.0\.1\/… {2}updated/)
      assert.equal(await commands.error(...of('show')), 'The organization has no chat webhook')
      assert.match(await commands.error(...of('set'), '--url', 'https://10.0.0.7/'), /^The URL was rejected: /)
      assert.deepEqual((await actions()).slice(2), ['chat_webhook.saved 127.0.0.1', 'chat_webhook.removed 127.0.0.1'])
    })

    test('test messages are limited, and need somewhere to go', async () => {
      const { ask } = await admin()
      const toChat = await ask<{ error: string }>('POST', '/test-messages', { channel: 'chat' })
      assert.deepEqual([toChat.status, toChat.body.error], [404, 'No chat webhook is set'])
      const statuses = []
      for (let count = 0; count < 6; count += 1) {
        statuses.push((await ask('POST', '/test-messages', { channel: 'email' })).status)
      }
      assert.deepEqual(statuses, [202, 202, 202, 202, 202, 429])
    })

    test('a change of SECRETS_KEY keeps the chat webhook and what waits · ROB-5', async () => {
      const { ask, organizationId, chat } = await admin()
      const { database, secretsKey: old } = deliveries.service
      await database.query(sql`delete from outbox`)
      await ask('PUT', '/chat-webhook', { url: chat.url })
      const next = Buffer.alloc(32, 9)
      await createOutbox({ mailConfigured: true, secretsKey: old }).queueMail(database, {
        kind: 'test',
        to: 'a@example.com',
        organizationId,
        values: { organization: 'Acme' },
      })
      const { unreadable } = await reencryptSecrets(database, { current: next, previous: old }, sealedNotifications)
      try {
        assert.deepEqual(unreadable, [])
        const unseal = createUnseal({ current: next, previous: null })
        assert.equal(await readChatUrl(database, unseal, organizationId), chat.url)
        const claimed = await claimMessage(database, 'email')
        assert.ok(claimed)
        assert.deepEqual(unsealMessage(claimed, unseal).values, { organization: 'Acme' })
      } finally {
        await reencryptSecrets(database, { current: old, previous: next }, sealedNotifications)
      }
    })
  })

  test(`without a mail server the page says so, on ${engine.name}`, async (context) => {
    const deliveries = await startDeliveries(engine)
    context.after(() => deliveries.close())
    const { organizationId } = await deliveries.subscriber()
    const member = await signedInMember(deliveries.service, 'admin', organizationId)
    const path = `/organizations/${organizationId}/notifications`
    assert.equal((await member.call<NotificationSettings>('GET', path)).body.email.configured, false)
    const refused = await member.call<{ error: string }>('POST', `${path}/test-messages`, { channel: 'email' })
    assert.deepEqual([refused.status, refused.body.error], [409, 'Email is not set up on this server'])
  })
}
