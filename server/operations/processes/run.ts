import type { Worker } from 'node:cluster'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { serveMetrics } from '../../http/metrics.ts'
import { createMetricsAggregator, type MetricsAggregator } from '../metrics/aggregator.ts'
import type { Snapshot } from '../metrics/metrics.ts'
import type { ChildMessage } from './messages.ts'
import { type Supervisor, type SupervisorLog, send, startSupervisor } from './supervisor.ts'

/** Several processes on one port, with their metrics summed. Null if they do not start. */
export async function runProcesses(config: Config, logger: Logger, onGiveUp: () => void): Promise<Supervisor | null> {
  const { processes: count, stopDelaySeconds, metricsPort: port, metricsHost: host, metricsToken: token } = config
  let supervisor: Supervisor | null = null
  const aggregator = createMetricsAggregator({
    serving: () => supervisor?.children().length ?? 0,
    deaths: () => supervisor?.deaths() ?? 0,
  })
  const metricsServer =
    port === null ? null : await serveMetrics({ text: aggregator.text, token, logger }, { host, port })
  supervisor = await startSupervisor({
    count,
    stopDelaySeconds,
    logger,
    onGiveUp,
    onStart: (child) => connectMetrics(child, aggregator, logger),
  })
  if (supervisor === null) return null
  const { stop } = supervisor
  return {
    ...supervisor,
    async stop() {
      await stop()
      await metricsServer?.close()
    },
  }
}

const metricsTimeout = 2_000

/** Metrics that can't be read must not end the supervisor, and the processes with it. */
export function connectMetrics(
  child: Worker,
  aggregator: MetricsAggregator,
  logger: Pick<SupervisorLog, 'error'>,
): void {
  const report = (error: unknown) => logger.error({ err: error }, 'could not read the metrics')
  const waiting = new Map<number, (snapshot: Snapshot | null) => void>()
  let requests = 0

  child.on('message', (message: ChildMessage) => {
    if (message.type === 'metrics') waiting.get(message.requestId)?.(message.snapshot)
    if (message.type === 'final-metrics') aggregator.update(child.id, message.snapshot)
    if (message.type === 'get-all-metrics') {
      const reply = (text: string | null) => send(child, { type: 'all-metrics', requestId: message.requestId, text })
      aggregator.text().then(reply, (error) => {
        report(error)
        reply(null)
      })
    }
  })
  // Not 'exit', which may fire before the child's last messages are read.
  child.once('disconnect', () => void aggregator.remove(child.id).catch(report))

  aggregator.add(child.id, {
    read() {
      const requestId = ++requests
      const { promise, resolve } = Promise.withResolvers<Snapshot | null>()
      const timer = setTimeout(() => resolve(null), metricsTimeout)
      waiting.set(requestId, resolve)
      send(child, { type: 'get-metrics', requestId })
      return promise.finally(() => {
        clearTimeout(timer)
        waiting.delete(requestId)
      })
    },
  })
}
