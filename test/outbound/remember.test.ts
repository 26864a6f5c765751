import assert from 'node:assert/strict'
import { test } from 'node:test'
import { remember } from '../../server/outbound/remember.ts'

test('each result is computed once, and only the last inputs are remembered', () => {
  const computed: string[] = []
  const length = remember(2, (input) => {
    computed.push(input)
    return { length: input.length }
  })
  assert.equal(length('a'), length('a'))
  assert.deepEqual(length('bb'), { length: 2 })
  length('ccc')
  length('bb')
  assert.deepEqual(computed, ['a', 'bb', 'ccc'])
  length('a')
  assert.deepEqual(computed, ['a', 'bb', 'ccc', 'a'])
})
