import type { HostileConnection } from './connections.ts'

/** Recent connections and when they were open. */
export type Trail = {
  /** Returns the function to call when it has closed. */
  enter(connection: HostileConnection): (port: number | null) => void
  present(): HostileConnection[]
  /** Those that were open at some time between these two. */
  between(from: number, to: number): HostileConnection[]
  /** The last one with this port. */
  lastAt(port: number): HostileConnection | null
}

const maxRemembered = 2_000

export function createTrail(): Trail {
  const present = new Map<HostileConnection, number>()
  let closed: { connection: HostileConnection; from: number; to: number }[] = []
  const byPort = new Map<number, HostileConnection>()
  return {
    enter(connection) {
      const from = Date.now()
      present.set(connection, from)
      return (port) => {
        present.delete(connection)
        closed.push({ connection, from, to: Date.now() })
        if (closed.length > 2 * maxRemembered) closed = closed.slice(-maxRemembered)
        if (port !== null) byPort.set(port, connection)
      }
    },
    present: () => [...present.keys()],
    between: (from, to) => [
      ...closed.filter((one) => one.from <= to && one.to >= from).map(({ connection }) => connection),
      ...[...present].filter(([, began]) => began <= to).map(([connection]) => connection),
    ],
    lastAt: (port) => byPort.get(port) ?? null,
  }
}
