import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { requestCompleted } from '../../server/http/log-messages.ts'
import { formatForTerminal } from '../../server/operations/terminal-log.ts'

const time = '2026-11-17T12:00:00.000Z'
const clock = new Date(time).toLocaleTimeString('en-GB')

test('a request is one line with rounded milliseconds', () => {
  const fields = { method: 'GET', route: '/v1/templates', status: 200, milliseconds: 12.6, reqId: 'r-1' }
  assert.equal(plain({ ...fields, msg: requestCompleted }), `${clock} info  GET /v1/templates 200 13 ms r-1\n`)
  assert.match(plain({ ...fields, milliseconds: 0.4, msg: requestCompleted }), / 0\.4 ms /)
})

test('other lines list their fields, without empty ones and with rounded numbers', () => {
  const fields = { deliveryId: 'dlv_1', status: 200, error: null, milliseconds: 143.20349, detail: 'two words' }
  const line = `${clock} info  delivered deliveryId=dlv_1 status=200 milliseconds=143 detail="two words"\n`
  assert.equal(plain({ ...fields, msg: 'delivered' }), line)
})

test('an error brings its stack, indented', () => {
  const err = { type: 'Error', message: 'no', stack: 'Error: no\n    at here' }
  const lines = plain({ level: 'error', msg: 'request failed', err }).split('\n')
  assert.deepEqual(lines, [`${clock} error request failed`, '  Error: no', '      at here', ''])
})

test('text that a terminal would act on is escaped', () => {
  assert.match(plain({ msg: 'postponed', detail: 'a\u001b[2Jb\n' }), /detail="a\\u001b\[2Jb\\n"/)
})

test('what an error quotes can’t move the cursor or end a line', () => {
  const err = { type: 'Error', message: 'no', stack: 'Error: CN=\u001b]0;title\u0007\u009b2J\rgone' }
  const [, stack] = formatForTerminal(JSON.stringify({ level: 'error', time, msg: 'request failed', err })).split('\n')
  assert.equal(stack, '  Error: CN=\ufffd]0;title\ufffd\ufffd2J\ufffdgone')
})

function plain(fields: object): string {
  return stripVTControlCharacters(formatForTerminal(JSON.stringify({ level: 'info', time, ...fields })))
}
