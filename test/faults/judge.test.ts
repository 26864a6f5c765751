import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Configuration, Period } from '../../faults/configuration.ts'
import { maxInFlight } from '../../faults/configurations.ts'
import { type Ending, type Findings, judge } from '../../faults/judge.ts'
import type { Kind } from '../../faults/partners.ts'
import type { Received } from '../../faults/receiver.ts'
import type { Accepted } from '../../faults/reporting.ts'

const secret = 'whsec_first'
const taken: Received = {
  at: 100_000,
  path: '/events',
  key: 'res_1',
  eventId: 'external_result_completed_res_1',
  secret,
  sameIds: true,
  body: 'b',
  status: 200,
}
const arrived = { round: 1, finished: true, error: null }
const refused = { round: 1, finished: true, error: 'HTTP_4XX' }
const failed = { round: 1, finished: true, error: 'NETWORK' }
const interrupted = { round: 1, finished: false, error: null }
const delivered: Ending = {
  deliveryId: 'dlv_1',
  resultId: 'res_1',
  status: 'DELIVERED',
  reason: null,
  round: 1,
  attempts: 1,
  history: [arrived],
  hasDeadLetter: false,
  hasJob: false,
}
const rejected: Ending = { ...delivered, status: 'FAILED', reason: 'RECEIVER_REJECTED', history: [refused] }
const exhausted: Ending = {
  ...delivered,
  status: 'FAILED',
  reason: 'RECEIVES_EXHAUSTED',
  history: [failed, failed],
  hasDeadLetter: true,
}

const canceled: Ending = { ...delivered, status: 'FAILED', reason: 'WEBHOOK_DISABLED', attempts: 0, history: [] }

const first: Configuration = {
  url: 'https://receivers.test/events',
  secret,
  enabled: true,
  requestedAt: 0,
  acknowledgedAt: 0,
}
// Acknowledged so long before the request that nothing sent under the first configuration may still arrive.
const changedAt = taken.at - maxInFlight - 1
const changed = { ...first, requestedAt: changedAt - 1_000, acknowledgedAt: changedAt }
const rotated: Configuration = { ...changed, secret: 'whsec_second' }
const moved: Configuration = { ...changed, url: 'https://receivers.test/events/2' }
const disabled: Configuration = { ...changed, enabled: false }

type Case = {
  requests?: Received[]
  ending?: Ending | null
  kind?: Kind
  brokenImage?: boolean
  finally?: boolean
  presses?: { accepted: number; unknown: number }
  configurations?: Configuration[]
  disturbances?: Period[]
  reported?: Period
}
type Verdict = 'stuck' | 'lost' | 'wrong' | null

const retried: Ending = { ...delivered, round: 2, history: [failed, { ...arrived, round: 2 }] }
const once = { accepted: 1, unknown: 0 }

