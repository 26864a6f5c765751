import { passwordHashOf, removeExpiredSessionsOf, setPassword } from '../organizations/members.ts'
import { countAttempt, forgiveAttempt } from './attempts.ts'
import type { LibraryDependencies, User } from './library.ts'
import { hashPassword, isPassword } from './passwords.ts'

export type SignedIn = { userId: string; sessionId: string; email: string; name: string }

export type Throttled = { outcome: 'throttled'; seconds: number }

export type SignIn = ReturnType<typeof createSignIn>

/** How people come into the settings area: with an e-mail address and a password, then with a cookie. */
export function createSignIn(dependencies: LibraryDependencies & { clock: () => Date }) {
  const { database, clock } = dependencies
  // Loaded when the first person comes: most processes never see one.
  let loading: ReturnType<typeof load> | null = null
  async function load() {
    const { createLibrary } = await import('./library.ts')
    return createLibrary(dependencies)
  }
  const library = () => (loading ??= load())

  /** Looks at a password, unless there have been too many wrong ones. */
  async function attempt<Right>(
    who: { address: string; email: string },
    check: () => Promise<Right | null>,
  ): Promise<{ outcome: 'right'; right: Right } | { outcome: 'wrong' } | Throttled> {
    const counted = await countAttempt(database, who, clock())
    if (!counted.allowed) return { outcome: 'throttled', seconds: counted.seconds }
    const right = await check()
    if (right === null) return { outcome: 'wrong' }
    await forgiveAttempt(database, who)
    return { outcome: 'right', right }
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
    }): Promise<{ outcome: 'signed_in'; user: User; cookies: string[] } | { outcome: 'wrong' } | Throttled> {
      const { signIn } = await library()
      const tried = await attempt({ address, email }, () => signIn(email, password))
      if (tried.outcome !== 'right') return tried
      const { user, cookies } = tried.right
      await removeExpiredSessionsOf(database, user.id)
      return { outcome: 'signed_in', user, cookies }
    },

    /** Whose session a cookie is, if it is one that still runs; and the cookies to send back, when it is renewed or over. */
    async session(cookie: string | undefined): Promise<{ signedIn: SignedIn | null; cookies: string[] }> {
      if (cookie === undefined) return { signedIn: null, cookies: [] }
      const { session } = await library()
      const { found, cookies } = await session(cookie)
      if (!found) return { signedIn: null, cookies }
      const { id: sessionId, user } = found
      return { signedIn: { sessionId, userId: user.id, email: user.email, name: user.name }, cookies }
    },

    /** Ends a session. The cookies to send back make the browser forget it. */
    async end(cookie: string): Promise<string[]> {
      const { signOut } = await library()
      return signOut(cookie)
    },

    async changePassword(
      { userId, sessionId, email }: SignedIn,
      { current, next, address }: { current: string; next: string; address: string },
    ): Promise<{ outcome: 'changed' | 'wrong' } | Throttled> {
      const tried = await attempt({ address, email }, async () => {
        const hash = await passwordHashOf(database, userId)
        return hash !== null && (await isPassword(current, hash)) ? true : null
      })
      if (tried.outcome !== 'right') return tried
      const passwordHash = await hashPassword(next)
      const change = { userId, email, passwordHash, actor: email, sessionId }
      await database.transaction((transaction) => setPassword(transaction, change, clock()))
      return { outcome: 'changed' }
    },
  }
}
