import type { ResultStore } from './store.ts'
import type { ResultCompleted } from './types.ts'

type Entry = { event: ResultCompleted; running: boolean } | 'done'

/**
 * For trying things out, and for receivers that can afford to lose events: whatever is unprocessed when the process ends
 * is gone. Remembers the last `ids` results and holds at most `unfinished` events of up to 1.4 MB each.
 */
export function createMemoryStore({ ids = 10_000, unfinished: room = 100 } = {}): ResultStore {
  const entries = new Map<string, Entry>()
  const finished = new Set<string>()

  function claim(entry: Entry | undefined): ResultCompleted | null {
    if (entry === undefined || entry === 'done' || entry.running) return null
    entry.running = true
    return entry.event
  }

  return {
    async add(event) {
      const entry = entries.get(event.resultId)
      if (entry !== undefined) return claim(entry) !== null
      // Rejected rather than forgotten: the service sends it again.
      if (entries.size - finished.size >= room) throw new Error('Too many unprocessed events in the memory store.')
      entries.set(event.resultId, { event, running: true })
      return true
    },
    async done(resultId) {
      entries.set(resultId, 'done')
      finished.add(resultId)
      for (const oldest of finished) {
        if (finished.size <= ids) break
        finished.delete(oldest)
        entries.delete(oldest)
      }
    },
    async failed(resultId) {
      const entry = entries.get(resultId)
      if (entry !== undefined && entry !== 'done') entry.running = false
    },
    async *unfinished() {
      for (const resultId of [...entries.keys()]) {
        const event = claim(entries.get(resultId))
        if (event) yield event
      }
    },
    async has(resultId) {
      return entries.has(resultId)
    },
  }
}
