import { isId } from '../database/ids.ts'
import { decodeCursor, encodeCursor } from '../database/paging.ts'
import { isSnapshot, type Snapshot } from '../interviews/snapshot.ts'
import { isSampleId } from './listen-samples.ts'

/**
 * How far a listener has got: everything that `seen` sees, and of the batch up to `upTo` everything up to and including
 * `last`. `waiting` are results whose image was not there when their turn came.
 */
export type FeedPosition = {
  seen: Snapshot
  batch: { upTo: Snapshot; last: FeedEntry } | null
  waiting: readonly string[]
}

/** An event by ID: a result, or a sample. `arrived` is the transaction that stored it. */
export type FeedEntry = { arrived: string; id: string }

export const maxWaiting = 16

export function encodePosition({ seen, batch, waiting }: FeedPosition): string {
  const { upTo = '', last: { arrived, id } = { arrived: '', id: '' } } = batch ?? {}
  return encodeCursor([seen, upTo, arrived, id, ...waiting])
}

/** Null for anything that is not one of our positions. */
export function decodePosition(text: string): FeedPosition | null {
  const [seen, upTo, arrived, id, ...waiting] = decodeCursor(text) ?? []
  if (!isSnapshot(seen) || waiting.length > maxWaiting || !waiting.every(isResultId)) return null
  if (upTo === '' && arrived === '' && id === '') return { seen, batch: null, waiting }
  if (!isSnapshot(upTo) || !isTransactionId(arrived) || typeof id !== 'string') return null
  if (!isResultId(id) && !isSampleId(id)) return null
  return { seen, batch: { upTo, last: { arrived, id } }, waiting }
}

function isResultId(value: unknown): value is string {
  return typeof value === 'string' && isId('res', value)
}

function isTransactionId(value: unknown): value is string {
  return typeof value === 'string' && /^[1-9]\d{0,18}$/.test(value)
}
