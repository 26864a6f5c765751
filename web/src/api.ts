import type {
  BrowseFilter,
  InvitationPage,
  ResultPage,
  TemplatePage,
} from '../../server/http/settings/browse-schemas.ts'
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
  HealthQuery,
  Preflight,
  ReceiverChecks,
  RetriedSelection,
  RetryRun,
  SecretCheck,
} from '../../server/http/settings/delivery-schemas.ts'
import type { ListenToken, ListenTokenPage, MintedListenToken } from '../../server/http/settings/listen-schemas.ts'
import type {
  Acceptance,
  EndedSessions,
  InvitationLink,
  LinkToken,
  MemberList,
  NewMemberInvitation,
  OpenInvitation,
  PasswordGiven,
  PasswordReset,
  RecoveryCodes,
  ResetLink,
  ResetRequest,
  RoleChange,
  SecondFactorStart,
  Security,
  SessionList,
  SignInOptions,
} from '../../server/http/settings/member-schemas.ts'
import type { NotificationSettings, TestMessageRequest } from '../../server/http/settings/notification-schemas.ts'
import type { RequestPage, RequestQuery } from '../../server/http/settings/request-schemas.ts'
import type {
  Activation,
  ActivityPage,
  ChangedSecret,
  CodeNeeded,
  Credentials,
  CurrentPace,
  CurrentWebhook,
  EnteredCode,
  Key,
  KeyChange,
  KeyPage,
  KeyRotation,
  MintedKey,
  NewKey,
  PaceRequest,
  PasswordChange,
  SavedWebhook,
  SecretRequest,
  Session,
  SwitchedWebhook,
  WebhookRequest,
} from '../../server/http/settings/schemas.ts'
import type {
  CurrentSignOn,
  NewSignOn,
  SignOnRedirect,
  SignOnStart,
} from '../../server/http/settings/signon-schemas.ts'
import { reportFailure, reportResponse } from './connection.ts'

/** An error response, or status 0 if there was none. The message is the server's own. */
export class ApiError extends Error {
  readonly status: number
  /** Which error it is, if the server named it. */
  readonly code: string | null
  /** The destination check, if that is what failed. */
  readonly preflight: Preflight | null
  /** How the receiver took the prepared secret, if that is what failed. */
  readonly check: SecretCheck | null

  constructor(status: number, message: string, details: ErrorDetails = {}) {
    super(message)
    this.status = status
    this.code = details.code ?? null
    this.preflight = details.preflight ?? null
    this.check = details.check ?? null
  }
}

type ErrorDetails = { code?: string | null; preflight?: Preflight; check?: SecretCheck }

