import type { Queryable } from '../../database/database.ts'

/** What is removed when. A rule is followed in steps that are short, wait for nobody and let nobody wait. */
export type Rule = {
  name: string
  /** How long what it removes is kept, in words. Null: for ever. */
  keptFor: string | null
  everySeconds: number
  /** Looks at the next rows in the order of the table's key, and removes those that are due, or only counts them. */
  step(database: Queryable, place: Place, now: Date): Promise<Step>
}

export type Place = {
  /** The key of the last row that was looked at; null before the first. */
  after: string | null
  remove: boolean
}

/** `next` is null when there is nothing more to look at. */
export type Step = { due: number; next: string | null }

export const hour = 3_600
export const day = 24 * hour

export function before(now: Date, seconds: number): Date {
  return new Date(now.getTime() - seconds * 1_000)
}
