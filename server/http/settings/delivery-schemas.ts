import { resultCompleted } from '../../deliveries/event.ts'
import { type AttemptError, attemptErrors, deliveryStatuses, type FailureReason } from '../../deliveries/outcome.ts'
import type { Phase } from '../../outbound/post.ts'
import { type Schema, type Static, Type } from '../../schema.ts'
import { cursor, limit, numberOrNull, text, textOrNull, time, timeOrNull } from './schemas.ts'

export type { Preflight } from './schemas.ts'

function orNull<Value>(schema: Schema<Value>) {
  return Type.Union([schema, Type.Null()])
}

const errorOrNull = Type.Unsafe<AttemptError | null>({ type: ['string', 'null'] })

const narrowing = {
  /** What the last attempt failed with. */
  error: Type.Optional(Type.Enum([...attemptErrors])),
  from: Type.Optional(time),
  to: Type.Optional(time),
  /** A delivery, result, event or invitation ID, or the start of a candidate's email address or name. */
  search: Type.Optional(text(1, 254)),
}

export const failedFilter = Type.Object(narrowing, { additionalProperties: false })
export type FailedFilter = Static<typeof failedFilter>

export const deliveriesQuery = Type.Object(
  {
    status: Type.Optional(Type.Enum([...deliveryStatuses])),
    ...narrowing,
    limit: Type.Optional(limit),
    cursor: Type.Optional(cursor),
  },
  { additionalProperties: false },
)
export type DeliveriesQuery = Static<typeof deliveriesQuery>

export const deliveryRow = Type.Object({
  id: Type.String(),
  resultId: Type.String(),
  invitationId: Type.String(),
  candidate: Type.Object({ email: Type.String(), firstName: Type.String(), lastName: Type.String() }),
  templateId: Type.String(),
  templateName: Type.String(),
  status: Type.Enum([...deliveryStatuses]),
  failureReason: Type.Unsafe<FailureReason | null>({ type: ['string', 'null'] }),
  lastError: errorOrNull,
  /** The candidate was erased, so there is no event to show or send. */
  erased: Type.Boolean(),
  /** Above 1 after a Retry or redrive. */
  round: Type.Integer(),
  /** Of this round. */
  attempts: Type.Integer(),
  /** Of all rounds. */
  totalAttempts: Type.Integer(),
  createdAt: time,
  updatedAt: time,
  deliveredAt: timeOrNull,
  /** When the next attempt is due; null while none waits. */
  nextAttemptAt: timeOrNull,
})
export type DeliveryRow = Static<typeof deliveryRow>

export const deliveryPage = Type.Object({ data: Type.Array(deliveryRow), nextCursor: textOrNull })
export type DeliveryPage = Static<typeof deliveryPage>

const healthSpans = ['day', 'week', 'month'] as const

/** A span up to now, or a time range of at most 31 days. */
export const healthQuery = Type.Object(
  {
    last: Type.Optional(Type.Enum([...healthSpans])),
    from: Type.Optional(time),
    to: Type.Optional(time),
  },
  { additionalProperties: false },
)
export type HealthQuery = Static<typeof healthQuery>

export const deliveryHealth = Type.Object({
  since: time,
  until: time,
  /** Deliveries opened in this time, by what they are now. */
  delivered: Type.Integer(),
  pending: Type.Integer(),
  /** Those of the pending ones that failed before and are being retried. */
  retrying: Type.Integer(),
  failed: Type.Integer(),
  /** 0 to 1, of the attempts made in this time; null while there is none. */
  successRate: numberOrNull,
  answerMilliseconds: orNull(Type.Object({ p50: Type.Number(), p95: Type.Number() })),
  intervalMinutes: Type.Integer(),
  /** Attempts by outcome, the oldest interval first; `at` is when one begins. */
  buckets: Type.Array(Type.Object({ at: time, delivered: Type.Integer(), failed: Type.Integer() })),
})
export type DeliveryHealth = Static<typeof deliveryHealth>

