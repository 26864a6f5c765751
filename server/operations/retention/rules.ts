import sql from 'sql-template-tag'
import type { DeliveryQueue } from '../../queue/queue.ts'
import { agedRowsRule } from './aged-rows.ts'
import { attemptsRule } from './attempts.ts'
import { imagesRule } from './images.ts'
import { before, day, hour, type Rule } from './rule.ts'

/** How many days each is kept. Null: for ever. */
export type RetentionDays = { attempts: number | null; images: number | null; activity: number | null }

const minute = 60

export function retentionRules({ days, queue }: { days: RetentionDays; queue: FinishedJobs }): Rule[] {
  const activityKept = days.activity === null ? null : `${days.activity} days`
  const longAgo = (now: Date) => (days.activity === null ? null : before(now, days.activity * day))
  const minuteOf = (time: Date) => Math.floor(time.getTime() / 60_000)
  return [
    attemptsRule(days.attempts),
    imagesRule(days.images),
    agedRowsRule({
      ...{ name: 'activity', table: 'activity', key: 'id', keptFor: activityKept, everySeconds: hour },
      isDue: (now) => longAgo(now) && sql`at <= ${longAgo(now)}`,
    }),
    agedRowsRule({
      ...{ name: 'retry runs', table: 'retry_runs', key: 'id', keptFor: activityKept, everySeconds: hour },
      isDue: (now) => longAgo(now) && sql`finished_at <= ${longAgo(now)}`,
    }),
    agedRowsRule({
      ...{ name: 'sessions', table: 'sessions', key: 'id', keptFor: 'until they expire', everySeconds: hour },
      isDue: (now) => sql`expires_at <= ${now}`,
    }),
    agedRowsRule({
      ...{ name: 'rate windows', table: 'rate_windows', key: 'key_id', keptFor: '1 hour', everySeconds: hour },
      isDue: (now) => sql`minute < ${minuteOf(before(now, hour))}::bigint`,
    }),
    agedRowsRule({
      ...{ name: 'check windows', table: 'check_windows', key: 'organization_id', keptFor: '1 hour' },
      everySeconds: hour,
      isDue: (now) => sql`minute < ${minuteOf(before(now, hour))}::bigint`,
    }),
    finishedJobsRule(queue),
  ]
}

export type FinishedJobs = Pick<DeliveryQueue, 'stepThroughFinished'>

/**
 * Jobs that were given up and have left a dead letter; those that are done go at once. Every minute, for the queue counts
 * all the jobs it holds every few seconds; left to itself it would remove them once a day, all by one statement.
 */
function finishedJobsRule(queue: FinishedJobs): Rule {
  return {
    name: 'jobs',
    keptFor: '1 minute after they end',
    everySeconds: minute,
    step: (_database, { after, remove }, now) =>
      queue.stepThroughFinished({ endedBefore: before(now, minute), after, remove }),
  }
}
