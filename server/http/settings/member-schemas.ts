import { maxPasswordLength, minPasswordLength } from '../../auth/passwords.ts'
import { roles } from '../../organizations/members.ts'
import { type Static, Type } from '../../schema.ts'
import { organizationPath, text, textOrNull, time, timeOrNull } from './schemas.ts'

const role = Type.Enum([...roles])

export const memberPath = Type.Object({ ...organizationPath.properties, memberId: Type.String() })
export const memberInvitationPath = Type.Object({ ...organizationPath.properties, memberInvitationId: Type.String() })
export const sessionPath = Type.Object({ sessionId: Type.String() })

const member = Type.Object({
  id: Type.String(),
  email: Type.String(),
  name: Type.String(),
  role,
  createdAt: time,
  lastSignInAt: timeOrNull,
  secondFactor: Type.Boolean(),
})
export type Member = Static<typeof member>

const memberInvitation = Type.Object({
  id: Type.String(),
  email: Type.String(),
  role,
  invitedBy: Type.String(),
  createdAt: time,
  expiresAt: time,
})
export type MemberInvitation = Static<typeof memberInvitation>

export const memberList = Type.Object({
  data: Type.Array(member),
  invitations: Type.Array(memberInvitation),
  /** Whether links are sent by email instead of shown. */
  mail: Type.Boolean(),
})
export type MemberList = Static<typeof memberList>

export const newMemberInvitation = Type.Object({ email: text(1, 254), role }, { additionalProperties: false })
export type NewMemberInvitation = Static<typeof newMemberInvitation>

/** `url` is shown once, and null where links are sent by email. */
export const invitationLink = Type.Object({ invitation: memberInvitation, url: textOrNull })
export type InvitationLink = Static<typeof invitationLink>

export const roleChange = Type.Object({ role }, { additionalProperties: false })
export type RoleChange = Static<typeof roleChange>

export const resetLink = Type.Object({ email: Type.String(), url: Type.String(), expiresAt: time })
export type ResetLink = Static<typeof resetLink>

export const endedSessions = Type.Object({ ended: Type.Integer() })
export type EndedSessions = Static<typeof endedSessions>

export const sessionList = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Type.String(),
      current: Type.Boolean(),
      createdAt: time,
      lastSeenAt: time,
      address: textOrNull,
      userAgent: textOrNull,
    }),
  ),
})
export type SessionList = Static<typeof sessionList>
export type ListedSession = SessionList['data'][number]

// Second factor

export const passwordGiven = Type.Object({ password: text(1, maxPasswordLength) }, { additionalProperties: false })
export type PasswordGiven = Static<typeof passwordGiven>

/** Shown once. */
export const secondFactorStart = Type.Object({
  /** What the QR code says. */
  uri: Type.String(),
  /** The same for typing. */
  secret: Type.String(),
  recoveryCodes: Type.Array(Type.String()),
})
export type SecondFactorStart = Static<typeof secondFactorStart>

export const recoveryCodes = Type.Object({ recoveryCodes: Type.Array(Type.String()) })
export type RecoveryCodes = Static<typeof recoveryCodes>

export const security = Type.Object({ requiresSecondFactor: Type.Boolean() }, { additionalProperties: false })
export type Security = Static<typeof security>

// For whoever holds a link

const token = text(1, 100)
const newPassword = text(minPasswordLength, maxPasswordLength)

export const signInOptions = Type.Object({
  /** Whether a forgotten password can be reset by email. */
  mail: Type.Boolean(),
})
export type SignInOptions = Static<typeof signInOptions>

export const linkToken = Type.Object({ token }, { additionalProperties: false })
export type LinkToken = Static<typeof linkToken>

export const openInvitation = Type.Object({
  organization: Type.String(),
  email: Type.String(),
  role,
  /** Whether this browser is signed in with the invited address. Says nothing about anyone else's account. */
  signedIn: Type.Boolean(),
})
export type OpenInvitation = Static<typeof openInvitation>

/** Name and password are for someone who has no account yet. */
export const acceptance = Type.Object(
  {
    token,
    account: Type.Optional(
      Type.Object(
        { name: Type.String({ minLength: 1, maxLength: 100, format: 'name' }), password: newPassword },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)
export type Acceptance = Static<typeof acceptance>

export const resetRequest = Type.Object({ email: text(1, 254) }, { additionalProperties: false })
export type ResetRequest = Static<typeof resetRequest>

export const passwordReset = Type.Object({ token, password: newPassword }, { additionalProperties: false })
export type PasswordReset = Static<typeof passwordReset>
