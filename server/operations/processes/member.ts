import cluster from 'node:cluster'
import type { Metrics } from '../metrics/metrics.ts'
import type { FromMember, ToMember } from './messages.ts'

export type Membership = {
  ready(): void
  /** The metrics of all processes together, as the keeper adds them up. */
  allMetrics(): Promise<string>
  /** Leaves what this process has counted with the keeper. */
  leave(): Promise<void>
}

/** What a process owes its keeper. Null for one that was started by itself. */
export function joinKeeper({
  metrics,
  replaced,
}: {
  metrics: Metrics | null
  replaced: () => void
}): Membership | null {
  if (!cluster.isWorker) return null
  const waiting = new Map<number, (text: string) => void>()
  let questions = 0

  process.on('message', async (message: ToMember) => {
    if (message.type === 'replaced') replaced()
    if (message.type === 'metrics?' && metrics) {
      const { question } = message
      await say({ type: 'metrics', question, snapshot: await metrics.snapshot() })
    }
    if (message.type === 'all metrics') {
      waiting.get(message.question)?.(message.text)
      waiting.delete(message.question)
    }
  })

  return {
    ready: () => void say({ type: 'ready' }),
    allMetrics() {
      const question = ++questions
      const answer = new Promise<string>((resolve) => waiting.set(question, resolve))
      void say({ type: 'all metrics?', question })
      return answer
    },
    async leave() {
      if (metrics) await say({ type: 'last metrics', snapshot: await metrics.snapshot() })
    },
  }
}

/** Resolves when it is on its way; a keeper that is gone ends this process anyway. */
function say(message: FromMember): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected) process.send?.(message, undefined, undefined, () => resolve())
    else resolve()
  })
}
