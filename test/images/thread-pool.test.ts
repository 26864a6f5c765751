import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createThreadPool, type ThreadPool } from '../../server/images/thread-pool.ts'

/** A thread that does what the first byte says and answers with the last. */
const SCRIPT = `
  import { answerWork } from ${JSON.stringify(new URL('../../server/images/pool-thread.ts', import.meta.url))}
  answerWork((bytes) => {
    if (bytes[0] === 1) for (;;);
    if (bytes[0] === 2) throw new Error('on purpose')
    if (bytes[0] === 3) process.exit(0)
    return bytes.at(-1)
  })
`
const HANG = 1
const CRASH = 2
const EXIT = 3

function open(t: TestContext, options: { script?: string; count?: number; timeLimitMilliseconds?: number } = {}) {
  const { script = SCRIPT, count = 1, timeLimitMilliseconds = 60_000 } = options
  const url = new URL(`data:text/javascript,${encodeURIComponent(script)}`)
  const threads: ThreadPool<number> = createThreadPool({ script: url, threads: count, timeLimitMilliseconds })
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

test('the given bytes do not change, even when they are part of a larger buffer', async (t) => {
  const threads = open(t)
  const all = Buffer.from([9, 9, 0, 1, 2, 3, 9, 9])
  const window = all.subarray(2, 6)
  assert.deepEqual(await threads.run(window), { outcome: 'answered', answer: 3 })
  assert.deepEqual([...all], [9, 9, 0, 1, 2, 3, 9, 9])
})

test('large and small work in any order gets its own answers', async (t) => {
  for (const count of [1, 2]) {
    const threads = open(t, { count })
    const sizes = [2, 70_000, 3, 65_536, 65_537, 1_048_576, 4, ...Array<number>(40).fill(50_000), 900_000, 5]
    const work = sizes.map((size, index) => new Uint8Array(size).fill(index, size - 1))
    const outcomes = await Promise.all(work.map((bytes) => threads.run(bytes)))
    assert.deepEqual(
      outcomes,
      work.map((_, answer) => ({ outcome: 'answered', answer })),
    )
  }
})

test('work too large for the memory of a thread is rejected', async (t) => {
  await assert.rejects(open(t).run(new Uint8Array(1_048_577)), /does not fit/)
})

test('work that never ends is stopped at the time limit and the next work gets a new thread · THU-6', async (t) => {
  const threads = open(t, { timeLimitMilliseconds: 300 })
  const outcomes = await Promise.all([threads.run(Uint8Array.of(HANG)), threads.run(Uint8Array.of(0, 7))])
  assert.deepEqual(outcomes, [{ outcome: 'timed_out' }, { outcome: 'answered', answer: 7 }])
})

test('work that never ends on one thread does not hold back another · THU-6', async (t) => {
  const threads = open(t, { count: 2 })
  const endless = assert.rejects(threads.run(Uint8Array.of(HANG)), /closed/)
  assert.deepEqual(await threads.run(Uint8Array.of(0, 8)), { outcome: 'answered', answer: 8 })
  await threads.close()
  await endless
})

test('work queued behind work that never ends moves to an idle thread, long before the limit · THU-6', async (t) => {
  const threads = open(t, { count: 2 })
  await Promise.all([threads.run(Uint8Array.of(0, 1)), threads.run(Uint8Array.of(0, 2))])
  const endless = assert.rejects(threads.run(Uint8Array.of(HANG)), /closed/)
  // More than one thread queues, so that both have some.
  const numbers = Array.from({ length: 40 }, (_, number) => number)
  const outcomes = await Promise.all(numbers.map((number) => threads.run(Uint8Array.of(0, number))))
  assert.deepEqual(
    outcomes,
    numbers.map((answer) => ({ outcome: 'answered', answer })),
  )
  await threads.close()
  await endless
})

test('only work that times out says so; work queued behind it moves to the next thread · THU-6', async (t) => {
  const threads = open(t, { timeLimitMilliseconds: 1_000 })
  assert.deepEqual(await threads.run(Uint8Array.of(0, 1)), { outcome: 'answered', answer: 1 })
  const orders = [0, HANG, 0, 0, HANG, 0]
  const outcomes = await Promise.all(orders.map((order, number) => threads.run(Uint8Array.of(order, number))))
  assert.deepEqual(
    outcomes,
    orders.map((order, answer) => (order === HANG ? { outcome: 'timed_out' } : { outcome: 'answered', answer })),
  )
})

for (const [name, order] of [
  ['throws', CRASH],
  ['exits', EXIT],
] as const) {
  test(`a thread that ${name} fails its own work and no other`, async (t) => {
    const threads = open(t)
    await threads.run(Uint8Array.of(0, 4))
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

test('threads that cannot start fail the work that waited for them', async (t) => {
  const threads = open(t, { script: `throw new Error('cannot start')` })
  const outcomes = await Promise.allSettled([threads.run(Uint8Array.of(0)), threads.run(Uint8Array.of(0))])
  for (const outcome of outcomes) {
    assert.ok(outcome.status === 'rejected')
    assert.match(String(outcome.reason), /cannot start/)
  }
})

test('closing rejects all work that runs or waits, and all work after it', async (t) => {
  const threads = open(t)
  const outcomes = Promise.allSettled([threads.run(Uint8Array.of(HANG)), threads.run(Uint8Array.of(0))])
  await threads.close()
  for (const outcome of await outcomes) assert.equal(outcome.status, 'rejected')
  await assert.rejects(threads.run(Uint8Array.of(0)), /closed/)
})
