import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createThreads, type Threads } from '../../server/interviews/decode-threads.ts'

/** A thread that does what its first byte says, and answers with its last. */
const OBEDIENT = `
  import { parentPort } from 'node:worker_threads'
  parentPort.on('message', (bytes) => {
    if (bytes[0] === 1) for (;;);
    if (bytes[0] === 2) throw new Error('on purpose')
    if (bytes[0] === 3) process.exit(0)
    parentPort.postMessage(bytes.at(-1))
  })
  parentPort.postMessage('ready')
`
const HANG = 1
const CRASH = 2
const EXIT = 3

function open(t: TestContext, options: { script?: string; count?: number; timeLimitMilliseconds?: number } = {}) {
  const { script = OBEDIENT, count = 1, timeLimitMilliseconds = 60_000 } = options
  const url = new URL(`data:text/javascript,${encodeURIComponent(script)}`)
  const threads: Threads<number> = createThreads({ script: url, count, timeLimitMilliseconds })
  t.after(() => threads.close())
  return threads
}

test('work on one thread is answered first in, first out', async (t) => {
  const threads = open(t)
  const order: number[] = []
  const answers = [10, 11, 12, 13, 14].map(async (number) => {
    const outcome = await threads.run(Uint8Array.of(0, number))
    order.push(number)
    return outcome
  })
  assert.deepEqual(
    await Promise.all(answers),
    [10, 11, 12, 13, 14].map((answer) => ({ outcome: 'answered', answer })),
  )
  assert.deepEqual(order, [10, 11, 12, 13, 14])
})

test('the bytes given stay as they are, also when they share their memory with others', async (t) => {
  const threads = open(t)
  const all = Buffer.from([9, 9, 0, 1, 2, 3, 9, 9])
  const window = all.subarray(2, 6)
  assert.deepEqual(await threads.run(window), { outcome: 'answered', answer: 3 })
  assert.deepEqual([...all], [9, 9, 0, 1, 2, 3, 9, 9])
})

test('work that never ends is stopped at the time limit and the next work gets a new thread · THU-6', async (t) => {
  const threads = open(t, { timeLimitMilliseconds: 300 })
  const outcomes = await Promise.all([threads.run(Uint8Array.of(HANG)), threads.run(Uint8Array.of(0, 7))])
  assert.deepEqual(outcomes, [{ outcome: 'late' }, { outcome: 'answered', answer: 7 }])
})

test('work that never ends on one thread does not hold back another · THU-6', async (t) => {
  const threads = open(t, { count: 2 })
  const endless = assert.rejects(threads.run(Uint8Array.of(HANG)), /closed/)
  assert.deepEqual(await threads.run(Uint8Array.of(0, 8)), { outcome: 'answered', answer: 8 })
  await threads.close()
  await endless
})

for (const [name, order] of [
  ['throws', CRASH],
  ['exits', EXIT],
] as const) {
  test(`a thread that ${name} fails its own work and no other`, async (t) => {
    const threads = open(t)
    const outcomes = await Promise.all([
      threads.run(Uint8Array.of(0, 5)),
      threads.run(Uint8Array.of(order)),
      threads.run(Uint8Array.of(0, 6)),
    ])
    assert.deepEqual(outcomes, [
      { outcome: 'answered', answer: 5 },
      { outcome: 'crashed' },
      { outcome: 'answered', answer: 6 },
    ])
  })
}

test('threads that cannot start are a surprise for each that asked', async (t) => {
  const threads = open(t, { script: `throw new Error('cannot start')` })
  const outcomes = await Promise.allSettled([threads.run(Uint8Array.of(0)), threads.run(Uint8Array.of(0))])
  for (const outcome of outcomes) {
    assert.ok(outcome.status === 'rejected')
    assert.match(String(outcome.reason), /cannot start/)
  }
})

test('closing settles all that runs or waits, and nothing can be asked afterwards', async (t) => {
  const threads = open(t)
  const outcomes = Promise.allSettled([threads.run(Uint8Array.of(HANG)), threads.run(Uint8Array.of(0))])
  await threads.close()
  for (const outcome of await outcomes) assert.equal(outcome.status, 'rejected')
  await assert.rejects(threads.run(Uint8Array.of(0)), /closed/)
})
