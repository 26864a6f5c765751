import type {
  CurrentAlert,
  Finding,
  Preflight,
  ReceiverChecks,
  SecretCheck,
} from '../../../server/http/settings/delivery-schemas.ts'
import type {
  Activation,
  ChangedSecret,
  CurrentPace,
  CurrentWebhook,
  PaceRequest,
  PreparedSecret,
  SavedWebhook,
  SecretRequest,
  SwitchedWebhook,
  WebhookRequest,
} from '../../../server/http/settings/schemas.ts'
import { at, send } from './request.ts'

/** The endpoint, its secret, pace and health. */
export const webhookApi = {
  webhook: (organizationId: string) => send<CurrentWebhook>('GET', at(organizationId, '/webhook')),
  preflight: (organizationId: string, url: string) =>
    send<Preflight>('POST', at(organizationId, '/webhook/preflight'), { url }),
  saveWebhook: (organizationId: string, webhook: WebhookRequest) =>
    send<SavedWebhook>('PUT', at(organizationId, '/webhook'), webhook),
  switchWebhook: (organizationId: string, enabled: boolean) =>
    send<SwitchedWebhook>('PATCH', at(organizationId, '/webhook'), { enabled }),
  removeWebhook: (organizationId: string) => send<void>('DELETE', at(organizationId, '/webhook')),
  changeSecret: (organizationId: string, request: SecretRequest) =>
    send<ChangedSecret>('POST', at(organizationId, '/webhook/secret'), request),
  prepareSecret: (organizationId: string, request: SecretRequest) =>
    send<ChangedSecret>('POST', at(organizationId, '/webhook/pending-secret'), request),
  checkSecret: (organizationId: string, prepared: PreparedSecret) =>
    send<SecretCheck>('POST', at(organizationId, '/webhook/pending-secret/checks'), prepared),
  activateSecret: (organizationId: string, request: Activation) =>
    send<SwitchedWebhook>('POST', at(organizationId, '/webhook/pending-secret/activation'), request),
  discardSecret: (organizationId: string, prepared: PreparedSecret) =>
    send<SwitchedWebhook>('DELETE', at(organizationId, '/webhook/pending-secret', prepared)),
  changePace: (organizationId: string, pace: PaceRequest) =>
    send<SwitchedWebhook>('PUT', at(organizationId, '/webhook/pace'), pace),
  checks: (organizationId: string) => send<ReceiverChecks>('GET', at(organizationId, '/webhook/checks')),
  runCheck: (organizationId: string, name: string) =>
    send<Finding>('POST', at(organizationId, `/webhook/checks/${encodeURIComponent(name)}`)),
  pace: (organizationId: string) => send<CurrentPace>('GET', at(organizationId, '/pace')),
  alert: (organizationId: string) => send<CurrentAlert>('GET', at(organizationId, '/alert')),
}
