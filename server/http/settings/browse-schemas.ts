import type { DeliveryStatus } from '../../deliveries/outcome.ts'
import { interviewStatuses } from '../../interviews/interview-status.ts'
import { type Schema, type Static, Type } from '../../schema.ts'
import { cursor, limit, text, textOrNull, time } from './schemas.ts'

export const browseFilter = Type.Object(
  {
    /** An ID, or the start of a title, an email address or a name. */
    search: Type.Optional(text(1, 254)),
    limit: Type.Optional(limit),
    cursor: Type.Optional(cursor),
  },
  { additionalProperties: false },
)
export type BrowseFilter = Static<typeof browseFilter>

const candidate = Type.Object({ email: Type.String(), firstName: Type.String(), lastName: Type.String() })

const linkedDelivery = {
  deliveryId: textOrNull,
  deliveryStatus: Type.Unsafe<DeliveryStatus | null>({ type: ['string', 'null'] }),
}

export const templatePage = pageOf(
  Type.Object({
    id: Type.String(),
    title: Type.String(),
    description: Type.String(),
    externalPostingId: textOrNull,
    whiteboardEnabled: Type.Boolean(),
    createdAt: time,
    updatedAt: time,
  }),
)
export type TemplatePage = Static<typeof templatePage>

export const invitationPage = pageOf(
  Type.Object({
    id: Type.String(),
    templateId: Type.String(),
    templateName: Type.String(),
    candidate,
    status: Type.Enum([...interviewStatuses]),
    expiresAt: time,
    createdAt: time,
    resultId: textOrNull,
    ...linkedDelivery,
  }),
)
export type InvitationPage = Static<typeof invitationPage>

export const resultPage = pageOf(
  Type.Object({
    id: Type.String(),
    invitationId: Type.String(),
    templateId: Type.String(),
    templateName: Type.String(),
    candidate,
    overallScore: Type.Number(),
    resultUrl: Type.String(),
    completedAt: time,
    ...linkedDelivery,
  }),
)
export type ResultPage = Static<typeof resultPage>

function pageOf<Item extends Schema>(item: Item) {
  return Type.Object({ data: Type.Array(item), nextCursor: textOrNull })
}
