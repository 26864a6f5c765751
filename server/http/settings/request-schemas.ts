import { type Static, Type } from '../../schema.ts'
import { cursor, limit, text, textOrNull, time } from './schemas.ts'

export const requestQuery = Type.Object(
  {
    requestId: Type.Optional(text(1, 128)),
    keyId: Type.Optional(text(1, 64)),
    only: Type.Optional(Type.Literal('errors')),
    limit: Type.Optional(limit),
    cursor: Type.Optional(cursor),
  },
  { additionalProperties: false },
)
export type RequestQuery = Static<typeof requestQuery>

export const requestPage = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Type.String(),
      at: time,
      keyId: Type.String(),
      keyLabel: Type.String(),
      method: Type.String(),
      /** `unknown` if there is no such route: the path could hold anything. */
      route: Type.String(),
      status: Type.Integer(),
      error: textOrNull,
      requestId: Type.String(),
      milliseconds: Type.Number(),
    }),
  ),
  nextCursor: textOrNull,
})
export type RequestPage = Static<typeof requestPage>
