import type { FastifyInstance, FastifyRequest } from 'fastify'
import { findChatWebhook } from '../../notifications/chat-webhook.ts'
import { channelStatus } from '../../notifications/outbox.ts'
import { wantsAlertEmails } from '../../organizations/alert-preferences.ts'
import { explainVetting } from '../../outbound/allow-hint.ts'
import type { SchemaTypeProvider } from '../../schema.ts'
import {
  chooseAlertEmails,
  queueTestMessage,
  setChatWebhook,
  unsetChatWebhook,
} from '../../workflows/administer-notifications.ts'
import { Refusal } from '../errors.ts'
import { trimmed } from '../input.ts'
import { changeBy, memberOf, sessionOf } from './admission.ts'
import { admitCheck } from './check-admission.ts'
import type { SettingsDependencies } from './dependencies.ts'
import {
  alertEmailsChoice,
  chatWebhookRequest,
  type NotificationSettings,
  notificationSettings,
  testMessageRequest,
} from './notification-schemas.ts'
import { organizationPath } from './schemas.ts'

/** Who is told about the endpoint, and how. */
export function notificationRoutes(app: FastifyInstance, dependencies: SettingsDependencies) {
  const { database, guard, secretsKey, outbox, clock } = dependencies
  const routes = app.withTypeProvider<SchemaTypeProvider>()
  const params = organizationPath
  const response = { 200: notificationSettings }

  async function current(request: FastifyRequest): Promise<NotificationSettings> {
    const { organizationId } = memberOf(request)
    const alerts = await wantsAlertEmails(database, organizationId, sessionOf(request).userId)
    const email = await channelStatus(database, organizationId, 'email')
    const webhook = await findChatWebhook(database, organizationId)
    const chat = await channelStatus(database, organizationId, 'chat')
    return { email: { configured: outbox.mailConfigured, alerts, ...email }, chat: { webhook, ...chat } }
  }

  routes.get('/notifications', { schema: { params, response } }, current)

  routes.put(
    '/notifications/alert-emails',
    { schema: { params, body: alertEmailsChoice, response } },
    async (request) => {
      const change = { ...changeBy(request), userId: sessionOf(request).userId }
      await chooseAlertEmails(database, change, request.body.enabled, clock())
      return current(request)
    },
  )

  routes.put(
    '/notifications/chat-webhook',
    { preValidation: trimmed('url'), schema: { params, body: chatWebhookRequest, response } },
    async (request) => {
      await admitCheck(database, memberOf(request))
      const dependencies = { database, guard, secretsKey }
      const saved = await setChatWebhook(dependencies, changeBy(request), request.body.url, clock())
      if (saved.outcome === 'refused') {
        throw new Refusal('destination_refused', { detail: explainVetting(saved.vetting) })
      }
      return current(request)
    },
  )

  routes.delete('/notifications/chat-webhook', { schema: { params, response } }, async (request) => {
    await unsetChatWebhook(database, changeBy(request), clock())
    return current(request)
  })

  routes.post(
    '/notifications/test-messages',
    { schema: { params, body: testMessageRequest, response: { 202: notificationSettings } } },
    async (request, reply) => {
      await admitCheck(database, memberOf(request))
      const queued = await queueTestMessage({ database, outbox }, changeBy(request), request.body.channel, clock())
      if (queued === 'off') throw new Refusal('mail_off')
      if (queued === 'full') throw new Refusal('too_many_messages')
      if (queued === 'no_chat_webhook') throw new Refusal(queued)
      return reply.code(202).send(await current(request))
    },
  )
}
