import { type Static, Type } from '../../schema.ts'
import { text, timeOrNull } from './schemas.ts'

export const newSignOn = Type.Object(
  {
    issuer: Type.String({ maxLength: 500, format: 'issuer' }),
    clientId: text(1, 200),
    /** Without one, the stored one is kept. */
    clientSecret: Type.Optional(text(1, 500)),
    domain: Type.String({ maxLength: 253, format: 'domain' }),
  },
  { additionalProperties: false },
)
export type NewSignOn = Static<typeof newSignOn>

export const currentSignOn = Type.Object({
  settings: Type.Union([
    Type.Object({
      issuer: Type.String(),
      clientId: Type.String(),
      domain: Type.String(),
      /** Until the operator has confirmed the domain, nobody can sign in this way. */
      domainConfirmedAt: timeOrNull,
    }),
    Type.Null(),
  ]),
  /** To be entered at the provider. */
  redirectUri: Type.String(),
})
export type CurrentSignOn = Static<typeof currentSignOn>

export const signOnStart = Type.Object(
  { email: text(3, 254), next: Type.Optional(text(1, 500)) },
  { additionalProperties: false },
)
export type SignOnStart = Static<typeof signOnStart>

export const signOnRedirect = Type.Object({ url: Type.String() })
export type SignOnRedirect = Static<typeof signOnRedirect>

/** Providers may add parameters of their own. */
export const signOnReturn = Type.Object({
  code: Type.Optional(text(1, 4000)),
  state: Type.Optional(text(1, 200)),
  iss: Type.Optional(text(1, 500)),
})
