import type { ResultCompleted } from './types.ts'

/**
 * Where a receiver keeps what it has got. It holds an event from before the answer until `onResult` is through with it,
 * and its id for good. With a database, `add` is one insert under a unique key on the result id.
 */
export type ResultStore = {
  /**
   * Keeps the event and gives true when it is the caller's to process now: it is new, or its processing has failed. Of
   * several at the same moment one gets true. Resolves only when the event is safe, rejects when it cannot be kept.
   */
  add(event: ResultCompleted): Promise<boolean>
  /** It was processed: the id stays, the event with its image goes. */
  done(resultId: string): Promise<void>
  /** It was not: the event stays, and the next `add` or `unfinished` gives it out again. */
  failed(resultId: string): Promise<void>
  /** What was added and is neither done nor being processed, each for the caller to process: left by a failure or a crash. */
  unfinished(): AsyncIterable<ResultCompleted>
  /** Whether it was ever added: for `reconcile`. */
  has(resultId: string): Promise<boolean>
}
