import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { serveMetrics } from '../http/metrics.ts'
import type { Services } from '../services.ts'
import { createBacklogReader } from './metrics/backlog.ts'
import { createMetrics, type Metrics } from './metrics/metrics.ts'
import type { Membership } from './processes/member.ts'
import type { Tracing } from './tracing/tracing.ts'

/** Counts only where somebody can read it. */
export function openMetrics({ metricsPort, metricsToken }: Config, { database }: Services): Metrics | null {
  if (metricsPort === null && metricsToken === null) return null
  return createMetrics({ connections: database.connections, backlog: createBacklogReader(database) })
}

export type MetricsRoutes = {
  /** What the service's own port has to do with it. */
  route: { text(): Promise<string>; token: string } | undefined
  close(): Promise<void>
}

/** Opens the ways to the metrics. Among several processes the keeper opens the port, and knows what all have counted. */
export async function openMetricsRoutes(
  { metricsPort: port, metricsHost: host, metricsToken: token }: Config,
  membership: Membership | null,
  metrics: Metrics | null,
): Promise<MetricsRoutes> {
  const closed = { route: undefined, close: async () => {} }
  if (metrics === null || (port !== null && membership !== null)) return closed
  const text = membership?.allMetrics ?? metrics.text
  if (port !== null) return { ...closed, close: (await serveMetrics({ text, token }, { host, port })).close }
  return token === null ? closed : { ...closed, route: { text, token } }
}

/** The tracing library is large: it is read only where traces are wanted. */
export async function openTracing({ traces }: Config, logger: Logger): Promise<Tracing | undefined> {
  if (traces === null) return undefined
  const { startTracing } = await import('./tracing/tracing.ts')
  return startTracing({ ...traces, report: (problem) => logger.warn(problem) })
}
