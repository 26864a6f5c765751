import type { Database } from '../database/database.ts'
import type { Action } from '../organizations/activity.ts'
import { recordInAll } from '../organizations/members.ts'
import type { Attempt } from './attempts.ts'
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

    /** The session is replaced: the result is its cookies. */
    async confirm(owner: Owner, code: string): Promise<AttemptOutcome<string[]>> {
      const { confirmSecondFactor } = await library()
      const who = { kind: 'code', address: owner.address, email: owner.session.email } as const
      const confirmed = await attempt(who, () => confirmSecondFactor(owner.cookie, code))
      if (confirmed.outcome === 'right') await record(owner, 'member.second_factor_on')
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
