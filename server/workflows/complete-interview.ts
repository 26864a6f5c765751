import type { Database } from '../database/database.ts'
import { deliveryStatement, markNotEnqueued, newDelivery } from '../deliveries/deliveries.ts'
import { type ReportedResult, resultStatement, type StoredResult, weighResult } from '../interviews/result-store.ts'
import type { DeliveryQueue, QueuedDelivery } from '../queue/queue.ts'

export type CompletionDependencies = {
  database: Database
  queue: Pick<DeliveryQueue, 'enqueue'>
  /** Told about what went wrong without failing the caller. */
  report: (problem: string, error: unknown) => void
  tracing?: CompletionTracing | undefined
}

export type CompletionTracing = {
  /** Where the caller stands in its trace, in the form of the header `traceparent`. */
  current(): string | null
  enqueuing<Result>(deliveryId: string, enqueue: () => Promise<Result>): Promise<Result>
}

/**
 * The one place where interviews and webhooks meet: a final result is stored and its delivery opened, in one transaction;
 * then the job is put on the queue. If that fails the caller is not bothered with it: the record is there, and the sweep
 * puts the job on the queue in its place.
 */
export async function completeInterview(
  dependencies: CompletionDependencies,
  interviewId: string,
  result: ReportedResult,
  now: Date,
): Promise<StoredResult> {
  const { database, tracing } = dependencies
  const traceparent = tracing?.current() ?? null
  const { stored, delivery } = await database.transaction(async (transaction) => {
    const weighed = await weighResult(transaction, interviewId, result, now)
    if (weighed.outcome !== 'new') return { stored: weighed, delivery: null }
    const { resultId, token, organizationId } = weighed.result
    const delivery = newDelivery(weighed.result)
    const opening = result.final ? [deliveryStatement(delivery, weighed.result, now, traceparent)] : []
    const [, opened = []] = await transaction.end([resultStatement(weighed.result, now), ...opening])
    const stored = { outcome: 'stored', resultId, token, organizationId, interviewId } as const
    return { stored, delivery: opened.length > 0 ? delivery : null }
  })
  if (delivery) await enqueue(dependencies, delivery, now)
  return stored
}

async function enqueue(
  { database, queue, report, tracing }: CompletionDependencies,
  delivery: QueuedDelivery,
  now: Date,
): Promise<void> {
  const put = () => queue.enqueue(delivery)
  try {
    await (tracing ? tracing.enqueuing(delivery.deliveryId, put) : put())
  } catch (error) {
    report(`delivery ${delivery.deliveryId} could not be enqueued; the sweep will do it`, error)
    // When even this cannot be written, the record is still PENDING, and the sweep takes it for that.
    await markNotEnqueued(database, delivery.deliveryId, now).catch((error) =>
      report(`delivery ${delivery.deliveryId} could not be marked`, error),
    )
  }
}
