import type { Database } from '../database/database.ts'
import { eraseDeliveries, eraseSearches } from '../deliveries/erase-deliveries.ts'
import { eraseInterviews, holdCandidate } from '../interviews/erase-interviews.ts'
import { recordActivity } from '../organizations/activity.ts'
import type { DeliveryQueue } from '../queue/queue.ts'

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
  { database, queue }: { database: Database; queue: Pick<DeliveryQueue, 'deadLetters' | 'removeDeadLetters'> },
  candidate: { organizationId: string; email: string; actor: string },
  { rehearsal }: { rehearsal: boolean },
  now: Date,
): Promise<Erased | 'not_found'> {
  const { organizationId, email, actor } = candidate
  try {
    const { erased, deliveryIds } = await database.transaction(async (transaction) => {
      const candidateId = await holdCandidate(transaction, organizationId, email)
      if (candidateId === null) throw new TakenBack('not_found')
      const { resultIds, ...interviews } = await eraseInterviews(transaction, candidateId, now)
      const { deliveryIds, ended, attempts } = await eraseDeliveries(transaction, resultIds, now)
      await eraseSearches(transaction, candidate)
      const activity = { organizationId, actor, action: 'candidate.erased', subject: candidateId } as const
      await recordActivity(transaction, activity, now)
      const results = resultIds.length
      const erased = { candidateId, ...interviews, results, deliveriesEnded: ended, attempts }
      if (rehearsal) throw new TakenBack(erased)
      return { erased, deliveryIds }
    })
    // There is nothing left that a redrive could send.
    const letters = await queue.deadLetters({ deliveryIds, limit: 10_000 })
    await queue.removeDeadLetters(letters.map(({ id }) => id))
    return erased
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