const attempt = Type.Object({
  /** Counts across rounds. */
  number: Type.Integer(),
  round: Type.Integer(),
  /** Who began the round, by Retry or redrive; null for the first. */
  roundBegunBy: textOrNull,
  startedAt: time,
  /** Null: its worker died before it could record the outcome. */
  finishedAt: timeOrNull,
  address: textOrNull,
  status: numberOrNull,
  error: errorOrNull,
  /** The code behind the error, such as ECONNRESET. */
  code: textOrNull,
  /** The step that failed or ran out of time. */
  phase: Type.Unsafe<Phase | null>({ type: ['string', 'null'] }),
  detail: textOrNull,
  /** The first kilobyte of what the endpoint answered. */
  answer: textOrNull,
  /** Where the request was sent; null if it never left. */
  url: textOrNull,
  /** Response headers as name and value; the values of secrets are not stored. */
  headers: Type.Array(Type.Unsafe<[string, string]>({ type: 'array', items: { type: 'string' } })),
  /** Milliseconds. `firstByte` counts from the moment the request was written; `total` is everything. */
  timing: Type.Object({
    dns: numberOrNull,
    connect: numberOrNull,
    tls: numberOrNull,
    firstByte: numberOrNull,
    total: numberOrNull,
  }),
  /** One sentence on why it failed; null when it did not. */
  explanation: textOrNull,
})
export type DeliveryAttempt = Static<typeof attempt>

export const deliveryDetail = Type.Object({
  ...deliveryRow.properties,
  eventId: Type.String(),
  /** The rounds after the first: who began each, by Retry or redrive. */
  rounds: Type.Array(Type.Object({ round: Type.Integer(), begunBy: Type.String(), begunAt: time })),
  /** Why it has this status and what to do, a sentence each; null unless an attempt failed. */
  failure: orNull(Type.Object({ summary: Type.String(), advice: Type.String() })),
  history: Type.Array(attempt),
})
export type DeliveryDetail = Static<typeof deliveryDetail>

export const deliveryPayload = Type.Object({
  /** Where events are sent now; null without a webhook. */
  url: textOrNull,
  headers: Type.Record(Type.String(), Type.String()),
  /** The event as it is sent, but for the image. */
  body: resultCompleted,
})
export type DeliveryPayload = Static<typeof deliveryPayload>

export const retrySelection = Type.Object(
  { ids: Type.Array(text(1, 64), { minItems: 1, maxItems: 100 }) },
  { additionalProperties: false },
)

/** Deliveries that were not failed are left out. */
export const retriedSelection = Type.Object({ retried: Type.Integer() })
export type RetriedSelection = Static<typeof retriedSelection>

export const exportQuery = Type.Object(
  { status: Type.Optional(Type.Enum([...deliveryStatuses])), ...narrowing },
  { additionalProperties: false },
)

export const failedCount = Type.Object({ count: Type.Integer() })
export type FailedCount = Static<typeof failedCount>

export const retryRun = Type.Object({
  id: Type.String(),
  total: Type.Integer(),
  done: Type.Integer(),
  startedAt: time,
  finishedAt: timeOrNull,
  startedBy: Type.String(),
})
export type RetryRun = Static<typeof retryRun>

export const currentRetryRun = Type.Object({ run: orNull(retryRun) })
export type CurrentRetryRun = Static<typeof currentRetryRun>

/** The endpoint's health. Null: it works, or nothing has been sent to it lately. */
export const currentAlert = Type.Object({
  alert: Type.Union([
    Type.Object({
      state: Type.Literal('failing'),
      since: time,
      lastError: Type.Unsafe<AttemptError>({ type: 'string' }),
      failures: Type.Integer(),
    }),
    Type.Object({ state: Type.Literal('recovered'), at: time }),
    Type.Null(),
  ]),
})
export type CurrentAlert = Static<typeof currentAlert>

export const receiverChecks = Type.Object({
  data: Type.Array(Type.Object({ name: Type.String(), title: Type.String(), expects: Type.String() })),
})
export type ReceiverChecks = Static<typeof receiverChecks>

export const finding = Type.Object({
  name: Type.String(),
  title: Type.String(),
  ok: Type.Boolean(),
  status: numberOrNull,
  milliseconds: Type.Number(),
  detail: Type.String(),
  advice: textOrNull,
})
export type Finding = Static<typeof finding>

/** How the receiver takes samples signed with the prepared secret and with the current one. */
export const secretCheck = Type.Object({ next: finding, current: finding })
export type SecretCheck = Static<typeof secretCheck>

export const refusedActivation = Type.Object({ error: Type.String(), check: Type.Optional(secretCheck) })
