import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseUnavailable } from './failures.ts'

/**
 * How far apart batches start. Processes that share a machine get fewer calls each, so they wait twice as long: otherwise the
 * database would run twice as many statements for the same load.
 */
export function spacing(milliseconds: number, processes = 1): number {
  return processes > 1 ? 2 * milliseconds : milliseconds
}

/**
 * Combines concurrent calls into batches of up to `maxSize`: calls made while a batch runs share the next one. Batches that
 * are not full start at least `apartMilliseconds` after one another, so that more calls can join. `restAfter` says, by what
 * a batch returned, how many milliseconds after its start the next one may start, full or not. `work` may answer calls
 * before it returns. If a batch fails, the other calls are retried one by one so that only the bad one fails.
 */
export function createBatcher<Input, Output>(
  work: (inputs: Input[], answer: (index: number, output: Output) => void) => Promise<Output[]>,
  {
    maxSize,
    apartMilliseconds = 0,
    restAfter = () => 0,
  }: { maxSize: number; apartMilliseconds?: number; restAfter?: (outputs: Output[]) => number },
): (input: Input) => Promise<Output> {
  type Call = { input: Input; resolve: (output: Output) => void; reject: (error: unknown) => void }
  const waiting: Call[] = []
  let working = false
  let startedAt = Number.NEGATIVE_INFINITY
  let rest = 0
  let becomeFull: (() => void) | null = null

  async function drain(): Promise<void> {
    working = true
    while (waiting.length > 0) {
      const remaining = startedAt + rest - performance.now()
      if (remaining > 0) await pause(remaining)
      if (waiting.length < maxSize) await untilFull(startedAt + apartMilliseconds - performance.now())
      startedAt = performance.now()
      rest = restAfter(await runBatch(waiting.splice(0, maxSize)))
    }
    working = false
  }

  /** Or until the time is over. Even without any, calls from the same turn of the event loop go together. */
  async function untilFull(milliseconds: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = milliseconds > 0 ? setTimeout(resolve, milliseconds) : undefined
      if (timer === undefined) setImmediate(resolve)
      becomeFull = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    becomeFull = null
  }

  async function runBatch(calls: Call[]): Promise<Output[]> {
    const answered = new Set<number>()
    const answer = (index: number, output: Output) => {
      answered.add(index)
      calls[index]?.resolve(output)
    }
    try {
      const inputs = calls.map(({ input }) => input)
      const outputs = await work(inputs, answer)
      for (const [index, { resolve, reject }] of calls.entries()) {
        const output = outputs[index]
        if (output === undefined) reject(new Error('A batch returned fewer results than it had calls'))
        else resolve(output)
      }
      return outputs
    } catch (error) {
      const unanswered = calls.filter((_, index) => !answered.has(index))
      if (calls.length === 1 || error instanceof DatabaseUnavailable) for (const { reject } of unanswered) reject(error)
      else for (const call of unanswered) await runBatch([call])
      return []
    }
  }

  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject })
      if (waiting.length === maxSize) becomeFull?.()
      if (!working) void drain()
    })
}
