import { maxPasswordLength, minPasswordLength } from '../../auth/passwords.ts'
import { actions } from '../../organizations/activity.ts'
import { scopes } from '../../organizations/api-keys.ts'
import { roles } from '../../organizations/members.ts'
import type { Phase } from '../../outbound/post.ts'
import { maxPerSecondLimit } from '../../queue/pace.ts'
import { type Static, Type } from '../../schema.ts'

// The database holds no NUL, and an unpaired surrogate is no character at all.
const wellFormed = '^[^\\u0000\\uD800-\\uDFFF]*$'

export function text(least: number, most: number) {
  return Type.String({ minLength: least, maxLength: most, pattern: wellFormed })
}

/** Not Type.Union: one type list gives one clear error, and the answer is written without trying each form. */
export const textOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'] })
export const time = Type.String({ format: 'date-time' })
export const timeOrNull = textOrNull
export const numberOrNull = Type.Unsafe<number | null>({ type: ['number', 'null'] })

export const maxPageSize = 100
export const limit = Type.Integer({ minimum: 1, maximum: maxPageSize, default: 50 })
export const cursor = Type.String({ maxLength: 512 })

export const organizationPath = Type.Object({ organizationId: Type.String() })

export const pageQuery = Type.Object(
  { limit: Type.Optional(limit), cursor: Type.Optional(cursor) },
  { additionalProperties: false },
)

/** For lists that have no more than a page in most organizations. */
export const fullPageQuery = Type.Object(
  { limit: Type.Optional({ ...limit, default: maxPageSize }), cursor: Type.Optional(cursor) },
  { additionalProperties: false },
)

// Session

const password = text(1, maxPasswordLength)

export const credentials = Type.Object({ email: text(1, 254), password }, { additionalProperties: false })
export type Credentials = Static<typeof credentials>

/** The password was right; a code is needed next. */
export const codeNeeded = Type.Object({ codeNeeded: Type.Boolean() })
export type CodeNeeded = Static<typeof codeNeeded>

/** Of the authenticator app, or a recovery code. */
export const enteredCode = Type.Object({ code: text(1, 30) }, { additionalProperties: false })
export type EnteredCode = Static<typeof enteredCode>

export const passwordChange = Type.Object(
  { current: password, next: text(minPasswordLength, maxPasswordLength) },
  { additionalProperties: false },
)
export type PasswordChange = Static<typeof passwordChange>

export const session = Type.Object({
  user: Type.Object({ email: Type.String(), name: Type.String(), secondFactor: Type.Boolean() }),
  organizations: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      active: Type.Boolean(),
      role: Type.Enum([...roles]),
      /** The organization requires a second factor; until it is set up, nothing else works. */
      secondFactorMissing: Type.Boolean(),
    }),
  ),
  /** Signed in by single sign-on: the account’s password plays no part. */
  singleSignOn: Type.Boolean(),
  /** Where partners reach the API. */
  apiUrl: Type.String(),
})
export type Session = Static<typeof session>

// Keys

const scope = Type.Enum([...scopes])

export const key = Type.Object({
  id: Type.String(),
  label: Type.String(),
  /** Everything before the dot: enough to tell keys apart, useless without the rest. */
  prefix: Type.String(),
  scopes: Type.Array(scope),
  legacy: Type.Boolean(),
  createdBy: Type.String(),
  createdAt: time,
  lastUsedAt: timeOrNull,
  lastUsedAddress: textOrNull,
  expiresAt: timeOrNull,
  revokedAt: timeOrNull,
  /** The key that replaces this one. */
  successorId: textOrNull,
})
export type Key = Static<typeof key>

const listedKey = Type.Object({
  ...key.properties,
  usage: Type.Object({
    thisMinute: Type.Integer(),
    limitPerMinute: Type.Integer(),
    /** The last 24 hours, by the status of the response. */
    lastDay: Type.Array(Type.Object({ status: Type.Integer(), requests: Type.Integer() })),
  }),
})
export type ListedKey = Static<typeof listedKey>

export const keyPage = Type.Object({ data: Type.Array(listedKey), nextCursor: textOrNull })
export type KeyPage = Static<typeof keyPage>

const label = Type.String({ minLength: 1, maxLength: 100, format: 'name' })

export const newKey = Type.Object(
  { label, scopes: Type.Array(scope, { minItems: 1 }), expiresAt: Type.Optional(time) },
  { additionalProperties: false },
)
export type NewKey = Static<typeof newKey>

/** `expiresAt: null` means never. */
export const keyChange = Type.Object(
  { label: Type.Optional(label), expiresAt: Type.Optional(Type.Union([time, Type.Null()])) },
  { additionalProperties: false, minProperties: 1 },
)
export type KeyChange = Static<typeof keyChange>

