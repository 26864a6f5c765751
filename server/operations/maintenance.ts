import type { Logger } from 'pino'
import { type EndpointState, startWatchingEndpoints } from '../endpoints/endpoint-health.ts'
import type { Services } from '../services.ts'
import { startRetention } from './retention/retention.ts'
import { retentionRules } from './retention/rules.ts'

/** What a process that delivers does beside it, each on one process at a time: clearing out, and an eye on endpoints. */
export function startMaintenance(
  { database, queue, clock, config }: Services,
  { logger, observe }: { logger: Logger; observe?: (state: EndpointState) => void },
): { stop(): Promise<void> } {
  const report = (problem: string, error: unknown) => logger.error({ err: error }, problem)
  const retention = startRetention({
    ...{ database, clock, report },
    rules: retentionRules({ days: config.retentionDays, queue }),
    done: ({ name, removed }) => logger.info({ removed }, `${name} that are kept no longer were removed`),
  })
  const watching = startWatchingEndpoints({
    ...{ database, clock, logger, report },
    intervalSeconds: config.sweepIntervalSeconds,
    observe: (state) => observe?.(state),
  })
  return {
    async stop() {
      await Promise.all([retention.stop(), watching.stop()])
    },
  }
}
