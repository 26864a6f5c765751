import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../database/database.ts'
import { startScheduled } from '../scheduler.ts'
import type { Rule } from './rule.ts'

export type Kept = { name: string; keptFor: string | null; removed: number }

// Between two steps that removed something, whoever waits for the database comes first.
const pauseMilliseconds = 20

/** Follows every rule to its end, and says how much each removed, or would have. */
export async function retain(
  dependencies: { database: Database; rules: readonly Rule[] },
  { remove }: { remove: boolean },
  now: Date,
): Promise<Kept[]> {
  const kept: Kept[] = []
  for (const rule of dependencies.rules) {
    const removed = await follow(dependencies.database, rule, { remove }, now)
    kept.push({ name: rule.name, keptFor: rule.keptFor, removed })
  }
  return kept
}

async function follow(
  database: Database,
  rule: Rule,
  { remove, stopping }: { remove: boolean; stopping?: AbortSignal },
  now: Date,
): Promise<number> {
  let removed = 0
  let after: string | null = null
  do {
    const step = await rule.step(database, { after, remove }, now)
    removed += step.due
    after = step.next
    if (remove && step.due > 0 && after !== null) await sleep(pauseMilliseconds)
  } while (after !== null && !stopping?.aborted)
  return removed
}

/** Follows each rule as often as it wants to be, on one process at a time, until it is stopped. */
export function startRetention(dependencies: {
  database: Database
  rules: readonly Rule[]
  clock: () => Date
  done: (kept: { name: string; removed: number }) => void
  report: (problem: string, error: unknown) => void
}): { stop(): Promise<void> } {
  const { database, rules, clock, done, report } = dependencies
  const followed = rules
    .filter(({ keptFor }) => keptFor !== null)
    .map((rule) =>
      startScheduled({
        ...{ database, report, name: `retention of ${rule.name}`, intervalSeconds: rule.everySeconds },
        async work(stopping) {
          const removed = await follow(database, rule, { remove: true, stopping }, clock())
          if (removed > 0) done({ name: rule.name, removed })
        },
      }),
    )
  return {
    async stop() {
      await Promise.all(followed.map((one) => one.stop()))
    },
  }
}
