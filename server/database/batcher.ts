import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseUnavailable } from './failures.ts'

/**
 * Combines concurrent calls into batches of up to `most`: calls made while a batch runs share the next one.
 * `waitMilliseconds` holds a batch back so others can join; only for calls nobody waits for. `intervalMilliseconds` is
 * the minimum time between the starts of two batches; the first starts right away. If a batch fails, its calls are
 * retried one by one so that only the bad one fails.
 */
export function createBatcher<Input, Output>(
  work: (inputs: Input[]) => Promise<Output[]>,
  {
    most,
    waitMilliseconds = 0,
    intervalMilliseconds = 0,
  }: { most: number; waitMilliseconds?: number; intervalMilliseconds?: number },
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
      if (waiting.length < most) {
        await new Promise((resolve) =>
          waitMilliseconds > 0 ? setTimeout(resolve, waitMilliseconds) : setImmediate(resolve),
        )
      }
      nextAt = performance.now() + intervalMilliseconds
      await runBatch(waiting.splice(0, most))
    }
    working = false
  }

  async function runBatch(calls: Call[]): Promise<void> {
    try {
      const outputs = await work(calls.map(({ input }) => input))
      for (const [index, { resolve, reject }] of calls.entries()) {
        const output = outputs[index]
        if (output === undefined) reject(new Error('A batch returned fewer results than it had calls'))
        else resolve(output)
      }
    } catch (error) {
      if (calls.length === 1 || error instanceof DatabaseUnavailable) for (const { reject } of calls) reject(error)
      else for (const call of calls) await runBatch([call])
    }
  }

  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject })
      if (!working) void drain()
    })
}