const cases: [name: string, verdict: Verdict, found: Case][] = [
  ['delivered once', null, {}],
  [
    'delivered twice with the same IDs and body',
    null,
    { requests: [taken, taken], ending: { ...delivered, history: [interrupted, arrived] } },
  ],
  ['rejected by the receiver', null, { requests: [{ ...taken, status: 410 }], ending: rejected }],
  ['exhausted and dead', null, { requests: [], ending: exhausted }],
  [
    'exhausted although the receiver accepted it, because no worker lived to record that',
    null,
    { ending: { ...exhausted, history: [failed, interrupted] } },
  ],
  ['without a delivery', 'lost', { ending: null }],
  ['delivered, and never received', 'lost', { requests: [] }],
  ['delivered, and answered with 500', 'lost', { requests: [{ ...taken, status: 500 }] }],
  ['exhausted without a dead letter', 'lost', { ending: { ...exhausted, hasDeadLetter: false } }],
  ['exhausted for good', 'lost', { ending: exhausted, finally: true }],
  ['pending', 'stuck', { ending: { ...delivered, status: 'PENDING', history: [] } }],
  ['never enqueued', 'stuck', { ending: { ...exhausted, reason: 'ENQUEUE_FAILED' } }],
  ['delivered, with a job left behind', 'stuck', { ending: { ...delivered, hasJob: true } }],
  ['signed wrongly', 'wrong', { requests: [{ ...taken, secret: null }] }],
  ['with ids that differ', 'wrong', { requests: [{ ...taken, sameIds: false }] }],
  ['under another event id', 'wrong', { requests: [{ ...taken, eventId: 'external_result_completed_res_2' }] }],
  [
    'repeated with another body',
    'wrong',
    { requests: [taken, { ...taken, body: 'c' }], ending: { ...delivered, history: [interrupted, arrived] } },
  ],
  ['attempted five times', 'wrong', { ending: { ...delivered, attempts: 5 } }],
  ['sent without a good image', 'wrong', { ending: exhausted, brokenImage: true }],
  ['rejected by nobody', 'wrong', { ending: rejected }],
  [
    'rejected for another error',
    'wrong',
    { requests: [{ ...taken, status: 410 }], ending: { ...rejected, history: [failed] } },
  ],
  ['exhausted after a 4xx', 'wrong', { ending: { ...exhausted, history: [refused] } }],
  ['exhausted after a success', 'wrong', { ending: { ...exhausted, history: [arrived] } }],
  ['canceled though nobody has disabled the webhook', 'wrong', { requests: [], ending: canceled }],
  [
    'rejected though no receiver rejects',
    'wrong',
    { kind: 'moody', requests: [{ ...taken, status: 410 }], ending: rejected, finally: true },
  ],

  ['sent more often than the history says', 'wrong', { requests: [taken, taken] }],

  ['retried, and delivered in the second round', null, { ending: retried, presses: once }],
  ['retried by a press without an answer', null, { ending: retried, presses: { accepted: 0, unknown: 1 } }],
  ['pressed without an answer, and not retried', null, { presses: { accepted: 0, unknown: 1 } }],
  [
    'retried, and delivered by a request of the first round',
    null,
    { ending: { ...retried, history: [arrived] }, presses: once },
  ],
  ['retried, and no second round', 'lost', { ending: exhausted, presses: once }],
  ['in a second round that nobody asked for', 'wrong', { ending: retried }],
  [
    'retried, and the second round attempted nothing',
    'lost',
    { ending: { ...exhausted, round: 2 }, presses: once, requests: [] },
  ],

  [
    'signed with the old secret just before the rotation ends',
    null,
    { configurations: [first, rotated], requests: [{ ...taken, at: taken.at - 1 }] },
  ],
  [
    'signed with the new secret before the rotation was acknowledged',
    null,
    {
      configurations: [first, { ...rotated, acknowledgedAt: Number.POSITIVE_INFINITY }],
      requests: [{ ...taken, secret: rotated.secret }],
    },
  ],
  [
    'signed with the old secret while the database delayed everything',
    null,
    { configurations: [first, rotated], disturbances: [{ from: taken.at - 3_000, to: taken.at - 2_000 }] },
  ],
  ['signed with a secret that was rotated long ago', 'wrong', { configurations: [first, rotated] }],
  ['sent to a path that was changed long ago', 'wrong', { configurations: [first, moved] }],
  ['sent while the webhook was disabled', 'wrong', { configurations: [first, disabled] }],
  [
    'sent to the new path, signed with the old secret',
    'wrong',
    { configurations: [first, { ...moved, secret: rotated.secret }], requests: [{ ...taken, path: '/events/2' }] },
  ],
  [
    'canceled while the webhook was disabled',
    null,
    { kind: 'changing', configurations: [first, disabled], requests: [], ending: canceled },
  ],
  [
    'without a delivery, reported while the webhook was disabled',
    null,
    { configurations: [first, disabled], ending: null, reported: { from: changedAt + 1, to: changedAt + 2 } },
  ],
  [
    'delivered, though the webhook was disabled when it was reported',
    'wrong',
    {
      configurations: [first, disabled, { ...first, requestedAt: taken.at - 1, acknowledgedAt: taken.at }],
      reported: { from: changedAt + 1, to: changedAt + 2 },
    },
  ],
]

describe('the fault suite’s verdict on a result', () => {
  for (const [name, verdict, found] of cases) {
    test(`${name}: ${verdict ?? 'correct'}`, () => {
      assert.deepEqual(faultsIn(judged(found)), verdict === null ? [] : [verdict])
    })
  }

  test('a delivery that nobody reported: wrong', () => {
    const evidence = { accepted: [], endings: [delivered], presses: new Map(), disturbances: [] }
    assert.deepEqual(faultsIn(judge(evidence, 'at first')), ['wrong'])
  })
})

function judged({
  requests = [taken],
  ending = delivered,
  kind = 'steady',
  brokenImage = false,
  presses = { accepted: 0, unknown: 0 },
  configurations = [first],
  disturbances = [],
  reported = { from: 0, to: 0 },
  ...rest
}: Case): Findings {
  const receiver = {
    port: 1,
    url: first.url,
    secret,
    behave: () => {},
    trust: () => {},
    received: () => requests,
    start: async () => {},
    kill: async () => {},
  }
  const named = { name: 'p', kind, organizationId: 'org_1', templateId: 'tpl_1' }
  const accepted: Accepted = {
    resultId: 'res_1',
    brokenImage,
    reported,
    partner: { ...named, keys: [], receiver, configurations },
  }
  const evidence = {
    accepted: [accepted],
    endings: ending === null ? [] : [ending],
    presses: new Map([['dlv_1', presses]]),
    disturbances,
  }
  return judge(evidence, rest.finally ? 'finally' : 'at first')
}

function faultsIn(findings: Findings): string[] {
  return (['stuck', 'lost', 'wrong'] as const).filter((kind) => findings[kind].length > 0)
}
