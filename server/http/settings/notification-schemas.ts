import { type Static, Type } from '../../schema.ts'
import { time, timeOrNull } from './schemas.ts'

const problem = Type.Object({
  at: time,
  problem: Type.String(),
  /** The SMTP or HTTP status, if it came to that. */
  status: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
})
export type ChannelProblem = Static<typeof problem>

const status = {
  /** How many messages have not been sent yet. */
  waiting: Type.Integer(),
  sentAt: timeOrNull,
  /** The last problem, even if messages have been sent since. */
  problem: Type.Union([problem, Type.Null()]),
}

export const notificationSettings = Type.Object({
  email: Type.Object({
    /** False if the server has no mail server to send through. */
    configured: Type.Boolean(),
    /** Whether the caller gets alerts by email. */
    alerts: Type.Boolean(),
    ...status,
  }),
  chat: Type.Object({
    /** Only the host of its URL, which works like a password. */
    webhook: Type.Union([Type.Object({ host: Type.String(), updatedAt: time }), Type.Null()]),
    ...status,
  }),
})
export type NotificationSettings = Static<typeof notificationSettings>

export const alertEmailsChoice = Type.Object({ enabled: Type.Boolean() }, { additionalProperties: false })

export const chatWebhookRequest = Type.Object({ url: Type.String() }, { additionalProperties: false })

export const testMessageRequest = Type.Object(
  { channel: Type.Enum(['email', 'chat']) },
  { additionalProperties: false },
)
export type TestMessageRequest = Static<typeof testMessageRequest>
