import type { Database } from '../../database/database.ts'
import { countCheck } from '../../endpoints/check-window.ts'
import { Refusal } from '../errors.ts'
import type { MemberCaller } from './admission.ts'

/** What reaches out to an address that an admin names must not become a prober of other people's hosts. */
export async function admitCheck(database: Database, { organizationId }: MemberCaller): Promise<void> {
  const window = await countCheck(database, organizationId)
  if (!window.allowed) throw tooManyChecks(window)
}

export function tooManyChecks({ secondsToReset }: { secondsToReset: number }): Refusal {
  return new Refusal('too_many_checks', { headers: { 'retry-after': String(secondsToReset) } })
}
