import type { Database } from '../database/database.ts'
import { eraseDeliveries, eraseRunSearches } from '../deliveries/erase-deliveries.ts'
import { removeThumbnails } from '../images/thumbnail-store.ts'
import { eraseInterviews, holdCandidate } from '../interviews/erase-interviews.ts'
import { eraseActivitySearches, recordActivity } from '../organizations/activity.ts'

export type Erased = {
  candidateId: string
  interviews: number
  cancelled: number
  results: number
  images: number
  deliveriesEnded: number
  attempts: number
}

/**
 * Erases a candidate's personal data, all in one transaction with the line in the activity that tells of it, by the
 * candidate's id alone. A rehearsal does the same and takes it back: its numbers are the real ones.
 */
export async function eraseCandidate(
  database: Database,
  candidate: { organizationId: string; email: string; actor: string },
  { rehearsal }: { rehearsal: boolean },
  now: Date,
): Promise<Erased | 'not_found'> {
  const { organizationId, email, actor } = candidate
  try {
    return await database.transaction(async (transaction) => {
      const candidateId = await holdCandidate(transaction, organizationId, email)
      if (candidateId === null) throw new TakenBack('not_found')
      const { interviewIds, resultIds, cancelled } = await eraseInterviews(transaction, candidateId, now)
      const images = await removeThumbnails(transaction, interviewIds)
      const { ended, attempts } = await eraseDeliveries(transaction, resultIds, now)
      await eraseRunSearches(transaction, candidate)
      await eraseActivitySearches(transaction, candidate)
      const activity = { organizationId, actor, action: 'candidate.erased', subject: candidateId } as const
      await recordActivity(transaction, activity, now)
      const counts = { interviews: interviewIds.length, cancelled, results: resultIds.length, images }
      const erased = { candidateId, ...counts, deliveriesEnded: ended, attempts }
      if (rehearsal) throw new TakenBack(erased)
      return erased
    })
  } catch (error) {
    if (error instanceof TakenBack) return error.outcome
    throw error
  }
}

/** Ends the transaction without a trace. */
class TakenBack extends Error {
  readonly outcome: Erased | 'not_found'
  constructor(outcome: Erased | 'not_found') {
    super('Taken back')
    this.outcome = outcome
  }
}
