import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toCsv } from '../../server/http/settings/csv.ts'

test('no cell of a CSV file starts a formula, whatever a spreadsheet splits at', () => {
  const hostile = ['=1+1', '+1', '-1', '@x', '\t=1', ' =1', 'x;=HYPERLINK("http://evil")', 'x,=1', 'x\n=1', '\uff1d1']
  for (const value of hostile) {
    const [line = ''] = [toCsv([[value]])]
    assert.doesNotMatch(line, /(^|[",;\t\r\n])\s*[=+\-@\uff1d]/, JSON.stringify(line))
  }
  assert.equal(toCsv([['Ada', 'a;b', 'say "hi"', 3, null]]), 'Ada,"a;b","say ""hi""",3,\r\n')
})
