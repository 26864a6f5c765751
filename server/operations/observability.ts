import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { serveMetrics } from '../http/metrics.ts'
import type { Services } from '../services.ts'
import { createBacklogReader } from './metrics/backlog.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { SupervisorLink } from './processes/supervisor-link.ts'
import type { Tracing } from './tracing/tracing.ts'

/** Null if the metrics are not exposed anywhere. */
export async function openMetrics(
  { metricsPort, metricsToken }: Config,
  { database }: Services,
): Promise<Metrics | null> {
  if (metricsPort === null && metricsToken === null) return null
  const { createMetrics } = await import('./metrics/metrics.ts')
  return createMetrics({ connections: database.connections, backlog: createBacklogReader(database) })
}

export type MetricsRoutes = {
  /** The route on the main port, if the metrics have no port of their own. */
  route: { text(): Promise<string>; token: string } | undefined
  close(): Promise<void>
}

/** With several processes, the supervisor opens the metrics port and serves the sum. */
export async function openMetricsRoutes(
  { metricsPort: port, metricsHost: host, metricsToken: token }: Config,
  supervisor: SupervisorLink | null,
  metrics: Metrics | null,
  logger: Logger,
): Promise<MetricsRoutes> {
  const none = { route: undefined, close: async () => {} }
  if (metrics === null || (port !== null && supervisor !== null)) return none
  const text = supervisor?.allMetrics ?? metrics.text
  if (port !== null) return { ...none, close: (await serveMetrics({ text, token, logger }, { host, port })).close }
  return token === null ? none : { ...none, route: { text, token } }
}

/** The tracing library is large, so it is only loaded if tracing is on. */
export async function openTracing({ traces }: Config, logger: Logger): Promise<Tracing | undefined> {
  if (traces === null) return undefined
  const { startTracing } = await import('./tracing/tracing.ts')
  return startTracing({ ...traces, report: (problem) => logger.warn(problem) })
}
