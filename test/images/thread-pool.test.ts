import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createThreadPool, type ThreadPool } from '../../server/images/thread-pool.ts'

/** A thread that does what the first byte says and returns the last. */
const SCRIPT = `
  import { existsSync } from 'node:fs'
  import { answerWork } from ${JSON.stringify(new URL('../../server/images/pool-thread.ts', import.meta.url))}
  answerWork((bytes) => {
    if (bytes[0] === 1) for (;;);
    if (bytes[0] === 2) throw new Error('on purpose')
    if (bytes[0] === 3) process.exit(0)
    if (bytes[0] === 4) while (!existsSync(new TextDecoder().decode(bytes.slice(1, bytes.indexOf(0)))));
    return bytes.at(-1)
  })
`
const HANG = 1
const CRASH = 2
const EXIT = 3
/** Followed by the path of a file to wait for. */
const HOLD = 4

function open(t: TestContext, options: { script?: string; count?: number; timeLimitMilliseconds?: number } = {}) {
  const { script = SCRIPT, count = 1, timeLimitMilliseconds = 60_000 } = options
  const url = new URL(`data:text/javascript,${encodeURIComponent(script)}`)
  const threads: ThreadPool<number> = createThreadPool({ script: url, threads: count, timeLimitMilliseconds })
  t.after(() => threads.close())
  return threads
}

test('work on one thread is first in, first out', async (t) => {
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

test('the input bytes do not change, even if they are part of a larger buffer', async (t) => {
  const threads = open(t)
  const all = Buffer.from([9, 9, 0, 1, 2, 3, 9, 9])
  const window = all.subarray(2, 6)
  assert.deepEqual(await threads.run(window), { outcome: 'answered', answer: 3 })
  assert.deepEqual([...all], [9, 9, 0, 1, 2, 3, 9, 9])
})

test('large and small work in any order gets the right results', async (t) => {
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

test('one owner’s queue delays another by no more than the work already running · ROB-4', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'thread-pool-'))
  t.after(() => rm(directory, { recursive: true }))
  for (const size of [2_000, 70_000]) {
    const threads = open(t)
    await threads.run(Uint8Array.of(0, 0))
    const order: string[] = []
    const run = async (owner: string, orders: Uint8Array = Uint8Array.of(0)) => {
      const bytes = new Uint8Array(size)
      bytes.set(orders)
      await threads.run(bytes, owner)
      order.push(owner)
    }
    const gate = join(directory, `open-${size}`)
    const running = run('costly', Uint8Array.of(HOLD, ...new TextEncoder().encode(gate)))
    // More than a thread prefetches.
    const costly = Array.from({ length: 40 }, () => run('costly'))
    const others = ['one', 'other', 'one', 'other'].map((owner) => run(owner))
    await writeFile(gate, '')
    await Promise.all([running, ...costly, ...others])
    // The one that was running when the others arrived, and one between their two.
    const before = order.slice(0, Math.max(order.lastIndexOf('one'), order.lastIndexOf('other')))
    assert.ok(before.filter((owner) => owner === 'costly').length <= 2, before.join())
    assert.ok(order.indexOf('one') <= 2, order.join())
  }
})

test('an owner with constant work is not starved by others', async (t) => {
  const threads = open(t)
  let done = false
  const patient = Promise.all(Array.from({ length: 20 }, () => threads.run(Uint8Array.of(0), 'patient')))
  const others = ['one', 'other'].map(async (owner) => {
    let runs = 0
    for (; !done; runs += 1) await threads.run(Uint8Array.of(0), owner)
    return runs
  })
  await patient
  done = true
  for (const runs of await Promise.all(others)) assert.ok(runs < 100, `${runs} ran first`)
})

test('work too large for a thread’s memory is rejected', async (t) => {
  await assert.rejects(open(t).run(new Uint8Array(1_048_577)), /does not fit/)
})

test('work that never ends is stopped at the time limit, and the next work gets a new thread · THU-6', async (t) => {
  const threads = open(t, { timeLimitMilliseconds: 300 })
  const outcomes = await Promise.all([threads.run(Uint8Array.of(HANG)), threads.run(Uint8Array.of(0, 7))])
  assert.deepEqual(outcomes, [{ outcome: 'timed_out' }, { outcome: 'answered', answer: 7 }])
})

test('work that never ends on one thread does not block another · THU-6', async (t) => {
  const threads = open(t, { count: 2 })
  const endless = assert.rejects(threads.run(Uint8Array.of(HANG)), /closed/)
  assert.deepEqual(await threads.run(Uint8Array.of(0, 8)), { outcome: 'answered', answer: 8 })
  await threads.close()
  await endless
})

test('work queued behind work that never ends moves to an idle thread long before the limit · THU-6', async (t) => {
  const threads = open(t, { count: 2 })
  await Promise.all([threads.run(Uint8Array.of(0, 1)), threads.run(Uint8Array.of(0, 2))])
  const endless = assert.rejects(threads.run(Uint8Array.of(HANG)), /closed/)
  // More than one thread queues, so that both threads have some.
  const numbers = Array.from({ length: 40 }, (_, number) => number)
  const outcomes = await Promise.all(numbers.map((number) => threads.run(Uint8Array.of(0, number))))
  assert.deepEqual(
    outcomes,
    numbers.map((answer) => ({ outcome: 'answered', answer })),
  )
  await threads.close()
  await endless
})

test('only the work that hangs times out; work queued behind it moves to the next thread · THU-6', async (t) => {
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
  test(`a thread that ${name} fails only its own work`, async (t) => {
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

test('threads that can’t start fail the work waiting for them', async (t) => {
  const threads = open(t, { script: `throw new Error('cannot start')` })
  const outcomes = await Promise.allSettled([threads.run(Uint8Array.of(0)), threads.run(Uint8Array.of(0))])
  for (const outcome of outcomes) {
    assert.ok(outcome.status === 'rejected')
    assert.match(String(outcome.reason), /cannot start/)
  }
})

test('closing rejects running, waiting and later work', async (t) => {
  const threads = open(t)
  const outcomes = Promise.allSettled([threads.run(Uint8Array.of(HANG)), threads.run(Uint8Array.of(0))])
  await threads.close()
  for (const outcome of await outcomes) assert.equal(outcome.status, 'rejected')
  await assert.rejects(threads.run(Uint8Array.of(0)), /closed/)
})
