import type { ReceivedMessage } from './sqs-client.ts'

export type Inbox = {
  /** How many messages wait for a slot, without those whose organization is out of turns. */
  size(): number
  messages(): ReceivedMessage[]
  /** False if the organization already has as many messages here as it may. */
  offer(message: ReceivedMessage): boolean
  /** Takes the messages that may run at this time, the oldest first. */
  take(free: number, freeByOrganization: ReadonlyMap<string, number>, now: number): ReceivedMessage[]
  putBack(messages: readonly ReceivedMessage[]): void
  /**
   * Puts back messages of an organization that is out of turns. Returns those there is no room for, in total or for this
   * organization.
   */
  hold(messages: readonly ReceivedMessage[], organizationId: string, until: number): ReceivedMessage[]
  drop(messages: readonly ReceivedMessage[]): void
}

/**
 * Messages that were received and wait for a slot or for a turn. SQS promises no order between message groups and knows
 * nothing of organizations. So a process holds a few messages of each organization, picks by due time among those whose
 * organization has a free slot, and leaves the others in the queue. Those that wait for a turn have room of their own, so
 * that organizations with a slow pace can't keep others from being received.
 */
export function createInbox({ perOrganization, maxHeld }: { perOrganization: number; maxHeld: number }): Inbox {
  /** By delivery: if SQS delivers one again, the later receipt is the valid one. */
  const waiting = new Map<string, ReceivedMessage>()
  const counts = new Map<string, number>()
  /** Until when organizations are out of turns. */
  const heldUntil = new Map<string, number>()

  function countHeld(): number {
    return heldUntil.keys().reduce((sum, organizationId) => sum + (counts.get(organizationId) ?? 0), 0)
  }

  function add(message: ReceivedMessage): void {
    remove(message.deliveryId)
    waiting.set(message.deliveryId, message)
    counts.set(message.organizationId, (counts.get(message.organizationId) ?? 0) + 1)
  }

  function remove(deliveryId: string): void {
    const message = waiting.get(deliveryId)
    if (!message) return
    waiting.delete(deliveryId)
    const left = (counts.get(message.organizationId) ?? 1) - 1
    if (left > 0) counts.set(message.organizationId, left)
    else counts.delete(message.organizationId)
  }

  return {
    size: () => waiting.size - countHeld(),
    messages: () => [...waiting.values()],

    offer(message) {
      const isKnown = waiting.has(message.deliveryId)
      if (!isKnown && (counts.get(message.organizationId) ?? 0) >= perOrganization) return false
      if (!isKnown && heldUntil.has(message.organizationId) && countHeld() >= maxHeld) return false
      add(message)
      return true
    },

    take(free, freeByOrganization, now) {
      const left = new Map(freeByOrganization)
      const taken: ReceivedMessage[] = []
      for (const [organizationId, until] of heldUntil) if (until <= now) heldUntil.delete(organizationId)
      const byDueTime = [...waiting.values()].sort(
        (a, b) => a.dueAt - b.dueAt || (a.deliveryId < b.deliveryId ? -1 : 1),
      )
      for (const message of byDueTime) {
        if (taken.length === free) break
        if (heldUntil.has(message.organizationId)) continue
        const slots = left.get(message.organizationId) ?? perOrganization
        if (slots <= 0) continue
        left.set(message.organizationId, slots - 1)
        taken.push(message)
      }
      for (const { deliveryId } of taken) remove(deliveryId)
      return taken
    },

    putBack(messages) {
      for (const message of messages) if (!waiting.has(message.deliveryId)) add(message)
    },

    hold(messages, organizationId, until) {
      heldUntil.set(organizationId, until)
      const left = perOrganization - (counts.get(organizationId) ?? 0)
      const room = Math.max(0, Math.min(left, maxHeld - countHeld()))
      for (const message of messages.slice(0, room)) if (!waiting.has(message.deliveryId)) add(message)
      return messages.slice(room)
    },

    drop(messages) {
      for (const { deliveryId, receipt } of messages)
        if (waiting.get(deliveryId)?.receipt === receipt) remove(deliveryId)
    },
  }
}
