import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { decodeCursor, encodeCursor } from '../../server/database/paging.ts'

const character = fc.nat({ max: 0x10ffff }).map((code) => String.fromCodePoint(code))
const part = fc.oneof(fc.string({ unit: character, maxLength: 12 }), fc.maxSafeInteger())

describe('cursors', () => {
  test('a cursor decodes to the parts it was made of', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 4 }), (parts) => {
        assert.deepEqual(decodeCursor(encodeCursor(parts)), parts)
      }),
    )
  })

  test('a cursor needs no escaping in a URL', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 4 }), (parts) => {
        assert.match(encodeCursor(parts), /^[A-Za-z0-9_-]+$/)
      }),
    )
  })

  test('the same position gives the same cursor', () => {
    assert.equal(encodeCursor([3, 'res_1']), encodeCursor([3, 'res_1']))
    assert.notEqual(encodeCursor([3, 'res_1']), encodeCursor(['3', 'res_1']))
  })

  const wrong: [name: string, cursor: string][] = [
    ['nothing', ''],
    ['invalid base64url', 'a+b/c='],
    ['padding', `${encodeCursor([12])}==`],
    ['a cursor with a line break', `${encodeCursor([1])}\n`],
    ['no JSON', Buffer.from('[1, ').toString('base64url')],
    ['a number', Buffer.from('1').toString('base64url')],
    ['a text', Buffer.from('"a"').toString('base64url')],
    ['null', Buffer.from('null').toString('base64url')],
    ['an object', Buffer.from('{"length": 1}').toString('base64url')],
    ['an oversized cursor', encodeCursor(['x'.repeat(1_600)])],
    ['non-ASCII letters', 'ä'],
  ]
  for (const [name, cursor] of wrong) {
    test(`${name} is not a cursor`, () => {
      assert.equal(decodeCursor(cursor), null)
    })
  }

  test('decoding any text gives a list or null', () => {
    fc.assert(
      fc.property(fc.string({ unit: character }), (text) => {
        const parts = decodeCursor(text)
        assert.ok(parts === null || Array.isArray(parts))
      }),
    )
  })
})
