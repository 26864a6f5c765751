import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseUnavailable } from './failures.ts'

const maxSeconds = 30

/** `seconds` never goes back. */
export type Time = { seconds(): number; pause(milliseconds: number): Promise<unknown> }

const realTime: Time = { seconds: () => performance.now() / 1_000, pause }

/** Repeats work while the database is away, for half a minute. `report` gets the first failure. */
export async function waitOutOutage<Result>(
  work: () => Promise<Result>,
  report: (error: unknown) => void,
  time = realTime,
): Promise<Result> {
  const began = time.seconds()
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || time.seconds() - began > maxSeconds) throw error
      if (isFirst) report(error)
      await time.pause(1_000)
    }
  }
}
