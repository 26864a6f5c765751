import { DatabaseUnavailable } from './failures.ts'

/**
 * Turns calls that come at the same time into one call for all of them, `most` at a time: those that come while one is
 * under way share the next. With `waitMilliseconds` the first gives others that long to join it: only for what nobody is
 * waiting for. Should a batch fail because of one of its members, each is tried by itself, so that only that one fails.
 */
export function createBatcher<Input, Output>(
  work: (inputs: Input[]) => Promise<Output[]>,
  { most, waitMilliseconds = 0 }: { most: number; waitMilliseconds?: number },
): (input: Input) => Promise<Output> {
  type Call = { input: Input; resolve: (output: Output) => void; reject: (error: unknown) => void }
  const waiting: Call[] = []
  let working = false

  async function workOff(): Promise<void> {
    working = true
    while (waiting.length > 0) {
      // What becomes ready in the same turn of the event loop belongs together in any case.
      if (waiting.length < most) {
        await new Promise((resolve) =>
          waitMilliseconds > 0 ? setTimeout(resolve, waitMilliseconds) : setImmediate(resolve),
        )
      }
      await answer(waiting.splice(0, most))
    }
    working = false
  }

  async function answer(calls: Call[]): Promise<void> {
    try {
      const outputs = await work(calls.map(({ input }) => input))
      for (const [index, { resolve, reject }] of calls.entries()) {
        const output = outputs[index]
        if (output === undefined) reject(new Error('A batch left one of its calls without an answer'))
        else resolve(output)
      }
    } catch (error) {
      if (calls.length === 1 || error instanceof DatabaseUnavailable) for (const { reject } of calls) reject(error)
      else for (const call of calls) await answer([call])
    }
  }

  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject })
      if (!working) void workOff()
    })
}
