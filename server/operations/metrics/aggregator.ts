import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client'
import type { Snapshot } from './metrics.ts'

export type MetricsSource = {
  /** Null if it does not respond in time. */
  read(): Promise<Snapshot | null>
}

export type MetricsAggregator = {
  add(id: number, source: MetricsSource): void
  /** The final values of a process that is about to exit. */
  update(id: number, snapshot: Snapshot): void
  remove(id: number): Promise<void>
  text(): Promise<string>
}

/**
 * Sums the metrics of several processes. The counts of a process stay in the sum after it exits: Prometheus would take a
 * falling sum for a counter reset, and then count everything again.
 */
export function createMetricsAggregator(processes: { serving(): number; deaths(): number }): MetricsAggregator {
  const sources = new Map<number, MetricsSource>()
  const latest = new Map<number, Snapshot>()
  let exited: Snapshot = []
  let removing = Promise.resolve()
  const registry = processRegistry(processes)

  return {
    add: (id, source) => void sources.set(id, source),
    update: (id, snapshot) => void latest.set(id, snapshot),
    remove(id) {
      sources.delete(id)
      const final = latest.get(id)?.filter(({ type }) => cumulativeTypes.has(String(type))) ?? []
      // One at a time, so that a process is always counted exactly once: in `latest` or in `exited`.
      const removed = removing.then(async () => {
        exited = await sum([exited, final])
        latest.delete(id)
      })
      // The next one must not fail with it.
      removing = removed.catch(() => {})
      return removed
    },
    async text() {
      await Promise.all(
        [...sources].map(async ([id, source]) => {
          const snapshot = await source.read()
          if (snapshot && sources.has(id)) latest.set(id, snapshot)
        }),
      )
      const own = await registry.getMetricsAsJSON()
      await removing
      return AggregatorRegistry.aggregate([...latest.values(), exited, own]).metrics()
    },
  }
}

const cumulativeTypes = new Set(['counter', 'histogram'])

function sum(snapshots: Snapshot[]): Promise<Snapshot> {
  return AggregatorRegistry.aggregate(snapshots).getMetricsAsJSON()
}

function processRegistry(processes: { serving(): number; deaths(): number }): Registry {
  const registry = new Registry()
  new Gauge({
    name: 'interview_api_processes',
    help: 'Processes that are serving requests',
    registers: [registry],
    collect() {
      this.set(processes.serving())
    },
  })
  new Counter({
    name: 'interview_api_process_deaths_total',
    help: 'Processes that died unexpectedly',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(processes.deaths())
    },
  })
  return registry
}
