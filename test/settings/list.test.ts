import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { DeliveryPage, DeliveryRow } from '../../server/http/settings/delivery-schemas.ts'
import { readFilter, toQuery } from '../../web/src/deliveries/filter.ts'
import { type List, neighborsOf, rowsToRefresh, withNewest, withOlder } from '../../web/src/deliveries/list.ts'

describe('the list of deliveries on the page', () => {
  // Each letter is a delivery; the later in the alphabet, the newer.
  test('what is new comes on top, and what was loaded below stays', () => {
    const loaded = withOlder(listed('HGF', 'after F'), page('EDC', 'after C'))
    const fresh = withNewest(loaded, page('JIH', 'after H'), 6)
    assert.deepEqual(shown(fresh), 'JIHGFEDC')
    assert.equal(fresh.nextCursor, 'after C')
  })

  test('what no longer matches is gone, and what now matches is there', () => {
    const loaded = listed('HGFED', 'after D')
    assert.equal(shown(withNewest(loaded, page('HFE', 'after E'), 5)), 'HFED')
    assert.equal(shown(withNewest(listed('HFD', 'after D'), page('HGF', 'after F'), 3)), 'HGFD')
  })

  test('when more has come than a page holds, the list begins anew rather than with a gap', () => {
    const fresh = withNewest(listed('CBA', null), page('ZYX', 'after X'), 3)
    assert.deepEqual([shown(fresh), fresh.nextCursor], ['ZYX', 'after X'])
  })

  test('a page that holds everything is everything', () => {
    assert.equal(shown(withNewest(listed('DCBA', null), page('D', null), 4)), 'D')
    assert.equal(shown(withNewest(listed('DCBA', null), page('', null), 4)), '')
  })

  test('what new deliveries push down stays for a while, but a page that stays open does not grow without end', () => {
    const limits = { pageSize: 3, slack: 1 }
    assert.equal(rowsToRefresh(undefined, limits), 3)
    let list = listed('CBA', 'after A')
    const poll = (letters: string) => {
      const wanted = rowsToRefresh(list, limits)
      list = withNewest(list, page(letters.slice(0, wanted), `after ${letters[wanted - 1]}`), wanted)
      return [wanted, shown(list), list.nextCursor]
    }
    assert.deepEqual(poll('DCBA'), [3, 'DCBA', 'after A'])
    assert.deepEqual(poll('EDCBA'), [4, 'EDCBA', 'after A'])
    assert.deepEqual(poll('FEDCBA'), [4, 'FEDC', 'after C'])
    assert.deepEqual(poll('FEDCBA'), [4, 'FEDC', 'after C'])
    list = withOlder(list, page('BA', 'after A'))
    assert.deepEqual(poll('FEDCBA'), [6, 'FEDCBA', 'after A'], 'what was asked for stays')
  })

  test('a delivery that has left the list still has neighbors, unless it is further down than what is loaded', () => {
    const around = (list: List, letter: string) => {
      const neighbors = neighborsOf(list, row(letter))
      return neighbors && [neighbors.previous?.id, neighbors.next?.id ?? neighbors.older ?? undefined]
    }
    const loaded = listed('HFD', 'after D')
    assert.deepEqual(around(loaded, 'F'), ['H', 'D'])
    assert.deepEqual(around(loaded, 'G'), ['H', 'F'])
    assert.deepEqual(around(loaded, 'Z'), [undefined, 'H'])
    assert.deepEqual(around(loaded, 'D'), ['F', 'after D'])
    assert.equal(around(loaded, 'C'), null)
    assert.deepEqual(around(listed('HFD', null), 'C'), ['D', undefined])
    assert.deepEqual(around(listed('', null), 'C'), [undefined, undefined])
  })

  test('an older page that overlaps repeats nothing', () => {
    assert.equal(shown(withOlder(listed('DC', 'after C'), page('CBA', null))), 'DCBA')
  })
})

describe('the filter in the address', () => {
  test('what makes no sense is left out', () => {
    const given = { status: 'LOST', error: 'constructor', last: 'year', from: 'yesterday', search: '  ', more: '1' }
    assert.deepEqual(readFilter(given), {})
    const good = { status: 'FAILED', error: 'TIMEOUT', from: '2026-03-01T12:00:00.000Z', search: 'ada@' }
    assert.deepEqual(readFilter({ ...good, search: ' ada@ ' }), good)
  })

  test('a span ends now, whenever that is', () => {
    const now = Date.parse('2026-03-01T12:00:00.000Z')
    assert.deepEqual(toQuery({ status: 'FAILED', last: 'hour' }, now), {
      status: 'FAILED',
      from: '2026-03-01T11:00:00.000Z',
    })
  })
})

function listed(letters: string, nextCursor: string | null): List {
  return { rows: [...letters].map(row), nextCursor, added: 0 }
}

function page(letters: string, nextCursor: string | null): DeliveryPage {
  return { data: [...letters].map(row), nextCursor }
}

function shown({ rows }: List): string {
  return rows.map(({ id }) => id).join('')
}

function row(letter: string): DeliveryRow {
  const at = new Date(Date.UTC(2026, 2, 1) + letter.charCodeAt(0) * 1_000).toISOString()
  return {
    id: letter,
    resultId: `res_${letter}`,
    invitationId: `inv_${letter}`,
    candidate: { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' },
    templateId: 'tpl_1',
    templateName: 'Backend engineer',
    status: 'FAILED',
    failureReason: 'RECEIVER_REJECTED',
    lastError: 'HTTP_4XX',
    erased: false,
    round: 1,
    attempts: 1,
    totalAttempts: 1,
    createdAt: at,
    updatedAt: at,
    deliveredAt: null,
    nextAttemptAt: null,
  }
}
