import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Ending, type Findings, judge } from '../../faults/judge.ts'
import type { Kind } from '../../faults/partners.ts'
import type { Received } from '../../faults/receiver.ts'
import type { Accepted } from '../../faults/reporting.ts'

const taken: Received = {
  key: 'res_1',
  eventId: 'external_result_completed_res_1',
  signed: true,
  sameIds: true,
  body: 'b',
  status: 200,
}
const delivered: Ending = {
  resultId: 'res_1',
  status: 'DELIVERED',
  reason: null,
  attempts: 1,
  errors: [null],
  hasDeadLetter: false,
  hasJob: false,
}
const rejected: Ending = { ...delivered, status: 'FAILED', reason: 'RECEIVER_REJECTED', errors: ['HTTP_4XX'] }
const exhausted: Ending = {
  ...delivered,
  status: 'FAILED',
  reason: 'RECEIVES_EXHAUSTED',
  errors: ['NETWORK', 'NETWORK'],
  hasDeadLetter: true,
}

type Case = { requests?: Received[]; ending?: Ending | null; kind?: Kind; brokenImage?: boolean; finally?: boolean }
type Verdict = 'stuck' | 'lost' | 'wrong' | null

const cases: [name: string, verdict: Verdict, found: Case][] = [
  ['delivered once', null, {}],
  ['delivered twice with the same ids and body', null, { requests: [taken, taken] }],
  ['rejected by the receiver', null, { requests: [{ ...taken, status: 410 }], ending: rejected }],
  ['exhausted and dead', null, { requests: [], ending: exhausted }],
  ['exhausted though the receiver took it in, when no worker lived to write that down', null, { ending: exhausted }],
  ['without a delivery', 'lost', { ending: null }],
  ['delivered, and never received', 'lost', { requests: [] }],
  ['delivered, and answered with 500', 'lost', { requests: [{ ...taken, status: 500 }] }],
  ['exhausted without a dead letter', 'lost', { ending: { ...exhausted, hasDeadLetter: false } }],
  ['exhausted for good', 'lost', { ending: exhausted, finally: true }],
  ['pending', 'stuck', { ending: { ...delivered, status: 'PENDING', errors: [] } }],
  ['never enqueued', 'stuck', { ending: { ...exhausted, reason: 'ENQUEUE_FAILED' } }],
  ['signed wrongly', 'wrong', { requests: [{ ...taken, signed: false }] }],
  ['with ids that differ', 'wrong', { requests: [{ ...taken, sameIds: false }] }],
  ['under another event id', 'wrong', { requests: [{ ...taken, eventId: 'external_result_completed_res_2' }] }],
  ['repeated with another body', 'wrong', { requests: [taken, { ...taken, body: 'c' }] }],
  ['attempted five times', 'wrong', { ending: { ...delivered, attempts: 5 } }],
  ['sent without a good image', 'wrong', { ending: exhausted, brokenImage: true }],
  ['rejected by nobody', 'wrong', { ending: rejected }],
  [
    'rejected for another error',
    'wrong',
    { requests: [{ ...taken, status: 410 }], ending: { ...rejected, errors: [] } },
  ],
  ['exhausted after a 4xx', 'wrong', { ending: { ...exhausted, errors: ['HTTP_4XX'] } }],
  ['exhausted after a success', 'wrong', { ending: { ...exhausted, errors: [null] } }],
  ['disabled', 'wrong', { ending: { ...exhausted, reason: 'WEBHOOK_DISABLED' } }],
  [
    'rejected where nobody rejects',
    'wrong',
    { kind: 'moody', requests: [{ ...taken, status: 410 }], ending: rejected, finally: true },
  ],
]

describe('what the fault suite makes of a result', () => {
  for (const [name, verdict, found] of cases) {
    test(`${name}: ${verdict ?? 'as it should be'}`, () => {
      assert.deepEqual(faultsIn(judged(found)), verdict === null ? [] : [verdict])
    })
  }

  test('a delivery that nobody reported: wrong', () => {
    assert.deepEqual(faultsIn(judge([], [delivered], 'at first')), ['wrong'])
  })
})

function judged({
  requests = [taken],
  ending = delivered,
  kind = 'steady',
  brokenImage = false,
  ...rest
}: Case): Findings {
  const receiver = {
    ...{ port: 1, url: 'https://receivers.test/', secret: 's', feel: () => {}, received: () => requests },
    start: async () => {},
    kill: async () => {},
  }
  const partner = { name: 'p', kind, organizationId: 'org_1', templateId: 'tpl_1', keys: [], receiver }
  const accepted: Accepted = { resultId: 'res_1', partner, brokenImage }
  return judge([accepted], ending === null ? [] : [ending], rest.finally ? 'finally' : 'at first')
}

function faultsIn(findings: Findings): string[] {
  return (['stuck', 'lost', 'wrong'] as const).filter((kind) => findings[kind].length > 0)
}
