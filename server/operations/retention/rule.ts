import type { Queryable } from '../../database/database.ts'
import type { RemovalPlace, RemovalStep } from '../../database/removal.ts'

/** What is removed when. */
export type Rule = {
  name: string
  /** How long what it removes is kept, in words. Null: for ever. */
  keptFor: string | null
  everySeconds: number
  step(database: Queryable, place: RemovalPlace, now: Date): Promise<RemovalStep>
}
