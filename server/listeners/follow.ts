import type { Queryable } from '../database/database.ts'
import type { ThumbnailError } from '../images/thumbnail-verdict.ts'
import type { Bell } from './bell.ts'
import type { EventCopies } from './event-copies.ts'
import { entriesPerPage, readFeed } from './feed.ts'
import { encodePosition, type FeedPosition, maxWaiting } from './feed-position.ts'
import type { ListenerIdentity } from './listen-authenticator.ts'

export type EndReason = 'expired' | 'revoked' | 'inactive'

export type ListenerMessage =
  /** `hasLost`: it could not go on where the listener was. */
  | { type: 'ready'; listener: ListenerIdentity; hasLost: boolean; position: string }
  | { type: 'event'; body: Buffer; position: string }
  /** The event can't be sent: for now, if its image can still come, or for good. */
  | { type: 'waiting' | 'skipped'; resultId: string; error: ThumbnailError; detail: string; position: string }
  | { type: 'ended'; reason: EndReason }
  | { type: 'keep_alive' }

export type Sink = {
  /** Resolves once the listener has taken the message, so that only one event per listener is in memory. */
  send(message: ListenerMessage): Promise<void>
  /** Ends the stream. */
  close(): void
  /** Aborted when the stream has ended. */
  signal: AbortSignal
}

export type Follower = { listener: ListenerIdentity; bell: Bell; sink: Sink; ended: EndReason | null }

type FollowDependencies = { database: Queryable; copies: EventCopies; clock: () => Date; keepAlive: number }

/** A little longer than a delivery without a valid image is retried by default. */
const imageMinutes = 10
const imageRetryMilliseconds = 2_000

/** Sends one listener what arrives after a position, until the stream ends. */
export async function follow(
  { database, copies, clock, keepAlive }: FollowDependencies,
  follower: Follower,
  start: { position: FeedPosition; hasLost: boolean },
): Promise<void> {
  const { listener, bell, sink } = follower
  let { position } = start
  let sentAt = performance.now()

  async function send(message: ListenerMessage): Promise<void> {
    await sink.send(message)
    sentAt = performance.now()
  }

  await send({ type: 'ready', listener, hasLost: start.hasLost, position: encodePosition(position) })
  while (isOpen()) {
    await sendNew()
    await sendLate()
    if (!isOpen()) return
    if (follower.ended) {
      await send({ type: 'ended', reason: follower.ended })
      return
    }
    const silence = keepAlive - (performance.now() - sentAt)
    if (silence <= 0) await send({ type: 'keep_alive' })
    else await bell.wait(position.waiting.length > 0 ? Math.min(silence, imageRetryMilliseconds) : silence)
  }

  function isOpen(): boolean {
    return !sink.signal.aborted
  }

  /** A token that ends in the middle of a backlog ends the backlog too. */
  function maySend(): boolean {
    return isOpen() && follower.ended === null
  }

  async function sendNew(): Promise<void> {
    for (let isMore = true; isMore && maySend(); ) {
      const isOldBatch = position.batch !== null
      const { entries, upTo } = await readFeed(database, listener, position)
      const isFull = entries.length === entriesPerPage
      isMore = isFull || isOldBatch
      for (const [index, entry] of entries.entries()) {
        if (!maySend()) return
        const isLast = !isFull && index === entries.length - 1
        const next: FeedPosition = isLast
          ? { seen: upTo, batch: null, waiting: position.waiting }
          : { ...position, batch: { upTo, last: entry } }
        await sendEvent(entry.id, next, { isLate: false })
      }
      if (entries.length === 0) position = { seen: upTo, batch: null, waiting: position.waiting }
    }
  }

  async function sendLate(): Promise<void> {
    for (const id of position.waiting) {
      if (!maySend()) return
      await sendEvent(id, { ...position, waiting: position.waiting.filter((other) => other !== id) }, { isLate: true })
    }
  }

  /** Sends an event and moves on to `next`, or remembers that its image is missing. */
  async function sendEvent(id: string, next: FeedPosition, { isLate }: { isLate: boolean }): Promise<void> {
    const copy = await copies.build(listener, id)
    if (copy === null) {
      position = next
      return
    }
    if (copy.ok) {
      await send({ type: 'event', body: copy.body, position: encodePosition(next) })
      position = next
      return
    }
    const age = clock().getTime() - Date.parse(copy.occurredAt)
    const canWait = age < imageMinutes * 60_000 && next.waiting.length < maxWaiting
    if (canWait && isLate) return
    position = canWait ? { ...next, waiting: [...next.waiting, id] } : next
    const { error, detail } = copy
    const type = canWait ? 'waiting' : 'skipped'
    await send({ type, resultId: id, error, detail, position: encodePosition(position) })
  }
}
