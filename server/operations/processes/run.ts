import type { Worker } from 'node:cluster'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { serveMetrics } from '../../http/metrics.ts'
import type { Snapshot } from '../metrics/metrics.ts'
import { createTogether, type Together } from '../metrics/together.ts'
import { type Keeper, keepProcesses, tell } from './keeper.ts'
import type { FromMember } from './messages.ts'

/** Several processes on one port, and their metrics as those of one. Null when they do not start. */
export async function runProcesses(config: Config, logger: Logger, givesUp: () => void): Promise<Keeper | null> {
  const { processes: count, metricsPort: port, metricsHost: host, metricsToken: token } = config
  let keeper: Keeper | null = null
  const together = createTogether({
    serving: () => keeper?.members().length ?? 0,
    deaths: () => keeper?.deaths() ?? 0,
  })
  const metricsServer = port === null ? null : await serveMetrics({ text: together.text, token }, { host, port })
  keeper = await keepProcesses({ count, logger, joined: (member) => connect(member, together), givesUp })
  if (keeper === null) return null
  const { stop } = keeper
  return {
    ...keeper,
    async stop() {
      await stop()
      await metricsServer?.close()
    },
  }
}

const patience = 2_000

function connect(member: Worker, together: Together): void {
  const waiting = new Map<number, (snapshot: Snapshot | null) => void>()
  let questions = 0

  member.on('message', async (message: FromMember) => {
    if (message.type === 'metrics') waiting.get(message.question)?.(message.snapshot)
    if (message.type === 'last metrics') together.remember(member.id, message.snapshot)
    if (message.type === 'all metrics?') {
      tell(member, { type: 'all metrics', question: message.question, text: await together.text() })
    }
  })
  // Comes when everything the process has said is read; its end may be seen before that.
  member.once('disconnect', () => void together.leave(member.id))

  together.join(member.id, {
    ask() {
      const question = ++questions
      const { promise, resolve } = Promise.withResolvers<Snapshot | null>()
      const timer = setTimeout(() => resolve(null), patience)
      waiting.set(question, resolve)
      tell(member, { type: 'metrics?', question })
      return promise.finally(() => {
        clearTimeout(timer)
        waiting.delete(question)
      })
    },
  })
}
