import type {
  CurrentAlert,
  CurrentRetryRun,
  DeliveriesQuery,
  DeliveryDetail,
  DeliveryHealth,
  DeliveryPage,
  DeliveryPayload,
  DeliveryRow,
  FailedCount,
  FailedFilter,
  Finding,
  Preflight,
  ReceiverChecks,
  RetryRun,
} from '../../server/http/settings/delivery-schemas.ts'
import type {
  ActivityPage,
  ChangedSecret,
  Credentials,
  CurrentWebhook,
  Key,
  KeyList,
  MintedKey,
  NewKey,
  PasswordChange,
  SavedWebhook,
  SecretRequest,
  Session,
  SwitchedWebhook,
  WebhookRequest,
} from '../../server/http/settings/schemas.ts'

/** An answer that is not a success, in the server's own words. */
export class ApiError extends Error {
  readonly status: number
  /** What the service said of the destination, when that is why it refused. */
  readonly preflight: Preflight | null

  constructor(status: number, message: string, preflight: Preflight | null = null) {
    super(message)
    this.status = status
    this.preflight = preflight
  }
}

export const api = {
  signIn: (credentials: Credentials) => send<Session>('POST', '/sign-in', credentials),
  signOut: () => send<void>('POST', '/sign-out'),
  session: () => send<Session>('GET', '/session'),
  changePassword: (change: PasswordChange) => send<void>('POST', '/password', change),

  keys: (organizationId: string) => send<KeyList>('GET', at(organizationId, '/keys')),
  makeKey: (organizationId: string, key: NewKey) => send<MintedKey>('POST', at(organizationId, '/keys'), key),
  revokeKey: (organizationId: string, keyId: string) =>
    send<Key>('POST', at(organizationId, `/keys/${encodeURIComponent(keyId)}/revocation`)),

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
  checks: (organizationId: string) => send<ReceiverChecks>('GET', at(organizationId, '/webhook/checks')),
  runCheck: (organizationId: string, name: string) =>
    send<Finding>('POST', at(organizationId, `/webhook/checks/${encodeURIComponent(name)}`)),

  deliveries: (organizationId: string, query: DeliveriesQuery) =>
    send<DeliveryPage>('GET', at(organizationId, '/deliveries', query)),
  health: (organizationId: string) => send<DeliveryHealth>('GET', at(organizationId, '/deliveries/health')),
  delivery: (organizationId: string, deliveryId: string) =>
    send<DeliveryDetail>('GET', at(organizationId, `/deliveries/${encodeURIComponent(deliveryId)}`)),
  payload: (organizationId: string, deliveryId: string) =>
    send<DeliveryPayload>('GET', at(organizationId, `/deliveries/${encodeURIComponent(deliveryId)}/payload`)),
  retry: (organizationId: string, deliveryId: string) =>
    send<DeliveryRow>('POST', at(organizationId, `/deliveries/${encodeURIComponent(deliveryId)}/retries`)),
  failedCount: (organizationId: string, filter: FailedFilter) =>
    send<FailedCount>('GET', at(organizationId, '/deliveries/failed-count', filter)),
  startRetryRun: (organizationId: string, filter: FailedFilter) =>
    send<RetryRun>('POST', at(organizationId, '/retry-runs'), filter),
  currentRetryRun: (organizationId: string) => send<CurrentRetryRun>('GET', at(organizationId, '/retry-runs/current')),

  alert: (organizationId: string) => send<CurrentAlert>('GET', at(organizationId, '/alert')),

  activity: (organizationId: string, cursor: string | null) =>
    send<ActivityPage>('GET', at(organizationId, '/activity', cursor === null ? {} : { cursor })),
}

function at(organizationId: string, path: string, query: Record<string, string | number | undefined> = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  const search = given.length === 0 ? '' : `?${new URLSearchParams(given)}`
  return `/organizations/${encodeURIComponent(organizationId)}${path}${search}`
}

async function send<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const request: RequestInit = { method, credentials: 'same-origin', headers: { accept: 'application/json' } }
  if (body !== undefined) {
    request.headers = { accept: 'application/json', 'content-type': 'application/json' }
    request.body = JSON.stringify(body)
  }
  const response = await fetch(`/settings/api${path}`, request).catch(() => {
    throw new ApiError(0, 'The service cannot be reached. Check your connection, then try again.')
  })
  const text = await response.text()
  if (!response.ok) throw refusal(response, text)
  // 204 has no body; those who ask for nothing look at nothing.
  return JSON.parse(text === '' ? 'null' : text)
}

function refusal(response: Response, text: string): ApiError {
  const said = parsed(text)
  const words = said?.error ?? `The service answered ${response.status} without saying why.`
  return new ApiError(response.status, words + waiting(response), said?.preflight ?? null)
}

/** Something between us and the service may answer too, and not in JSON. */
function parsed(text: string): { error?: string; preflight?: Preflight } | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function waiting(response: Response): string {
  const seconds = Number(response.headers.get('retry-after') ?? 0)
  if (response.status !== 429 || !(seconds > 0)) return ''
  return seconds < 90 ? ` (in ${seconds} seconds)` : ` (in ${Math.ceil(seconds / 60)} minutes)`
}
