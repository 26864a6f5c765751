import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxPasswordLength, minPasswordLength } from '../../server/auth/passwords.ts'
import { passwordError, passwordHint } from '../../web/src/session/new-password.ts'

test('the page and the service agree on how long a password may be', () => {
  assert.equal(passwordHint, `${minPasswordLength} to ${maxPasswordLength} characters`)
  for (const length of [minPasswordLength, maxPasswordLength]) assert.equal(passwordError('x'.repeat(length)), null)
  for (const length of [minPasswordLength - 1, maxPasswordLength + 1]) {
    assert.equal(passwordError('x'.repeat(length)), `Use ${passwordHint}`)
  }
})
