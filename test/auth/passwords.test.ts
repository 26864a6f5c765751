import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newPassword, passwordFault } from '../../server/auth/passwords.ts'

const owner = { email: 'grace.hopper@navy.example', name: 'Amazing Grace' }

const refused = {
  'too short': ['', 'short', 'elevenchars'],
  'too long': ['x y z '.repeat(22)],
  'too common': [
    'password1234',
    'Password!2026',
    'passwordpassword',
    '123456789012',
    'aaaaaaaaaaaa',
    'abababababab',
    'qwertyuiop12',
    'abcdefghijkl',
    'Partner-Interview-1',
    'administrator1',
    '!!!!2026??11',
  ],
  'about its owner': [
    'grace.hopper@navy.example',
    'GraceHopper1906',
    'gracehoppergracehopper',
    'grace.hopper@navy1',
    'Amazing Grace 123',
  ],
} as const

for (const [fault, passwords] of Object.entries(refused)) {
  for (const password of passwords) {
    test(`${password.slice(0, 30)} is ${fault}`, () => assert.equal(passwordFault(password, owner), fault))
  }
}

test('a password that is hard to guess is accepted in any alphabet', () => {
  const good = [
    'correct horse battery',
    'another horse 🐎 battery',
    'пароль из пяти слов',
    'tr0ub4dor&3-x9',
    newPassword(),
  ]
  for (const password of good) assert.equal(passwordFault(password, owner), null, password)
})