/** How long the old key still works. */
export const keyRotation = Type.Object({ oldEndsAt: time }, { additionalProperties: false })
export type KeyRotation = Static<typeof keyRotation>

export const mintedKey = Type.Object({
  id: Type.String(),
  key: Type.String(),
  label: Type.String(),
  scopes: Type.Array(scope),
})
export type MintedKey = Static<typeof mintedKey>

// Webhook

const webhook = Type.Object({
  url: Type.String(),
  enabled: Type.Boolean(),
  createdAt: time,
  updatedAt: time,
  /** When the next signing secret was prepared; null while none is. */
  pendingSecretSince: timeOrNull,
  /** The most events a second; null without a limit. */
  maxPerSecond: numberOrNull,
})
export type Webhook = Static<typeof webhook>

const certificate = Type.Object({
  subject: Type.String(),
  issuer: Type.String(),
  validFrom: time,
  validTo: time,
  daysLeft: Type.Integer(),
})

export const preflight = Type.Object({
  ok: Type.Boolean(),
  detail: textOrNull,
  addresses: Type.Array(Type.Object({ address: Type.String(), allowed: Type.Boolean(), reason: textOrNull })),
  /** Null when the guard refused: nothing was connected to. */
  tls: Type.Union([
    Type.Object({
      ok: Type.Boolean(),
      code: textOrNull,
      phase: Type.Unsafe<Phase | null>({ type: ['string', 'null'] }),
      detail: textOrNull,
      protocol: textOrNull,
      certificate: Type.Union([certificate, Type.Null()]),
    }),
    Type.Null(),
  ]),
})
export type Preflight = Static<typeof preflight>

export const preflightRequest = Type.Object({ url: Type.String() }, { additionalProperties: false })

export const currentWebhook = Type.Object({ webhook: Type.Union([webhook, Type.Null()]) })
export type CurrentWebhook = Static<typeof currentWebhook>

export const webhookRequest = Type.Object(
  {
    url: Type.String(),
    secret: Type.Optional(Type.String()),
    /** Save it even if the connection check fails. */
    saveAnyway: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)
export type WebhookRequest = Static<typeof webhookRequest>

const secret = Type.Object({ value: Type.String(), generated: Type.Boolean() })

/** `secret` is null when the stored one was kept: it is never shown again. */
export const savedWebhook = Type.Object({ webhook, secret: Type.Union([secret, Type.Null()]), preflight })
export type SavedWebhook = Static<typeof savedWebhook>

/** The errors that come with the check that failed. */
export const refusedWebhook = Type.Object({ error: Type.String(), preflight })
export type RefusedWebhook = Static<typeof refusedWebhook>

export const webhookSwitch = Type.Object({ enabled: Type.Boolean() }, { additionalProperties: false })

export const switchedWebhook = Type.Object({ webhook })
export type SwitchedWebhook = Static<typeof switchedWebhook>

export const paceRequest = Type.Object(
  { maxPerSecond: Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 1, maximum: maxPerSecondLimit }) },
  { additionalProperties: false },
)
export type PaceRequest = Static<typeof paceRequest>

export const currentPace = Type.Object({
  maxPerSecond: numberOrNull,
  /** The receiver asked for a pause until then; null without one. */
  pausedUntil: timeOrNull,
  /** Events a second right now, also when starting again after a pause; null without a limit. */
  perSecond: numberOrNull,
  /** Pending deliveries, counted up to 10,000, if there is a limit. */
  waiting: Type.Integer(),
})
export type CurrentPace = Static<typeof currentPace>

export const secretRequest = Type.Object({ secret: Type.Optional(Type.String()) }, { additionalProperties: false })
export type SecretRequest = Static<typeof secretRequest>

export const changedSecret = Type.Object({ webhook, secret })
export type ChangedSecret = Static<typeof changedSecret>

/** Which prepared secret is meant, by its `pendingSecretSince`. */
export const preparedSecret = Type.Object({ preparedAt: time }, { additionalProperties: false })
export type PreparedSecret = Static<typeof preparedSecret>

export const activation = Type.Object(
  {
    ...preparedSecret.properties,
    /** Activate it even if the receiver does not accept it. */
    activateAnyway: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)
export type Activation = Static<typeof activation>

// Activity

export const activityPage = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Type.String(),
      at: time,
      actor: Type.String(),
      action: Type.Enum([...actions]),
      subject: Type.String(),
      detail: textOrNull,
      endsAt: timeOrNull,
    }),
  ),
  nextCursor: textOrNull,
})
export type ActivityPage = Static<typeof activityPage>
export type Activity = ActivityPage['data'][number]
