import type { User } from './library.ts'

export type Session = {
  userId: string
  sessionId: string
  email: string
  name: string
  secondFactor: boolean
  /** Set if it came by single sign-on: it is good for this organization only. */
  organizationId: string | null
  signedInAt: Date
}

export type SignedIn = { outcome: 'signed_in'; user: User; cookies: string[] }

export type ThrottledOutcome = { outcome: 'throttled'; seconds: number }

export type AttemptOutcome<Result> = { outcome: 'right'; result: Result } | { outcome: 'wrong' } | ThrottledOutcome
