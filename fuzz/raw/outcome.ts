import type { ConnectionResult } from './client.ts'
import type { HostileConnection } from './connections.ts'

export type RawFinding = {
  what: string
  /** The connection that reproduces it on its own, if there is one; otherwise one of those that were open. */
  connection: HostileConnection | null
  detail: string
}

export type RawOutcome = {
  connections: number
  /** How often each status was the first response; `none` if there was no response or nobody read it. */
  responses: Map<string, number>
  behaviors: Map<string, number>
  /** The longest block of the event loop by one connection on its own, and the longest with all of them. */
  longestBlockAlone: number
  longestBlock: number
  maxMemoryGrowth: number
  findings: RawFinding[]
}

export const limits = { blockMilliseconds: 50, crowdedBlockMilliseconds: 250, memoryBytes: 200 * 1024 * 1024 }

export type Recorder = {
  outcome: RawOutcome
  connectionEnded(connection: HostileConnection, result: ConnectionResult): void
  /** Reports the same problem with the same kind of connection only once. */
  report(what: string, connection: HostileConnection | null, detail?: string): void
}

export function createRecorder(): Recorder {
  const known = new Set<string>()
  const outcome: RawOutcome = {
    ...{ connections: 0, responses: new Map(), behaviors: new Map(), findings: [] },
    ...{ longestBlock: 0, longestBlockAlone: 0, maxMemoryGrowth: 0 },
  }

  function report(what: string, connection: HostileConnection | null, detail = ''): void {
    const key = `${what.replace(/\d+ ms/, '')} ${connection?.name}`
    if (known.has(key)) return
    known.add(key)
    outcome.findings.push({ what, connection, detail })
  }

  return {
    outcome,
    connectionEnded(connection, { status, serverError }) {
      outcome.connections++
      count(outcome.responses, status === null ? 'none' : String(status))
      count(outcome.behaviors, connection.behavior.kind)
      if (serverError !== null) report(`responded with ${serverError.slice(9, 12)}`, connection, serverError)
    },
    report,
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
