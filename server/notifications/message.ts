import type { AttemptError } from '../deliveries/outcome.ts'
import type { EndpointState } from '../endpoints/endpoint-health.ts'

export type Channel = 'email' | 'chat'

/** How long any channel may take to send one message. */
export const maxSendSeconds = 330

export type EndpointAlertValues = {
  organization: string
  organizationId: string
  state: EndpointState
  /** The endpoint's host. The rest of its URL may contain a token. */
  host: string
  /** The host that failed. After a recovery, the endpoint may have another one. */
  failedHost: string
  since: string
  lastError: AttemptError
  failures: number
}

/** What each kind of message says. Never anything about a candidate. */
export type MessageValues = {
  invitation: { organization: string; invitedBy: string; link: string; expiresAt: string }
  password_reset: { link: string; expiresAt: string }
  endpoint_alert: EndpointAlertValues
  /** Null: from an operator, about the server. */
  test: { organization: string | null }
}

export type MessageKind = keyof MessageValues

/** A kind with its values, of any kind or of the given ones. */
export type MessageContent<Kind extends MessageKind = MessageKind> = {
  [K in Kind]: { kind: K; values: MessageValues[K] }
}[Kind]

const minute = 60
const hour = 60 * minute

type Rules = {
  /** An older message is dropped: it would only confuse, or its link no longer works. */
  lifetimeSeconds: number
  /** How many may wait for one recipient, or for one organization if they have many recipients. */
  maxWaiting: number
  limitedBy: 'organization' | 'recipient'
  /** Whether they go out one after the other: an endpoint must not fail after it has recovered. */
  inOrder: boolean
}

export const messageRules: Record<MessageKind, Rules> = {
  invitation: { lifetimeSeconds: 72 * hour, maxWaiting: 200, limitedBy: 'organization', inOrder: false },
  password_reset: { lifetimeSeconds: hour, maxWaiting: 3, limitedBy: 'recipient', inOrder: false },
  endpoint_alert: { lifetimeSeconds: 24 * hour, maxWaiting: 20, limitedBy: 'recipient', inOrder: true },
  test: { lifetimeSeconds: 15 * minute, maxWaiting: 5, limitedBy: 'recipient', inOrder: false },
}
