import type { ResultCompleted } from './types.ts'

/**
 * Where a receiver stores events. It holds an event from before the response until `onResult` has succeeded, and its
 * result ID for good. With a database, `add` is one insert under a unique key on the result ID.
 */
export type ResultStore = {
  /**
   * Stores the event. True if the caller should process it now: it is new, or processing it failed before. Of several
   * concurrent calls, one gets true. Resolves once the event is safely stored, rejects if it cannot be.
   */
  add(event: ResultCompleted): Promise<boolean>
  /** Processed: keep the ID, delete the event with its image. */
  done(resultId: string): Promise<void>
  /** Processing failed: keep the event. The next `add` or `unfinished` hands it out again. */
  failed(resultId: string): Promise<void>
  /** Hands out the events that are neither done nor being processed: what a failure or a crash left behind. */
  unfinished(): AsyncIterable<ResultCompleted>
  /** Whether the result was ever added. For `reconcile`. */
  has(resultId: string): Promise<boolean>
}
