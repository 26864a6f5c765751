import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updateEndpointHealth } from '../../server/endpoints/endpoint-health.ts'
import { createOutbox } from '../../server/notifications/outbox.ts'
import { createAlerts } from '../../server/workflows/alert-members.ts'
import { startChatting, startMailing, startMailServer } from '../../support/mail-server.ts'
import { signedInMember } from '../../support/members.ts'
import { eventually } from '../../support/process.ts'
import { inBrowser, waitForFocus } from './in-browser.ts'

inBrowser(
  'the notifications page',
  (stage) => {
    test('an admin sets up the chat and hears of a failure and of the recovery · SET-8', async (context) => {
      const { service, deliveries, visit } = stage()
      const server = await startMailServer()
      const senders = [startMailing(service, server), startChatting(deliveries)]
      context.after(async () => {
        for (const sender of senders) await sender.stop()
        await server.close()
      })
      const subscriber = await deliveries.subscriber()
      const chat = await deliveries.subscriber()
      const { organizationId } = subscriber
      const admin = await signedInMember(service, 'admin', organizationId)
      await using visited = await visit({ as: admin, at: `/${organizationId}` })
      const { page } = visited
      await page.getByRole('link', { name: 'Notifications' }).click()
      const emailMe = page.getByRole('checkbox', { name: 'Email me about the webhook of this organization' })
      await emailMe.waitFor()
      assert.ok(await emailMe.isChecked())

      await page.getByRole('textbox', { name: 'Webhook URL' }).fill('https://10.0.0.7/hook')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText(/This address isn’t allowed: /).waitFor()
      await page.getByRole('textbox', { name: 'Webhook URL' }).fill(chat.url)
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText(`https://${new URL(chat.url).host}/…`).waitFor()
      await waitForFocus(page, 'Chat')
      assert.ok(!(await page.content()).includes(new URL(chat.url).pathname))

      await page.getByRole('button', { name: 'Send test message' }).click()
      await page.getByText(/^Last message sent/).waitFor()
      await page.getByRole('button', { name: 'Send test email' }).click()
      await page.getByText(/^Last email sent/).waitFor()
      assert.equal(server.received.length, 1)
      assert.equal(chat.requests.length, 1)

      for (const status of [500, 503, 503, 200, 200]) {
        subscriber.answer({ status })
        const { deliveryId } = await subscriber.complete()
        await deliveries.attempt(deliveryId)
        service.time.now = new Date(service.time.now.getTime() + 60_000)
        const outbox = createOutbox({ mailConfigured: true, secretsKey: service.secretsKey })
        await updateEndpointHealth(service.database, service.time.now, createAlerts(outbox))
      }
      assert.ok(await eventually(async () => server.received.length === 3 && chat.requests.length === 3))
      const subjects = server.received.map((mail) => mail.header('subject'))
      assert.deepEqual(subjects.slice(1), ['Webhook failing: Acme', 'Webhook recovered: Acme'])

      await emailMe.uncheck()
      await page.getByRole('button', { name: 'Remove' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
      await page.getByRole('textbox', { name: 'Webhook URL' }).waitFor()
      await page.getByRole('link', { name: 'Activity' }).click()
      await page.getByText('turned off email alerts for themselves').waitFor()
      await page.getByText(/removed the chat webhook for/).waitFor()
    })

    test('a problem is shown with what waits', async (context) => {
      const { service, visit } = stage()
      const server = await startMailServer()
      server.rejectWith = 451
      const sending = startMailing(service, server)
      context.after(async () => {
        await sending.stop()
        await server.close()
      })
      const { organizationId } = await service.partner()
      const admin = await signedInMember(service, 'admin', organizationId)
      await using visited = await visit({ as: admin, at: `/${organizationId}/notifications` })
      const { page } = visited
      await page.getByRole('button', { name: 'Send test email' }).click()
      await page.getByText(/The mail server rejected an email \(451\).*retried automatically/).waitFor()
      await page.getByText('No email sent yet · 1 waiting').waitFor()
    })
  },
  { mailConfigured: true },
)

inBrowser('the notifications page without a mail server', (stage) => {
  test('says that email is not set up, and still takes a chat webhook', async () => {
    const { service, visit } = stage()
    const { organizationId } = await service.partner()
    const admin = await signedInMember(service, 'admin', organizationId)
    await using visited = await visit({ as: admin, at: `/${organizationId}/notifications` })
    const { page } = visited
    await page.getByText(/Email is not set up on this server/).waitFor()
    await page.getByRole('textbox', { name: 'Webhook URL' }).waitFor()
    assert.equal(await page.getByRole('checkbox').count(), 0)
  })

  test('keeps the URL being typed when another admin adds theirs', async () => {
    const { service, deliveries, visit } = stage()
    const [mine, theirs] = [await deliveries.subscriber(), await deliveries.subscriber()]
    const { organizationId } = await service.partner()
    const admin = await signedInMember(service, 'admin', organizationId)
    await using visited = await visit({ as: admin, at: `/${organizationId}/notifications` })
    const { page } = visited
    const input = page.getByRole('textbox', { name: 'Webhook URL' })
    await input.fill(mine.url)
    const path = `/organizations/${organizationId}/notifications/chat-webhook`
    const added = await admin.call('PUT', path, { url: theirs.url })
    assert.equal(added.status, 200, added.text)
    await page.getByRole('heading', { name: 'Replace chat webhook' }).waitFor()
    assert.equal(await input.inputValue(), mine.url)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText(`https://${new URL(theirs.url).host}/…`).waitFor()
  })
})
