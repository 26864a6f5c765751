import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashPassword, matchesPassword } from '../../server/auth/passwords.ts'

test('passwords are hashed one after the other, so files and connections need not wait for all · ROB-1', async () => {
  const done: number[] = []
  const hashing = Array.from({ length: 8 }, async (_, index) => {
    const hash = await hashPassword(`password ${index}`)
    done.push(index)
    return hash
  })
  const [first = '', second = ''] = await Promise.all(hashing)
  assert.deepEqual(done, [0, 1, 2, 3, 4, 5, 6, 7])
  await assert.rejects(matchesPassword('password 0', 'no hash'))
  assert.deepEqual(await Promise.all([matchesPassword('password 0', first), matchesPassword('password 0', second)]), [
    true,
    false,
  ])
})
