import type { Database } from '../database/database.ts'
import { eraseDeliveries, eraseRunSearches } from '../deliveries/erase-deliveries.ts'
import { removeThumbnails } from '../images/thumbnail-store.ts'
import { eraseInterviews, lockCandidates } from '../interviews/erase-interviews.ts'
import { eraseActivitySearches, recordActivity } from '../organizations/activity.ts'

export type ErasureResult = {
  candidateId: string
  interviews: number
  cancelled: number
  results: number
  images: number
  deliveriesEnded: number
  attempts: number
}

/**
 * Erases a candidate's personal data, in one transaction with the activity entry, which names only the candidate ID. A
 * dry run does the same and rolls back, so its counts are exact.
 */
export async function eraseCandidate(
  database: Database,
  candidate: { organizationId: string; email: string; actor: string },
  { dryRun }: { dryRun: boolean },
  now: Date,
): Promise<ErasureResult | 'not_found'> {
  const { organizationId, email, actor } = candidate
  try {
    return await database.transaction(async (transaction) => {
      const candidateIds = await lockCandidates(transaction, organizationId, email)
      const [candidateId] = candidateIds
      if (candidateId === undefined) throw new Rollback('not_found')
      const counts = { interviews: 0, cancelled: 0, results: 0, images: 0, deliveriesEnded: 0, attempts: 0 }
      const names: string[] = []
      for (const subject of candidateIds) {
        const { interviewIds, resultIds, cancelled, ...identity } = await eraseInterviews(transaction, subject, now)
        const { ended, attempts } = await eraseDeliveries(transaction, resultIds, now)
        names.push(...identity.names)
        counts.interviews += interviewIds.length
        counts.cancelled += cancelled
        counts.results += resultIds.length
        counts.images += await removeThumbnails(transaction, interviewIds)
        counts.deliveriesEnded += ended
        counts.attempts += attempts
        await recordActivity(transaction, { organizationId, actor, action: 'candidate.erased', subject }, now)
      }
      await eraseRunSearches(transaction, { organizationId, email, names })
      await eraseActivitySearches(transaction, { organizationId, email, names })
      const erased = { candidateId, ...counts }
      if (dryRun) throw new Rollback(erased)
      return erased
    })
  } catch (error) {
    if (error instanceof Rollback) return error.outcome
    throw error
  }
}

class Rollback extends Error {
  readonly outcome: ErasureResult | 'not_found'
  constructor(outcome: ErasureResult | 'not_found') {
    super('Rolled back')
    this.outcome = outcome
  }
}
