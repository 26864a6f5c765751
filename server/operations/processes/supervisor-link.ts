import cluster from 'node:cluster'
import type { Metrics } from '../metrics/metrics.ts'
import type { ChildMessage, SupervisorMessage } from './messages.ts'

export type SupervisorLink = {
  ready(): void
  /** The summed metrics of all processes. */
  allMetrics(): Promise<string>
  /** Hands the final counts to the supervisor. */
  leave(): Promise<void>
}

/** Null for a process without a supervisor. */
export function connectToSupervisor({
  metrics,
  onReplaced,
}: {
  metrics: Metrics | null
  onReplaced: () => void
}): SupervisorLink | null {
  if (!cluster.isWorker) return null
  const waiting = new Map<number, (text: string | null) => void>()
  let requests = 0

  process.on('message', async (message: SupervisorMessage) => {
    if (message.type === 'replaced') onReplaced()
    if (message.type === 'get-metrics' && metrics) {
      const { requestId } = message
      const snapshot = await metrics.snapshot().catch(() => null)
      await send({ type: 'metrics', requestId, snapshot })
    }
    if (message.type === 'all-metrics') {
      waiting.get(message.requestId)?.(message.text)
      waiting.delete(message.requestId)
    }
  })

  return {
    ready: () => void send({ type: 'ready' }),
    async allMetrics() {
      const requestId = ++requests
      const reply = new Promise<string | null>((resolve) => waiting.set(requestId, resolve))
      void send({ type: 'get-all-metrics', requestId })
      const text = await reply
      if (text === null) throw new Error('The supervisor could not read the metrics')
      return text
    },
    async leave() {
      if (metrics) await send({ type: 'final-metrics', snapshot: await metrics.snapshot() })
    },
  }
}

/** Resolves once sent, or if the supervisor is gone, which ends this process anyway. */
function send(message: ChildMessage): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected) process.send?.(message, undefined, undefined, () => resolve())
    else resolve()
  })
}
