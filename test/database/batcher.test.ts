import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBatcher, spacing } from '../../server/database/batcher.ts'

test('batches start apart, unless they are full', async () => {
  const batches: number[][] = []
  const call = createBatcher(
    async (numbers: number[]) => {
      batches.push(numbers)
      return numbers
    },
    { maxSize: 3, apartMilliseconds: 600_000 },
  )

  await call(1)
  await Promise.all([2, 3, 4, 5, 6, 7].map(call))
  assert.deepEqual(batches, [[1], [2, 3, 4], [5, 6, 7]])

  const waiting = Promise.all([8, 9].map(call))
  // Later turns of the event loop still join.
  await new Promise((resolve) => setImmediate(resolve))
  await call(10)
  await waiting
  assert.deepEqual(batches.at(-1), [8, 9, 10])
})

test('calls can be answered before their batch is done, and are not made again if it fails', async () => {
  const batches: number[][] = []
  let goOn = () => {}
  const call = createBatcher(
    async (numbers: number[], answer) => {
      batches.push(numbers)
      if (numbers.length === 1) return numbers.map((number) => -number)
      answer(0, 100)
      await new Promise<void>((resolve) => {
        goOn = resolve
      })
      throw new Error('the second could not be read')
    },
    { maxSize: 3 },
  )

  const [first, second] = [call(1), call(2)]
  assert.equal(await first, 100)
  goOn()
  assert.equal(await second, -2)
  assert.deepEqual(batches, [[1, 2], [2]])
})

test('processes that share the load start their batches further apart', () => {
  assert.equal(spacing(10), 10)
  assert.equal(spacing(10, 1), 10)
  assert.equal(spacing(10, 2), 20)
  assert.equal(spacing(10, 8), 20)
})
