import type { Logger } from 'pino'
import { startRetryRunner } from '../deliveries/retry-runner.ts'
import { type SweepResult, sweep } from '../deliveries/sweep.ts'
import { type EndpointState, watchEndpoints } from '../endpoints/endpoint-health.ts'
import type { Outbox } from '../notifications/outbox.ts'
import type { Services } from '../services.ts'
import { createAlerts } from '../workflows/alert-members.ts'
import { startRetention } from './retention/retention.ts'
import { retentionRules } from './retention/rules.ts'
import { startScheduled } from './scheduler.ts'

export type MaintenanceObserver = { swept(result: SweepResult): void; endpointChanged(state: EndpointState): void }

/** The scheduled work of a worker. Each task runs on one process at a time. */
export function startMaintenance(
  { database, queue, clock, report, config }: Services,
  { outbox, logger, observer }: { outbox: Outbox; logger: Logger; observer: MaintenanceObserver | null },
): { stop(): Promise<void> } {
  const { sweepIntervalSeconds: intervalSeconds, retryDelaySeconds } = config
  const scheduled = { database, report, intervalSeconds }

  const sweeper = startScheduled({
    ...scheduled,
    name: 'sweep',
    async work() {
      const result = await sweep({ database, queue, retryDelaySeconds })
      logger.debug(result, 'swept')
      observer?.swept(result)
    },
  })
  const retryRunner = startRetryRunner({ database, clock, report, intervalSeconds })
  const announce = createAlerts(outbox)
  const endpointWatch = startScheduled({
    ...scheduled,
    name: 'endpoint health',
    work: () =>
      watchEndpoints({ database, clock, announce, logger, observe: (state) => observer?.endpointChanged(state) }),
  })
  const retention = startRetention({
    database,
    clock,
    report,
    rules: retentionRules(config.retentionDays),
    done: ({ name, removed }) => logger.info({ removed }, `deleted expired ${name}`),
  })
  return {
    async stop() {
      await Promise.all([retention.stop(), endpointWatch.stop(), retryRunner.stop(), sweeper.stop()])
    },
  }
}
