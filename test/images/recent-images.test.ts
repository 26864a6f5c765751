import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { createRecentImages } from '../../server/images/recent-images.ts'

test('an image is kept for one use', () => {
  const { keep, take } = createRecentImages()
  const image = Buffer.from('image')
  keep('a', image)
  assert.equal(take('b'), null)
  assert.equal(take('a'), image)
  assert.equal(take('a'), null)
})

test('when there is no room, the oldest images make way', () => {
  const { keep, take } = createRecentImages({ capacity: 10 })
  for (const version of ['a', 'b', 'c']) keep(version, Buffer.alloc(5))
  assert.deepEqual(
    ['a', 'b', 'c'].map((version) => take(version)?.length ?? null),
    [null, 5, 5],
  )
  // What was taken takes no room.
  for (const version of ['d', 'e']) keep(version, Buffer.alloc(5))
  assert.equal(take('d')?.length, 5)
  keep('too large', Buffer.alloc(11))
  assert.deepEqual([take('too large'), take('e')], [null, null])
})

test('an image that no event asks for is forgotten after a minute', (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.after(() => mock.timers.reset())
  const { keep, take } = createRecentImages()
  keep('a', Buffer.alloc(5))
  mock.timers.tick(59_999)
  keep('b', Buffer.alloc(5))
  mock.timers.tick(1)
  assert.equal(take('a'), null)
  assert.equal(take('b')?.length, 5)
})