export const api = {
  signIn: (credentials: Credentials) => send<Session | CodeNeeded>('POST', '/sign-in', credentials),
  enterCode: (entered: EnteredCode) => send<Session>('POST', '/sign-in/code', entered),
  startSignOn: (start: SignOnStart) => send<SignOnRedirect>('POST', '/single-sign-on', start),
  signInOptions: () => send<SignInOptions>('GET', '/sign-in'),
  requestReset: (request: ResetRequest) => send<void>('POST', '/password-resets', request),
  resetPassword: (reset: PasswordReset) => send<void>('POST', '/password-reset', reset),
  invitation: (link: LinkToken) => send<OpenInvitation>('POST', '/invitation', link),
  acceptInvitation: (acceptance: Acceptance) => send<void>('POST', '/invitation/acceptance', acceptance),
  signOut: () => send<void>('POST', '/sign-out'),
  session: () => send<Session>('GET', '/session'),
  changePassword: (change: PasswordChange) => send<void>('POST', '/password', change),
  sessions: () => send<SessionList>('GET', '/sessions'),
  endSession: (sessionId: string) => send<void>('DELETE', `/sessions/${encodeURIComponent(sessionId)}`),
  endOtherSessions: () => send<EndedSessions>('DELETE', '/sessions'),
  startSecondFactor: (given: PasswordGiven) => send<SecondFactorStart>('POST', '/second-factor', given),
  confirmSecondFactor: (entered: EnteredCode) => send<void>('POST', '/second-factor/confirmation', entered),
  renewRecoveryCodes: (given: PasswordGiven) => send<RecoveryCodes>('POST', '/second-factor/recovery-codes', given),
  endSecondFactor: (given: PasswordGiven) => send<void>('POST', '/second-factor/removal', given),

  members: (organizationId: string) => send<MemberList>('GET', at(organizationId, '/members')),
  changeRole: (organizationId: string, memberId: string, change: RoleChange) =>
    send<void>('PATCH', memberAt(organizationId, memberId), change),
  removeMember: (organizationId: string, memberId: string) => send<void>('DELETE', memberAt(organizationId, memberId)),
  signOutMember: (organizationId: string, memberId: string) =>
    send<EndedSessions>('POST', memberAt(organizationId, memberId, '/sign-out')),
  createResetLink: (organizationId: string, memberId: string) =>
    send<ResetLink>('POST', memberAt(organizationId, memberId, '/password-resets')),
  turnOffSecondFactor: (organizationId: string, memberId: string) =>
    send<void>('DELETE', memberAt(organizationId, memberId, '/second-factor')),
  inviteMember: (organizationId: string, invitation: NewMemberInvitation) =>
    send<InvitationLink>('POST', at(organizationId, '/member-invitations'), invitation),
  renewInvitation: (organizationId: string, invitationId: string) =>
    send<InvitationLink>('POST', at(organizationId, `/member-invitations/${encodeURIComponent(invitationId)}/links`)),
  withdrawInvitation: (organizationId: string, invitationId: string) =>
    send<void>('DELETE', at(organizationId, `/member-invitations/${encodeURIComponent(invitationId)}`)),
  security: (organizationId: string) => send<Security>('GET', at(organizationId, '/security')),
  singleSignOn: (organizationId: string) => send<CurrentSignOn>('GET', at(organizationId, '/single-sign-on')),
  saveSingleSignOn: (organizationId: string, wanted: NewSignOn) =>
    send<CurrentSignOn>('PUT', at(organizationId, '/single-sign-on'), wanted),
  removeSingleSignOn: (organizationId: string) => send<void>('DELETE', at(organizationId, '/single-sign-on')),
  saveSecurity: (organizationId: string, security: Security) =>
    send<Security>('PUT', at(organizationId, '/security'), security),

  keys: (organizationId: string, cursor: string | null) =>
    send<KeyPage>('GET', at(organizationId, '/keys', cursor === null ? {} : { cursor })),
  createKey: (organizationId: string, key: NewKey) => send<MintedKey>('POST', at(organizationId, '/keys'), key),
  editKey: (organizationId: string, keyId: string, change: KeyChange) =>
    send<Key>('PATCH', at(organizationId, `/keys/${encodeURIComponent(keyId)}`), change),
  rotateKey: (organizationId: string, keyId: string, rotation: KeyRotation) =>
    send<MintedKey>('POST', at(organizationId, `/keys/${encodeURIComponent(keyId)}/successor`), rotation),
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
  prepareSecret: (organizationId: string, request: SecretRequest) =>
    send<ChangedSecret>('POST', at(organizationId, '/webhook/pending-secret'), request),
  checkSecret: (organizationId: string) =>
    send<SecretCheck>('POST', at(organizationId, '/webhook/pending-secret/checks')),
  activateSecret: (organizationId: string, request: Activation) =>
    send<SwitchedWebhook>('POST', at(organizationId, '/webhook/pending-secret/activation'), request),
  discardSecret: (organizationId: string) =>
    send<SwitchedWebhook>('DELETE', at(organizationId, '/webhook/pending-secret')),
  changePace: (organizationId: string, pace: PaceRequest) =>
    send<SwitchedWebhook>('PUT', at(organizationId, '/webhook/pace'), pace),
  checks: (organizationId: string) => send<ReceiverChecks>('GET', at(organizationId, '/webhook/checks')),
  runCheck: (organizationId: string, name: string) =>
    send<Finding>('POST', at(organizationId, `/webhook/checks/${encodeURIComponent(name)}`)),

  listenTokens: (organizationId: string, cursor: string | null) =>
    send<ListenTokenPage>('GET', at(organizationId, '/listen-tokens', cursor === null ? {} : { cursor })),
  createListenToken: (organizationId: string) => send<MintedListenToken>('POST', at(organizationId, '/listen-tokens')),
  revokeListenToken: (organizationId: string, tokenId: string) =>
    send<ListenToken>('POST', at(organizationId, `/listen-tokens/${encodeURIComponent(tokenId)}/revocation`)),

  deliveries: (organizationId: string, query: DeliveriesQuery) =>
    send<DeliveryPage>('GET', at(organizationId, '/deliveries', query)),
  health: (organizationId: string, query: HealthQuery) =>
    send<DeliveryHealth>('GET', at(organizationId, '/deliveries/health', query)),
  delivery: (organizationId: string, deliveryId: string) =>
    send<DeliveryDetail>('GET', at(organizationId, `/deliveries/${encodeURIComponent(deliveryId)}`)),
  payload: (organizationId: string, deliveryId: string) =>
    send<DeliveryPayload>('GET', at(organizationId, `/deliveries/${encodeURIComponent(deliveryId)}/payload`)),
  retry: (organizationId: string, deliveryId: string) =>
    send<DeliveryRow>('POST', at(organizationId, `/deliveries/${encodeURIComponent(deliveryId)}/retries`)),
  retrySelected: (organizationId: string, ids: string[]) =>
    send<RetriedSelection>('POST', at(organizationId, '/deliveries/retries'), { ids }),
  failedCount: (organizationId: string, filter: FailedFilter) =>
    send<FailedCount>('GET', at(organizationId, '/deliveries/failed-count', filter)),
  startRetryRun: (organizationId: string, filter: FailedFilter) =>
    send<RetryRun>('POST', at(organizationId, '/retry-runs'), filter),
  currentRetryRun: (organizationId: string) => send<CurrentRetryRun>('GET', at(organizationId, '/retry-runs/current')),

  templates: (organizationId: string, query: BrowseFilter) =>
    send<TemplatePage>('GET', at(organizationId, '/templates', query)),
  invitations: (organizationId: string, query: BrowseFilter) =>
    send<InvitationPage>('GET', at(organizationId, '/invitations', query)),
  results: (organizationId: string, query: BrowseFilter) =>
    send<ResultPage>('GET', at(organizationId, '/results', query)),

  requests: (organizationId: string, query: RequestQuery) =>
    send<RequestPage>('GET', at(organizationId, '/requests', query)),

  pace: (organizationId: string) => send<CurrentPace>('GET', at(organizationId, '/pace')),
  alert: (organizationId: string) => send<CurrentAlert>('GET', at(organizationId, '/alert')),

  notifications: (organizationId: string) => send<NotificationSettings>('GET', at(organizationId, '/notifications')),
  setAlertEmails: (organizationId: string, enabled: boolean) =>
    send<NotificationSettings>('PUT', at(organizationId, '/notifications/alert-emails'), { enabled }),
  saveChatWebhook: (organizationId: string, url: string) =>
    send<NotificationSettings>('PUT', at(organizationId, '/notifications/chat-webhook'), { url }),
  removeChatWebhook: (organizationId: string) =>
    send<NotificationSettings>('DELETE', at(organizationId, '/notifications/chat-webhook')),
  sendTestMessage: (organizationId: string, channel: TestMessageRequest['channel']) =>
    send<NotificationSettings>('POST', at(organizationId, '/notifications/test-messages'), { channel }),

  activity: (organizationId: string, cursor: string | null) =>
    send<ActivityPage>('GET', at(organizationId, '/activity', cursor === null ? {} : { cursor })),
}

