import { deliveriesApi } from './api/deliveries.ts'
import { keysApi } from './api/keys.ts'
import { membersApi } from './api/members.ts'
import { notificationsApi } from './api/notifications.ts'
import { recordsApi } from './api/records.ts'
import { sessionApi } from './api/session.ts'
import { webhookApi } from './api/webhook.ts'

export { deliveriesExport, eventAddress } from './api/deliveries.ts'
export { activityExport } from './api/records.ts'
export { ApiError, errorOf, forgetResponses, isOffline } from './api/request.ts'

/** Every request this page makes. */
export const api = {
  ...sessionApi,
  ...membersApi,
  ...keysApi,
  ...webhookApi,
  ...notificationsApi,
  ...deliveriesApi,
  ...recordsApi,
}
