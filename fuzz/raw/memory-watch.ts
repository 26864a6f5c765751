import type { Monitoring } from '../../support/server-monitoring.ts'
import type { HostileConnection } from './connections.ts'
import { limits, type Recorder } from './outcome.ts'
import type { Trail } from './trail.ts'

export type MemoryWatch = {
  hasBaseline(): boolean
  /** Takes the memory the idle server uses now as its normal use. False if the server has exited. */
  setBaseline(): Promise<boolean>
  check(): Promise<void>
  start(): void
  stop(): void
}

/** Reports if the server's memory grows too much compared to when it was idle. */
export function createMemoryWatch(
  { monitoring, trail, recorder }: { monitoring: Monitoring; trail: Trail; recorder: Recorder },
  hasExited: () => boolean,
): MemoryWatch {
  let baseline: number | null = null
  let collectAgainAt = 0
  let reported = false
  let timer: NodeJS.Timeout | undefined

  async function check(): Promise<void> {
    if (baseline === null || hasExited()) return
    const growth = monitoring.state().rss - baseline
    if (growth <= limits.memoryBytes) return grew(growth)
    // It may just not be collected yet. Collecting takes time, so not on every check.
    if (performance.now() < collectAgainAt) return
    collectAgainAt = Number.POSITIVE_INFINITY
    const present = trail.present()
    const used = await monitoring.collect()
    if (used !== null) grew(used - baseline, present)
    collectAgainAt = performance.now() + 3_000
  }

  function grew(bytes: number, present: HostileConnection[] = []): void {
    const { outcome } = recorder
    outcome.maxMemoryGrowth = Math.max(outcome.maxMemoryGrowth, bytes)
    if (bytes <= limits.memoryBytes || reported) return
    reported = true
    const kinds = Map.groupBy(present, ({ name, behavior }) => `${name}, ${behavior.kind}`)
    const largest = [...kinds].toSorted(([, one], [, other]) => other.length - one.length).slice(0, 5)
    const detail = largest.map(([kind, { length }]) => `${length} × ${kind}`).join('\n')
    const example = largest[0]?.[1][0] ?? null
    recorder.report(`memory grew by ${Math.round(bytes / 1024 ** 2)} MB`, example, `Open at that time:\n${detail}`)
  }

  return {
    hasBaseline: () => baseline !== null,
    async setBaseline() {
      baseline = await monitoring.collect()
      return baseline !== null
    },
    check,
    start() {
      clearInterval(timer)
      timer = setInterval(() => void check(), 250)
    },
    stop() {
      clearInterval(timer)
      // The last check always counts, however recent the one before.
      collectAgainAt = 0
    },
  }
}
