import type { Queryable } from '../../database/database.ts'
import type { RemovalPlace, RemovalStep } from '../../database/removal.ts'
import {
  removeExpiredAttempts,
  removeExpiredLetters,
  removeExpiredRetryRuns,
} from '../../deliveries/expired-deliveries.ts'
import { removeOldCheckWindows } from '../../endpoints/receiver-check.ts'
import { removeExpiredThumbnails } from '../../images/expired-thumbnails.ts'
import { removeOldActivity } from '../../organizations/activity.ts'
import { removeOldRateWindows } from '../../organizations/authenticate.ts'
import { removeExpiredSessions } from '../../organizations/members.ts'
import type { Rule } from './rule.ts'

/** How many days each is kept. Null: for ever. */
export type RetentionDays = { attempts: number | null; images: number | null; activity: number | null }

const hour = 3_600
const day = 24 * hour
const letterDays = 365

/** Each domain removes its own rows; what is decided here is when. */
export function retentionRules({ attempts, images, activity }: RetentionDays): Rule[] {
  const afterDelivery = 'days after delivery'
  return [
    afterDays('attempts', { days: attempts, of: afterDelivery, remove: removeExpiredAttempts }),
    afterDays('images', {
      days: images,
      of: `${afterDelivery}, or after the end of an interview without one`,
      remove: removeExpiredThumbnails,
    }),
    afterDays('activity', { days: activity, remove: removeOldActivity }),
    afterDays('retry runs', { days: activity, remove: removeExpiredRetryRuns }),
    afterDays('dead letters', { days: letterDays, remove: removeExpiredLetters }),
    hourly('sessions', { keptFor: 'until they expire', age: 0, remove: removeExpiredSessions }),
    hourly('rate windows', { keptFor: '1 hour', age: hour, remove: removeOldRateWindows }),
    hourly('check windows', { keptFor: '1 hour', age: hour, remove: removeOldCheckWindows }),
  ]
}

/** Removes what is older than `until`. */
type Remove = (database: Queryable, place: RemovalPlace, until: Date) => Promise<RemovalStep>

function afterDays(
  name: string,
  { days, of = 'days', remove }: { days: number | null; of?: string; remove: Remove },
): Rule {
  if (days === null) return { name, keptFor: null, everySeconds: hour, step: async () => ({ due: 0, next: null }) }
  return hourly(name, { keptFor: `${days} ${of}`, age: days * day, remove })
}

function hourly(name: string, { keptFor, age, remove }: { keptFor: string; age: number; remove: Remove }): Rule {
  return {
    ...{ name, keptFor, everySeconds: hour },
    step: (database, place, now) => remove(database, place, new Date(now.getTime() - age * 1_000)),
  }
}
