import type { NotificationSettings, TestMessageRequest } from '../../../server/http/settings/notification-schemas.ts'
import { at, send } from './request.ts'

/** Alerts by email and chat. */
export const notificationsApi = {
  notifications: (organizationId: string) => send<NotificationSettings>('GET', at(organizationId, '/notifications')),
  setAlertEmails: (organizationId: string, enabled: boolean) =>
    send<NotificationSettings>('PUT', at(organizationId, '/notifications/alert-emails'), { enabled }),
  saveChatWebhook: (organizationId: string, url: string) =>
    send<NotificationSettings>('PUT', at(organizationId, '/notifications/chat-webhook'), { url }),
  removeChatWebhook: (organizationId: string) =>
    send<NotificationSettings>('DELETE', at(organizationId, '/notifications/chat-webhook')),
  sendTestMessage: (organizationId: string, channel: TestMessageRequest['channel']) =>
    send<NotificationSettings>('POST', at(organizationId, '/notifications/test-messages'), { channel }),
}
