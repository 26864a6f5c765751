import { passwordHashOf, removeExpiredSessionsOf, setPassword } from '../organizations/members.ts'
import { countAttempt, recordSuccess } from './attempts.ts'
import type { LibraryDependencies, User } from './library.ts'
import { hashPassword, matchesPassword, type PasswordFault, passwordFault } from './passwords.ts'

export type Session = { userId: string; sessionId: string; email: string; name: string }

export type ThrottledOutcome = { outcome: 'throttled'; seconds: number }

export type SignIn = ReturnType<typeof createSignIn>

/** Sign-in to the settings area with an email address and a password, then with a session cookie. */
export function createSignIn(dependencies: LibraryDependencies & { clock: () => Date }) {
  const { database, clock } = dependencies
  // Loaded on the first sign-in: most processes never see one.
  let loading: ReturnType<typeof load> | null = null
  async function load() {
    const { createLibrary } = await import('./library.ts')
    return createLibrary(dependencies)
  }
  const library = () => (loading ??= load())

  async function attempt<Result>(
    who: { address: string; email: string },
    check: () => Promise<Result | null>,
  ): Promise<{ outcome: 'right'; result: Result } | { outcome: 'wrong' } | ThrottledOutcome> {
    const decision = await countAttempt(database, who, clock())
    if (!decision.allowed) return { outcome: 'throttled', seconds: decision.seconds }
    const result = await check()
    if (result === null) return { outcome: 'wrong' }
    await recordSuccess(database, who, clock())
    return { outcome: 'right', result }
  }

  return {
    async begin({
      email,
      password,
      address,
    }: {
      email: string
      password: string
      address: string
    }): Promise<{ outcome: 'signed_in'; user: User; cookies: string[] } | { outcome: 'wrong' } | ThrottledOutcome> {
      const { signIn } = await library()
      const attempted = await attempt({ address, email }, () => signIn(email, password))
      if (attempted.outcome !== 'right') return attempted
      const { user, cookies } = attempted.result
      await removeExpiredSessionsOf(database, user.id)
      return { outcome: 'signed_in', user, cookies }
    },

    /** The cookies are to be sent back: the session may have been renewed or be over. */
    async session(cookie: string | undefined): Promise<{ session: Session | null; cookies: string[] }> {
      if (cookie === undefined) return { session: null, cookies: [] }
      const { session } = await library()
      const { found, cookies } = await session(cookie)
      if (!found) return { session: null, cookies }
      const { id: sessionId, user } = found
      return { session: { sessionId, userId: user.id, email: user.email, name: user.name }, cookies }
    },

    /** Returns the cookies that make the browser forget the session. */
    async end(cookie: string): Promise<string[]> {
      const { signOut } = await library()
      return signOut(cookie)
    },

    async changePassword(
      { userId, sessionId, email }: Session,
      { current, next, address }: { current: string; next: string; address: string },
    ): Promise<{ outcome: 'changed' | 'wrong' } | { outcome: 'weak'; fault: PasswordFault } | ThrottledOutcome> {
      const fault = passwordFault(next, { email })
      if (fault) return { outcome: 'weak', fault }
      const attempted = await attempt({ address, email }, async () => {
        const hash = await passwordHashOf(database, userId)
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
