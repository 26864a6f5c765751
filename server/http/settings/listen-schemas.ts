import { type Static, Type } from '../../schema.ts'
import { textOrNull, time, timeOrNull } from './schemas.ts'

export const listenToken = Type.Object({
  id: Type.String(),
  createdBy: Type.String(),
  createdAt: time,
  expiresAt: time,
  lastUsedAt: timeOrNull,
  revokedAt: timeOrNull,
})
export type ListenToken = Static<typeof listenToken>

export const listenTokenPage = Type.Object({
  /** False: listening is turned off on this server. */
  enabled: Type.Boolean(),
  /** What to pass as `--server`. */
  serverUrl: Type.String(),
  data: Type.Array(listenToken),
  nextCursor: textOrNull,
})
export type ListenTokenPage = Static<typeof listenTokenPage>

export const mintedListenToken = Type.Object({
  id: Type.String(),
  token: Type.String(),
  secret: Type.String(),
  expiresAt: time,
})
export type MintedListenToken = Static<typeof mintedListenToken>
