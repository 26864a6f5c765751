/**
 * Turns calls that come at the same time into one call for all of them, `most` at a time. With `wait`, the first gives
 * others that many milliseconds to join it: only for what nobody is waiting for at that moment.
 */
export function createBatcher<Input, Output>(
  work: (inputs: Input[]) => Promise<Output[]>,
  { most, wait = () => 0 }: { most: number; wait?: () => number },
): (input: Input) => Promise<Output> {
  type Call = { input: Input; resolve: (output: Output) => void; reject: (error: unknown) => void }
  const waiting: Call[] = []
  let working = false

  async function workOff(): Promise<void> {
    working = true
    while (waiting.length > 0) {
      // What becomes ready in the same turn of the event loop belongs together in any case.
      if (waiting.length < most) {
        const milliseconds = wait()
        await new Promise((resolve) => (milliseconds > 0 ? setTimeout(resolve, milliseconds) : setImmediate(resolve)))
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
        if (output === undefined) reject(new Error('A createBatcher call was left without an answer'))
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
