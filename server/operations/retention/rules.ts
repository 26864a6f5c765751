import { removeOldAttempts, removeOldNetworks } from '../../auth/attempts.ts'
import type { Queryable } from '../../database/database.ts'
import type { RemovalPosition, RemovalStep } from '../../database/removal.ts'
import { removeOldAttemptCounts } from '../../deliveries/attempt-counts.ts'
import { maxHealthDays } from '../../deliveries/delivery-health.ts'
import {
  removeExpiredAttempts,
  removeExpiredLetters,
  removeExpiredRetryRuns,
} from '../../deliveries/expired-deliveries.ts'
import { removeOldCheckWindows } from '../../endpoints/check-window.ts'
import { removeExpiredThumbnails } from '../../images/expired-thumbnails.ts'
import { removeOldSamples } from '../../listeners/listen-samples.ts'
import { removeExpiredListenTokens } from '../../listeners/listen-tokens.ts'
import { removeExpiredMessages } from '../../notifications/outbox.ts'
import { removeOldActivity } from '../../organizations/activity.ts'
import { removeOldRateWindows } from '../../organizations/authenticate.ts'
import { removeOldKeyUsage } from '../../organizations/key-usage.ts'
import { removeOldInvitations } from '../../organizations/member-invitations.ts'
import { removeExpiredSessions } from '../../organizations/members.ts'
import { removeExpiredResets } from '../../organizations/password-resets.ts'
import { removeOldRequests, requestLogDays } from '../../organizations/request-log.ts'
import type { RetentionRule } from './retention.ts'

/** Null: forever. */
export type RetentionDays = { attempts: number | null; images: number | null; activity: number | null }

const hour = 3_600
const day = 24 * hour
const letterDays = 365
const placeDays = 90
const listenTokenDays = 7
const invitationDays = 30

/** Each domain removes its own rows; this only decides when. */
export function retentionRules({ attempts, images, activity }: RetentionDays): RetentionRule[] {
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
    afterDays('attempt counts', { days: maxHealthDays + 1, remove: removeOldAttemptCounts }),
    afterDays('dead letters', { days: letterDays, remove: removeExpiredLetters }),
    afterDays('listen tokens', {
      days: listenTokenDays,
      of: 'days after they expire',
      remove: removeExpiredListenTokens,
    }),
    afterDays('listen samples', { days: 1, of: 'day', remove: removeOldSamples }),
    hourly('sessions', { keptFor: 'until they expire', age: 0, remove: removeExpiredSessions }),
    hourly('password resets', { keptFor: 'until they expire', age: 0, remove: removeExpiredResets }),
    afterDays('member invitations', {
      days: invitationDays,
      of: 'days after they expire',
      remove: removeOldInvitations,
    }),
    hourly('unsent messages', { keptFor: 'until they are too old to send', age: 0, remove: removeExpiredMessages }),
    hourly('sign-in attempts', { keptFor: '1 hour', age: hour, remove: removeOldAttempts }),
    afterDays('sign-in places', { days: placeDays, of: 'days after the last sign-in', remove: removeOldNetworks }),
    hourly('rate windows', { keptFor: '1 hour', age: hour, remove: removeOldRateWindows }),
    afterDays('requests', { days: requestLogDays, remove: removeOldRequests }),
    hourly('key usage', { keptFor: '2 days', age: 2 * day, remove: removeOldKeyUsage }),
    hourly('check windows', { keptFor: '1 hour', age: hour, remove: removeOldCheckWindows }),
  ]
}

/** Removes rows older than `until`. */
type Remove = (database: Queryable, position: RemovalPosition, until: Date) => Promise<RemovalStep>

function afterDays(
  name: string,
  { days, of = 'days', remove }: { days: number | null; of?: string; remove: Remove },
): RetentionRule {
  if (days === null) return { name, keptFor: null, everySeconds: hour, step: async () => ({ due: 0, next: null }) }
  return hourly(name, { keptFor: `${days} ${of}`, age: days * day, remove })
}

function hourly(
  name: string,
  { keptFor, age, remove }: { keptFor: string; age: number; remove: Remove },
): RetentionRule {
  return {
    name,
    keptFor,
    everySeconds: hour,
    step: (database, position, now) => remove(database, position, new Date(now.getTime() - age * 1_000)),
  }
}
