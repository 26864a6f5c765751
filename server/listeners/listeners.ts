import { setTimeout as sleep } from 'node:timers/promises'
import type { Queryable } from '../database/database.ts'
import { createEventImages } from '../images/event-images.ts'
import type { ThumbnailChecker } from '../images/thumbnail-checker.ts'
import type { Snapshot } from '../interviews/snapshot.ts'
import { createBell } from './bell.ts'
import { createEventCopies } from './event-copies.ts'
import { findEnd, findOrganizationsWithNews } from './feed.ts'
import { decodePosition } from './feed-position.ts'
import { type Follower, follow, type Sink } from './follow.ts'
import { findEndedTokens, type ListenerIdentity, noteUse, useNotedEvery } from './listen-authenticator.ts'

export type ListenerLimits = {
  /** Each holds a connection, and up to one event in memory. */
  perProcess: number
  /** In one process. */
  perOrganization: number
  /** How often to look for news, in milliseconds. */
  lookEvery: number
  /** Milliseconds without an event after which a listener gets a heartbeat. */
  keepAlive: number
}

// A heartbeat comes well before the server, or a proxy in front of it, closes a silent connection.
const listenerLimits: ListenerLimits = { perProcess: 50, perOrganization: 5, lookEvery: 500, keepAlive: 15_000 }

export type Listeners = {
  /** Sends events until the listener leaves or must go. `stopping`: this process accepts no listeners anymore. */
  serve(listener: ListenerIdentity, after: string | null, sink: Sink): Promise<'served' | 'too_many' | 'stopping'>
  /** Ends every stream. Listeners come back, to another process, and go on where they were. */
  close(): void
}

// In bytes, for images being built into events. Apart from what deliveries have, which listeners must not slow down.
const imageMemory = { total: 8_000_000, perOrganization: 4_000_000 }

type Look = { organizationIds: ReadonlySet<string>; snapshot: Snapshot }

/**
 * The listeners connected to this process. While there are any, one small statement looks for news of all their
 * organizations, whichever process stored it. Deliveries know nothing of it.
 */
export function createListeners(dependencies: {
  database: Queryable
  checker: ThumbnailChecker
  appUrl: string
  clock: () => Date
  report: (problem: string, error: unknown) => void
  limits?: ListenerLimits | undefined
}): Listeners {
  const { database, checker, appUrl, clock, report, limits = listenerLimits } = dependencies
  const images = createEventImages({ database, checker, memory: imageMemory })
  const copies = createEventCopies({ database, images, appUrl })
  const followers = new Set<Follower>()
  let isLooking = false
  let isClosed = false
  let usesNotedAt = clock().getTime()

  async function serve(listener: ListenerIdentity, after: string | null, sink: Sink) {
    if (isClosed) return 'stopping'
    if (sink.signal.aborted) return 'served'
    if (!hasRoom(listener)) return 'too_many'
    const follower: Follower = { listener, bell: createBell(), sink, ended: null }
    followers.add(follower)
    sink.signal.addEventListener('abort', follower.bell.ring)
    try {
      const given = after === null ? null : decodePosition(after)
      const { end, isKnown } = await findEnd(database, listener.organizationId, given)
      if (!isLooking) void look()
      const position = given && isKnown ? given : end
      const hasLost = after !== null && position === end
      await follow({ database, copies, clock, keepAlive: limits.keepAlive }, follower, { position, hasLost })
      return 'served'
    } finally {
      followers.delete(follower)
    }
  }

  function hasRoom({ organizationId }: ListenerIdentity): boolean {
    const own = [...followers].filter(({ listener }) => listener.organizationId === organizationId)
    return followers.size < limits.perProcess && own.length < limits.perOrganization
  }

  async function look(): Promise<void> {
    isLooking = true
    let last: Look | null = null
    while (followers.size > 0 && !isClosed) {
      try {
        last = await wakeThoseWithNews(last)
        await endThoseWithoutToken()
        await noteThoseListening()
      } catch (error) {
        // A crash or a failover may be over by then, and transaction IDs that were seen given out again: look anew.
        last = null
        report('could not look for events to show to listeners', error)
      }
      await sleep(limits.lookEvery)
    }
    isLooking = false
  }

  async function wakeThoseWithNews(last: Look | null): Promise<Look> {
    const organizationIds = new Set([...followers].map(({ listener }) => listener.organizationId))
    const news = await findOrganizationsWithNews(database, [...organizationIds], last?.snapshot ?? null)
    for (const { listener, bell } of followers) {
      const { organizationId } = listener
      // What came for an organization that the last look left out may have come before its snapshot.
      if (news.organizationIds.has(organizationId) || !last?.organizationIds.has(organizationId)) bell.ring()
    }
    return { organizationIds, snapshot: news.snapshot }
  }

  async function endThoseWithoutToken(): Promise<void> {
    const ids = [...new Set([...followers].map(({ listener }) => listener.tokenId))]
    const ended = await findEndedTokens(database, ids, clock())
    for (const follower of followers) {
      const reason = ended.get(follower.listener.tokenId)
      if (reason === undefined) continue
      follower.ended = reason
      follower.bell.ring()
    }
  }

  /** A listener uses its token for as long as it is connected, not only when it connects. */
  async function noteThoseListening(): Promise<void> {
    const now = clock()
    if (now.getTime() - usesNotedAt < useNotedEvery) return
    usesNotedAt = now.getTime()
    const listening = [...followers].filter(({ ended }) => ended === null)
    await noteUse(database, [...new Set(listening.map(({ listener }) => listener.tokenId))], now)
  }

  return {
    serve,
    close() {
      isClosed = true
      for (const { sink } of followers) sink.close()
    },
  }
}
