import type {
  Acceptance,
  EndedSessions,
  LinkToken,
  OpenInvitation,
  PasswordGiven,
  PasswordReset,
  RecoveryCodes,
  ResetRequest,
  SecondFactorStart,
  SessionList,
  SignInOptions,
} from '../../../server/http/settings/member-schemas.ts'
import type {
  CodeNeeded,
  Credentials,
  EnteredCode,
  PasswordChange,
  Session,
} from '../../../server/http/settings/schemas.ts'
import type { SignOnRedirect, SignOnStart } from '../../../server/http/settings/signon-schemas.ts'
import { send } from './request.ts'

/** The visitor: sign-in, password, sessions and second factor. */
export const sessionApi = {
  signIn: (credentials: Credentials) => send<Session | CodeNeeded>('POST', '/sign-in', credentials),
  enterCode: (entered: EnteredCode) => send<Session>('POST', '/sign-in/code', entered),
  startSignOn: (start: SignOnStart) => send<SignOnRedirect>('POST', '/single-sign-on', start),
  signInOptions: () => send<SignInOptions>('GET', '/sign-in'),
  requestReset: (request: ResetRequest) => send<void>('POST', '/password-resets', request),
  resetPassword: (reset: PasswordReset) => send<void>('POST', '/password-reset', reset),
  invitation: (link: LinkToken) => send<OpenInvitation>('POST', '/invitation', link),
  acceptInvitation: (acceptance: Acceptance) => send<void>('POST', '/invitation/acceptance', acceptance),
  signOut: () => send<void>('POST', '/sign-out'),
  session: () => send<Session>('GET', '/session'),
  changePassword: (change: PasswordChange) => send<void>('POST', '/password', change),
  sessions: () => send<SessionList>('GET', '/sessions'),
  endSession: (sessionId: string) => send<void>('DELETE', `/sessions/${encodeURIComponent(sessionId)}`),
  endOtherSessions: () => send<EndedSessions>('DELETE', '/sessions'),
  startSecondFactor: (given: PasswordGiven) => send<SecondFactorStart>('POST', '/second-factor', given),
  confirmSecondFactor: (entered: EnteredCode) => send<void>('POST', '/second-factor/confirmation', entered),
  renewRecoveryCodes: (given: PasswordGiven) => send<RecoveryCodes>('POST', '/second-factor/recovery-codes', given),
  endSecondFactor: (given: PasswordGiven) => send<void>('POST', '/second-factor/removal', given),
}
