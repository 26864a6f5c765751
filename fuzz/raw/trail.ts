import type { HostileConnection } from './connections.ts'

/** Who was connected when, for as long as somebody may ask. */
export type Trail = {
  /** Returns what is to be called when it has left. */
  enter(connection: HostileConnection): (port: number | null) => void
  present(): HostileConnection[]
  /** Those who were there at some time between two times of the clock. */
  between(from: number, to: number): HostileConnection[]
  /** The last one that had this port. */
  lastAt(port: number): HostileConnection | null
}

const kept = 2_000

export function createTrail(): Trail {
  const present = new Map<HostileConnection, number>()
  let left: { connection: HostileConnection; from: number; to: number }[] = []
  const byPort = new Map<number, HostileConnection>()
  return {
    enter(connection) {
      const from = Date.now()
      present.set(connection, from)
      return (port) => {
        present.delete(connection)
        left.push({ connection, from, to: Date.now() })
        if (left.length > 2 * kept) left = left.slice(-kept)
        if (port !== null) byPort.set(port, connection)
      }
    },
    present: () => [...present.keys()],
    between: (from, to) => [
      ...left.filter((one) => one.from <= to && one.to >= from).map(({ connection }) => connection),
      ...[...present].filter(([, began]) => began <= to).map(([connection]) => connection),
    ],
    lastAt: (port) => byPort.get(port) ?? null,
  }
}
