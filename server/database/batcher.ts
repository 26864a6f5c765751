import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseUnavailable } from './failures.ts'

/**
 * Combines concurrent calls into batches of up to `maxSize`: calls made while a batch runs share the next one.
 * `waitMilliseconds` holds a batch back so others can join; only for calls nobody waits for. `restAfter` says, by what a
 * batch returned, how many milliseconds after its start the next one may start. If a batch fails, its calls are retried
 * one by one so that only the bad one fails.
 */
export function createBatcher<Input, Output>(
  work: (inputs: Input[]) => Promise<Output[]>,
  {
    maxSize,
    waitMilliseconds = 0,
    restAfter = () => 0,
  }: { maxSize: number; waitMilliseconds?: number; restAfter?: (outputs: Output[]) => number },
): (input: Input) => Promise<Output> {
  type Call = { input: Input; resolve: (output: Output) => void; reject: (error: unknown) => void }
  const waiting: Call[] = []
  let working = false
  let nextAt = 0

  async function drain(): Promise<void> {
    working = true
    while (waiting.length > 0) {
      const remaining = nextAt - performance.now()
      if (remaining > 0) await pause(remaining)
      // Even without a wait, calls from the same turn of the event loop go together.
      if (waiting.length < maxSize) {
        await new Promise((resolve) =>
          waitMilliseconds > 0 ? setTimeout(resolve, waitMilliseconds) : setImmediate(resolve),
        )
      }
      const startedAt = performance.now()
      nextAt = startedAt + restAfter(await runBatch(waiting.splice(0, maxSize)))
    }
    working = false
  }

  async function runBatch(calls: Call[]): Promise<Output[]> {
    try {
      const outputs = await work(calls.map(({ input }) => input))
      for (const [index, { resolve, reject }] of calls.entries()) {
        const output = outputs[index]
        if (output === undefined) reject(new Error('A batch returned fewer results than it had calls'))
        else resolve(output)
      }
      return outputs
    } catch (error) {
      if (calls.length === 1 || error instanceof DatabaseUnavailable) for (const { reject } of calls) reject(error)
      else for (const call of calls) await runBatch([call])
      return []
    }
  }

  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject })
      if (!working) void drain()
    })
}