export function deliveriesExport(organizationId: string, filter: FailedFilter & { status?: string }): string {
  return `/settings/api${at(organizationId, '/deliveries/export.csv', filter)}`
}

export function activityExport(organizationId: string): string {
  return `/settings/api${at(organizationId, '/activity/export.csv')}`
}

/** Where the browser downloads an event from. */
export function eventAddress(organizationId: string, deliveryId: string): string {
  return `/settings/api${at(organizationId, `/deliveries/${encodeURIComponent(deliveryId)}/event.json`)}`
}

/** The page says this once for all requests: see ConnectionStatus. */
export function isOffline(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 0
}

/** The error with this code, if that is the one. */
export function errorOf(error: Error | null, ...codes: string[]): ApiError | null {
  return error instanceof ApiError && error.code !== null && codes.includes(error.code) ? error : null
}

function memberAt(organizationId: string, memberId: string, path = ''): string {
  return at(organizationId, `/members/${encodeURIComponent(memberId)}${path}`)
}

function at(organizationId: string, path: string, query: Record<string, string | number | undefined> = {}): string {
  const params = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  const search = params.length === 0 ? '' : `?${new URLSearchParams(params)}`
  return `/organizations/${encodeURIComponent(organizationId)}${path}${search}`
}

async function send<Body>(method: string, path: string, body?: unknown): Promise<Body> {
  const known = method === 'GET' ? received.get(path) : undefined
  const headers = {
    accept: 'application/json',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(known && { 'if-none-match': known.etag }),
  }
  const request: RequestInit = { method, credentials: 'same-origin', headers }
  if (body !== undefined) request.body = JSON.stringify(body)
  const response = await fetch(`/settings/api${path}`, request).catch(() => {
    reportFailure()
    throw new ApiError(0, 'Can’t reach the service. Check your connection and try again.')
  })
  reportResponse()
  const text = await response.text()
  if (response.status === 304 && known) return JSON.parse(known.text)
  if (!response.ok) throw toApiError(response, text)
  if (method === 'GET') remember(path, response.headers.get('etag'), text)
  // A 204 has no body, and its callers expect none.
  return JSON.parse(text === '' ? 'null' : text)
}

// In memory only: responses must not be stored. Enough for what a page polls.
const received = new Map<string, { etag: string; text: string }>()
const maxReceived = 20

function remember(path: string, etag: string | null, text: string): void {
  received.delete(path)
  if (etag !== null) received.set(path, { etag, text })
  const [oldest] = received.keys()
  if (received.size > maxReceived && oldest !== undefined) received.delete(oldest)
}

export function forgetResponses(): void {
  received.clear()
}

function toApiError(response: Response, text: string): ApiError {
  const body = parseError(text)
  const message = body?.error ?? `The service returned HTTP ${response.status} without an error message.`
  const code = response.headers.get('x-error-code')
  return new ApiError(response.status, message + retryHint(response), {
    code,
    ...(body?.preflight && { preflight: body.preflight }),
    ...(body?.check && { check: body.check }),
  })
}

/** A proxy in front of the service may respond too, and not in JSON. */
function parseError(text: string): { error?: string; preflight?: Preflight; check?: SecretCheck } | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function retryHint(response: Response): string {
  const seconds = Number(response.headers.get('retry-after') ?? 0)
  if (response.status !== 429 || !(seconds > 0)) return ''
  return seconds < 90 ? ` (in ${seconds} seconds)` : ` (in ${Math.ceil(seconds / 60)} minutes)`
}
