import assert from 'node:assert/strict'
import test from 'node:test'
import { batches, bySpeed } from './batches.ts'

test('files named slow are left for the slow run, and all others are fast', () => {
  const files = ['test/a/one.test.ts', 'test/a/two.slow.test.ts', 'test/slow.test.ts', 'test/slow/three.test.ts']

  assert.deepEqual(bySpeed(files), {
    fast: ['test/a/one.test.ts', 'test/slow.test.ts', 'test/slow/three.test.ts'],
    slow: ['test/a/two.slow.test.ts'],
  })
})

test('files share a process by folder, and the folder with the most files comes first', () => {
  const files = ['test/a/one.test.ts', 'test/b/two.test.ts', 'test/b/three.test.ts', 'test/four.test.ts']

  assert.deepEqual(batches(files), [
    { name: 'b', files: ['test/b/two.test.ts', 'test/b/three.test.ts'] },
    { name: 'a', files: ['test/a/one.test.ts'] },
    { name: 'test', files: ['test/four.test.ts'] },
  ])
})
