import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client'
import type { Snapshot } from './metrics.ts'

export type Source = {
  /** What it has counted so far, or null when it does not answer in time. */
  ask(): Promise<Snapshot | null>
}

export type Together = {
  join(id: number, source: Source): void
  /** The last word of a process that is about to leave. */
  remember(id: number, snapshot: Snapshot): void
  leave(id: number): Promise<void>
  text(): Promise<string>
}

/**
 * Adds up what several processes count. What a process has counted stays in the sum after its end: a sum that fell
 * would be taken for counters that began anew, and all of it for an increase.
 */
export function createTogether(processes: { serving(): number; deaths(): number }): Together {
  const sources = new Map<number, Source>()
  const latest = new Map<number, Snapshot>()
  let gone: Snapshot = []
  let leaving = Promise.resolve()
  const own = ownRegistry(processes)

  return {
    join: (id, source) => void sources.set(id, source),
    remember: (id, snapshot) => void latest.set(id, snapshot),
    leave(id) {
      sources.delete(id)
      const last = latest.get(id)?.filter(({ type }) => lasting.has(String(type))) ?? []
      // One after the other, and in the sum at every moment either among the latest or among those gone.
      leaving = leaving.then(async () => {
        gone = await sum([gone, last])
        latest.delete(id)
      })
      return leaving
    },
    async text() {
      await Promise.all(
        [...sources].map(async ([id, source]) => {
          const snapshot = await source.ask()
          if (snapshot && sources.has(id)) latest.set(id, snapshot)
        }),
      )
      const ours = await own.getMetricsAsJSON()
      await leaving
      return AggregatorRegistry.aggregate([...latest.values(), gone, ours]).metrics()
    },
  }
}

const lasting = new Set(['counter', 'histogram'])

function sum(snapshots: Snapshot[]): Promise<Snapshot> {
  return AggregatorRegistry.aggregate(snapshots).getMetricsAsJSON()
}

function ownRegistry(processes: { serving(): number; deaths(): number }): Registry {
  const registry = new Registry()
  new Gauge({
    name: 'interview_api_processes',
    help: 'Processes that serve, of those that PROCESSES asks for',
    registers: [registry],
    collect() {
      this.set(processes.serving())
    },
  })
  new Counter({
    name: 'interview_api_process_deaths_total',
    help: 'Processes that ended without being told to',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(processes.deaths())
    },
  })
  return registry
}
