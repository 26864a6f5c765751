/**
 * Turns calls that come at the same time into one call for all of them. A call that comes alone is not held up; those
 * that come while one is under way wait for it and then go together, `most` at a time.
 */
export function gathered<Input, Output>(
  work: (inputs: Input[]) => Promise<Output[]>,
  most: number,
): (input: Input) => Promise<Output> {
  type Call = { input: Input; resolve: (output: Output) => void; reject: (error: unknown) => void }
  const waiting: Call[] = []
  let working = false

  async function workOff(): Promise<void> {
    working = true
    while (waiting.length > 0) {
      // What becomes ready in the same turn of the event loop belongs together.
      await new Promise((resolve) => setImmediate(resolve))
      await answer(waiting.splice(0, most))
    }
    working = false
  }

  async function answer(calls: Call[]): Promise<void> {
    try {
      const outputs = await work(calls.map(({ input }) => input))
      for (const [index, { resolve, reject }] of calls.entries()) {
        const output = outputs[index]
        if (output === undefined) reject(new Error('A gathered call was left without an answer'))
        else resolve(output)
      }
    } catch (error) {
      for (const { reject } of calls) reject(error)
    }
  }

  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject })
      if (!working) void workOff()
    })
}
