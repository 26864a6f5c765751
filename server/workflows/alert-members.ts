import { findEndpoint } from '../endpoints/endpoint.ts'
import type { Announce } from '../endpoints/endpoint-health.ts'
import { findChatWebhook } from '../notifications/chat-webhook.ts'
import type { Outbox } from '../notifications/outbox.ts'
import { alertRecipients } from '../organizations/alert-preferences.ts'
import { findOrganization } from '../organizations/organizations.ts'

/** Tells an organization's admins, by email and in its chat, that the state of its endpoint changed. */
export function createAlerts(outbox: Outbox): Announce {
  return async (transaction, { organizationId, ...change }) => {
    const organization = await findOrganization(transaction, organizationId)
    const endpoint = await findEndpoint(transaction, organizationId)
    if (!organization?.active || !endpoint) return
    const { host } = new URL(endpoint.url)
    const values = { organization: organization.name, organizationId, host, ...change }
    if (outbox.mailConfigured) {
      for (const to of await alertRecipients(transaction, organizationId)) {
        await outbox.queueMail(transaction, { kind: 'endpoint_alert', to, organizationId, values })
      }
    }
    if (await findChatWebhook(transaction, organizationId)) {
      await outbox.queueChatMessage(transaction, { kind: 'endpoint_alert', organizationId, values })
    }
  }
}
