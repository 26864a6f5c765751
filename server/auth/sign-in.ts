import type { Database } from '../database/database.ts'
import { passwordHashOf, removeExpiredSessionsOf, setPassword } from '../organizations/members.ts'
import { type Device, endOutdatedSession, recordSignIn, recordVisit } from '../organizations/sessions.ts'
import { type Attempt, countAttempt, forgiveAttempts, rememberNetwork } from './attempts.ts'
import type { Challenge, EnteredCode, LibraryDependencies, NewSession } from './library.ts'
import { loadLibrary } from './load-library.ts'
import { hashPassword, matchesPassword, type PasswordFault, passwordFault } from './passwords.ts'
import { claimCode, createSecondFactor } from './second-factor.ts'
import type { AttemptOutcome, Session, SignedIn, ThrottledOutcome } from './sign-in-types.ts'

export type { Session, ThrottledOutcome } from './sign-in-types.ts'

/** How long a session by single sign-on lasts. */
const signOnHours = 12

// Passwords are checked one at a time. Whoever has signed in from their network before waits for no more than these.
const maxStrangers = 10
const busySeconds = 5

export type SignIn = ReturnType<typeof createSignIn>

/** Sign-in to the settings area with an email address, a password and perhaps a code, then with a session cookie. */
export function createSignIn(dependencies: LibraryDependencies & { database: Database; clock: () => Date }) {
  const { database, clock } = dependencies
  // Loaded on the first sign-in: most processes never see one.
  let loading: ReturnType<typeof load> | null = null
  async function load(database: LibraryDependencies['database']) {
    const { createLibrary } = await loadLibrary()
    return createLibrary({ ...dependencies, database })
  }
  const library = () => (loading ??= load(database))

  let strangers = 0

  async function attempt<Result>(who: Attempt, check: () => Promise<Result | null>): Promise<AttemptOutcome<Result>> {
    const decision = await countAttempt(database, who, clock())
    if (!decision.allowed) return { outcome: 'throttled', seconds: decision.seconds }
    if (!decision.isKnown && strangers === maxStrangers) return { outcome: 'throttled', seconds: busySeconds }
    const strangersHere = decision.isKnown ? 0 : 1
    strangers += strangersHere
    const result = await check().finally(() => {
      strangers -= strangersHere
    })
    if (result === null) return { outcome: 'wrong' }
    await forgiveAttempts(database, who)
    return { outcome: 'right', result }
  }

  /**
   * The password may change, or the second factor be turned on, after the library looked at the user. That ends the
   * sessions that exist by then, but this one begins later.
   */
  async function checkPassword(email: string, password: string): Promise<NewSession | Challenge | null> {
    const { signIn } = await library()
    const passwordHash = await passwordHashOf(database, email)
    const result = await signIn(email, password)
    if (!result || 'challenge' in result) return result
    const isOutdated = await endOutdatedSession(database, { token: result.token, passwordHash })
    return isOutdated ? checkPassword(email, password) : result
  }

  async function finish({ user, token, cookies }: NewSession, device: Device): Promise<SignedIn> {
    await rememberNetwork(database, { address: device.address, email: user.email }, clock())
    await removeExpiredSessionsOf(database, user.id)
    await recordSignIn(database, { token, device }, clock())
    return { outcome: 'signed_in', user, cookies }
  }

  return {
    /** Whoever has a second factor enters its code next. */
    async begin({
      email,
      password,
      device,
    }: {
      email: string
      password: string
      device: Device
    }): Promise<SignedIn | { outcome: 'code_needed'; cookies: string[] } | { outcome: 'wrong' } | ThrottledOutcome> {
      const who = { kind: 'password', address: device.address, email } as const
      const attempted = await attempt(who, () => checkPassword(email, password))
      if (attempted.outcome !== 'right') return attempted
      const { result } = attempted
      if ('challenge' in result) return { outcome: 'code_needed', cookies: result.challenge }
      return finish(result, device)
    },

    /** `expired`: the password must be entered again. */
    async enterCode(
      cookie: string | undefined,
      entered: EnteredCode,
      device: Device,
    ): Promise<SignedIn | { outcome: 'wrong' } | { outcome: 'expired' } | ThrottledOutcome> {
      const { challenged, enterCode } = await library()
      const user = cookie === undefined ? null : await challenged(cookie)
      if (cookie === undefined || !user) return { outcome: 'expired' }
      const attempted = await attempt({ kind: 'code', address: device.address, email: user.email }, async () =>
        (await claimCode(database, { userId: user.id, code: entered.code }, clock()))
          ? enterCode(cookie, entered)
          : null,
      )
      if (attempted.outcome === 'right') return finish(attempted.result, device)
      // The library discards a challenge after five wrong codes.
      if (attempted.outcome === 'wrong' && !(await challenged(cookie))) return { outcome: 'expired' }
      return attempted
    },

    secondFactor: createSecondFactor({ database, clock, loadLibrary: load, attempt }),

    /** For someone whom the organization's identity provider vouches for. */
    async startSession(userId: string, organizationId: string, device: Device): Promise<SignedIn> {
      const { startSession } = await library()
      const started = await startSession(userId, organizationId)
      if (!started) throw new Error('The user was removed during the sign-in')
      return finish(started, device)
    },

    /** The cookies are to be sent back: the session may have been renewed or be over. */
    async session(
      cookie: string | undefined,
      address: string,
    ): Promise<{ session: Session | null; cookies: string[] }> {
      if (cookie === undefined) return { session: null, cookies: [] }
      const { session } = await library()
      const { found, cookies } = await session(cookie)
      if (!found) return { session: null, cookies }
      const { id: sessionId, user, lastSeenAt, organizationId } = found
      const now = clock()
      // Whoever is removed at the provider is out by then.
      if (organizationId !== null && now.getTime() - found.createdAt.getTime() >= signOnHours * 3_600_000) {
        return { session: null, cookies: await (await library()).signOut(cookie) }
      }
      if (lastSeenAt === null || now.getTime() - lastSeenAt.getTime() >= 60_000) {
        await recordVisit(database, sessionId, address, now)
      }
      const { id: userId, ...rest } = user
      return { session: { sessionId, userId, organizationId, signedInAt: found.createdAt, ...rest }, cookies }
    },

    /** Returns the cookies that make the browser forget the session. */
    async end(cookie: string): Promise<string[]> {
      const { signOut } = await library()
      return signOut(cookie)
    },

    async changePassword(
      { userId, sessionId, email, name }: Session,
      { current, next, address }: { current: string; next: string; address: string },
    ): Promise<{ outcome: 'changed' | 'wrong' } | { outcome: 'weak'; fault: PasswordFault } | ThrottledOutcome> {
      const fault = passwordFault(next, { email, name })
      if (fault) return { outcome: 'weak', fault }
      const attempted = await attempt({ kind: 'password', address, email }, async () => {
        const hash = await passwordHashOf(database, email)
        return hash !== null && (await matchesPassword(current, hash)) ? true : null
      })
      if (attempted.outcome !== 'right') return attempted
      const passwordHash = await hashPassword(next)
      const change = { userId, email, passwordHash, actor: email, sessionId }
      await database.transaction((transaction) => setPassword(transaction, change, clock()))
      return { outcome: 'changed' }
    },
  }
}
