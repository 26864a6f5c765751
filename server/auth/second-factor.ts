import type { Database } from '../database/database.ts'
import type { Action } from '../organizations/activity.ts'
import { recordInAll } from '../organizations/members.ts'
import { endSessions } from '../organizations/sessions.ts'
import { type Attempt, countOnce } from './attempts.ts'
import type { createLibrary, SecondFactorStart } from './library.ts'
import type { AttemptOutcome, Session } from './sign-in-types.ts'

type Dependencies = {
  database: Database
  clock: () => Date
  library: () => Promise<ReturnType<typeof createLibrary>>
  attempt<Result>(who: Attempt, check: () => Promise<Result | null>): Promise<AttemptOutcome<Result>>
}

/** Someone at their own account, in their browser. */
export type Owner = { session: Session; cookie: string; address: string }

/** Codes of an authenticator app, asked for after the password. Every change needs the password or a code. */
export function createSecondFactor({ database, clock, library, attempt }: Dependencies) {
  const withPassword = <Result>({ session, address }: Owner, check: () => Promise<Result | null>) =>
    attempt({ kind: 'password', address, email: session.email }, check)

  const record = ({ session: { userId, email } }: Owner, action: Action) =>
    database.transaction((transaction) => recordInAll(transaction, { userId, email, action }, clock()))

  return {
    /** Not in force until a code was confirmed; starting again replaces what was started before. */
    async start(owner: Owner, password: string): Promise<AttemptOutcome<SecondFactorStart>> {
      const { startSecondFactor } = await library()
      return withPassword(owner, () => startSecondFactor(owner.cookie, password))
    },

    /**
     * The session is replaced: the result is its cookies. All others end, because whoever is signed in there has entered no
     * code. Nobody can sign in with this code again.
     */
    async confirm(owner: Owner, code: string): Promise<AttemptOutcome<string[]>> {
      const { confirmSecondFactor, session } = await library()
      const { userId, email } = owner.session
      const confirmed = await attempt({ kind: 'code', address: owner.address, email }, async () =>
        (await claimCode(database, { userId, code }, clock())) ? confirmSecondFactor(owner.cookie, code) : null,
      )
      if (confirmed.outcome !== 'right') return confirmed
      const { found } = await session(confirmed.result.map((line) => line.split(';')[0]).join('; '))
      await database.transaction(async (transaction) => {
        await recordInAll(transaction, { userId, email, action: 'member.second_factor_on' }, clock())
        const which = found ? { allBut: found.id } : 'all'
        await endSessions(transaction, { user: { id: userId, email }, which, actor: email }, clock())
      })
      return confirmed
    },

    /** The old recovery codes stop working. */
    async renewRecoveryCodes(owner: Owner, password: string): Promise<AttemptOutcome<string[]>> {
      const { renewRecoveryCodes } = await library()
      const renewed = await withPassword(owner, () => renewRecoveryCodes(owner.cookie, password))
      if (renewed.outcome === 'right') await record(owner, 'member.recovery_codes_renewed')
      return renewed
    },

    /** The session is replaced: the result is its cookies. */
    async end(owner: Owner, password: string): Promise<AttemptOutcome<string[]>> {
      const { endSecondFactor } = await library()
      const ended = await withPassword(owner, () => endSecondFactor(owner.cookie, password))
      if (ended.outcome === 'right') await record(owner, 'member.second_factor_off')
      return ended
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
