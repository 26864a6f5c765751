import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSemaphore } from '../../server/images/semaphore.ts'

test('work above the limit waits and runs in order, even after work that fails', async () => {
  const two = createSemaphore(2)
  const begun: number[] = []
  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<number>())
  const runs = gates.map(({ promise }, index) =>
    two(() => {
      begun.push(index)
      return promise
    }),
  )
  await Promise.resolve()
  assert.deepEqual(begun, [0, 1])
  gates[1]?.reject(new Error('broken'))
  await assert.rejects(runs[1] ?? Promise.resolve(), /broken/)
  assert.deepEqual(begun, [0, 1, 2])
  gates[0]?.resolve(10)
  assert.equal(await runs[0], 10)
  assert.deepEqual(begun, [0, 1, 2, 3])
  gates[2]?.resolve(12)
  gates[3]?.resolve(13)
  assert.deepEqual(await Promise.all([runs[2], runs[3]]), [12, 13])
  assert.equal(await two(async () => 'again'), 'again')
})

test('work takes its size from the limit, waits in order, and runs alone if it exceeds the limit', async () => {
  const limited = createSemaphore(10)
  const log: string[] = []
  const ends = new Map<string, () => void>()
  const start = (name: string, size: number) =>
    limited(
      async () => {
        log.push(name)
        await new Promise<void>((resolve) => ends.set(name, resolve))
      },
      { size },
    )
  const all = [start('six', 6), start('five', 5), start('one', 1), start('hundred', 100)]
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  await settled()
  // The one of size 1 would fit beside 6, but 5 came first.
  assert.deepEqual(log, ['six'])
  for (const [name, after] of [
    ['six', ['six', 'five', 'one']],
    ['five', ['six', 'five', 'one']],
    ['one', ['six', 'five', 'one', 'hundred']],
  ] as const) {
    ends.get(name)?.()
    await settled()
    assert.deepEqual(log, after)
  }
  ends.get('hundred')?.()
  await Promise.all(all)
})

test('no owner takes more than its share, and other owners’ work goes ahead of it', async () => {
  const limited = createSemaphore(4, { share: 2 })
  const log: string[] = []
  const ends: (() => void)[] = []
  const start = (name: string, owner: string, size = 1) =>
    limited(
      async () => {
        log.push(name)
        await new Promise<void>((resolve) => ends.push(resolve))
      },
      { size, owner },
    )
  const all = [start('a1', 'a'), start('a2', 'a'), start('a3', 'a'), start('b', 'b', 3), start('c', 'c')]
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  await settled()
  assert.deepEqual(log, ['a1', 'a2', 'b'])
  for (const after of ['a3', 'c']) {
    ends.shift()?.()
    await settled()
    assert.equal(log.at(-1), after)
  }
  for (const end of ends) end()
  await Promise.all(all)
})
