import type { Database, Queryable } from '../database/database.ts'
import type { Action } from '../organizations/activity.ts'
import { recordInAll } from '../organizations/members.ts'
import { lockUser } from '../organizations/second-factors.ts'
import { endSessions } from '../organizations/sessions.ts'
import { type Attempt, countOnce } from './attempts.ts'
import type { Library, LibraryDependencies, SecondFactorStart } from './library.ts'
import type { AttemptOutcome, Session } from './sign-in-types.ts'

type Dependencies = {
  database: Database
  clock: () => Date
  loadLibrary(database: LibraryDependencies['database']): Promise<Library>
  attempt<Result>(who: Attempt, check: () => Promise<Result | null>): Promise<AttemptOutcome<Result>>
}

/** Someone at their own account, in their browser. */
export type Owner = { session: Session; cookie: string; address: string }

/** Codes of an authenticator app, asked for after the password. Every change needs the password or a code. */
export function createSecondFactor({ database, clock, loadLibrary, attempt }: Dependencies) {
  /**
   * One change to a user's second factor at a time, in one transaction: a setup must not be replaced while its code is
   * checked, and a crash must not leave half of a change.
   */
  function change<Result>(
    { session: { userId, email } }: Owner,
    action: Action | null,
    make: (library: Library, transaction: Queryable) => Promise<Result | null>,
  ): Promise<Result | null> {
    return database.transaction(async (transaction) => {
      await lockUser(transaction, userId)
      const library = await loadLibrary({
        execute: async (text, values = []) => ({ rows: await transaction.query({ text, values }) }),
      })
      const result = await make(library, transaction)
      if (result !== null && action) await recordInAll(transaction, { userId, email, action }, clock())
      return result
    })
  }

  function withPassword<Result>({ session, address }: Owner, check: () => Promise<Result | null>) {
    return attempt({ kind: 'password', address, email: session.email }, check)
  }

  return {
    /** Not in force until a code was confirmed; starting again replaces what was started before. */
    async start(owner: Owner, password: string): Promise<AttemptOutcome<SecondFactorStart>> {
      return withPassword(owner, () =>
        change(owner, null, ({ startSecondFactor }) => startSecondFactor(owner.cookie, password)),
      )
    },

    /**
     * The session is replaced: the result is its cookies. All others end, because whoever is signed in there has entered no
     * code. Nobody can sign in with this code again.
     */
    async confirm(owner: Owner, code: string): Promise<AttemptOutcome<string[]>> {
      const { userId, email } = owner.session
      return attempt({ kind: 'code', address: owner.address, email }, async () => {
        if (!(await claimCode(database, { userId, code }, clock()))) return null
        return change(owner, null, async (library, transaction) => {
          const cookies = await library.confirmSecondFactor(owner.cookie, code)
          if (!cookies) return null
          await recordInAll(transaction, { userId, email, action: 'member.second_factor_on' }, clock())
          const { found } = await library.session(cookies.map((line) => line.split(';')[0]).join('; '))
          const which = found ? { allBut: found.id } : 'all'
          await endSessions(transaction, { user: { id: userId, email }, which, actor: email }, clock())
          return cookies
        })
      })
    },

    /** The old recovery codes stop working. */
    async renewRecoveryCodes(owner: Owner, password: string): Promise<AttemptOutcome<string[]>> {
      return withPassword(owner, () =>
        change(owner, 'member.recovery_codes_renewed', ({ renewRecoveryCodes }) =>
          renewRecoveryCodes(owner.cookie, password),
        ),
      )
    },

    /** The session is replaced: the result is its cookies. */
    async end(owner: Owner, password: string): Promise<AttemptOutcome<string[]>> {
      return withPassword(owner, () =>
        change(owner, 'member.second_factor_off', ({ endSecondFactor }) => endSecondFactor(owner.cookie, password)),
      )
    },
  }
}

/** False if it was used before: a code that was seen, over a shoulder or by a proxy, must not work again. */
export async function claimCode(
  database: Database,
  { userId, code }: { userId: string; code: string },
  now: Date,
): Promise<boolean> {
  const { allowed } = await countOnce(database, `used code ${userId} ${code}`, 1, now)
  return allowed
}
