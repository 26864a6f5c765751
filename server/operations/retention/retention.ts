import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Queryable } from '../../database/database.ts'
import type { RemovalPosition, RemovalStep } from '../../database/removal.ts'
import { startScheduled } from '../scheduler.ts'

export type RetentionRule = {
  name: string
  /** How long the rows are kept, in words. Null: forever. */
  keptFor: string | null
  everySeconds: number
  step(database: Queryable, position: RemovalPosition, now: Date): Promise<RemovalStep>
}

export type RetentionResult = { name: string; keptFor: string | null; removed: number }

// Lets others use the database between two steps.
const pauseMilliseconds = 20

/** Applies every rule completely and returns how many rows each removed, or would have. */
export async function applyRetention(
  dependencies: { database: Database; rules: readonly RetentionRule[] },
  { remove }: { remove: boolean },
  now: Date,
): Promise<RetentionResult[]> {
  const results: RetentionResult[] = []
  for (const rule of dependencies.rules) {
    const removed = await applyRule(dependencies.database, rule, { remove }, now)
    results.push({ name: rule.name, keptFor: rule.keptFor, removed })
  }
  return results
}

async function applyRule(
  database: Database,
  rule: RetentionRule,
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

/** Applies each rule at its interval, on one process at a time. */
export function startRetention(dependencies: {
  database: Database
  rules: readonly RetentionRule[]
  clock: () => Date
  done: (result: { name: string; removed: number }) => void
  report: (problem: string, error: unknown) => void
}): { stop(): Promise<void> } {
  const { database, rules, clock, done, report } = dependencies
  const scheduled = rules
    .filter(({ keptFor }) => keptFor !== null)
    .map((rule) =>
      startScheduled({
        database,
        report,
        name: `retention of ${rule.name}`,
        intervalSeconds: rule.everySeconds,
        async work(stopping) {
          const removed = await applyRule(database, rule, { remove: true, stopping }, clock())
          if (removed > 0) done({ name: rule.name, removed })
        },
      }),
    )
  return {
    async stop() {
      await Promise.all(scheduled.map((task) => task.stop()))
    },
  }
}
