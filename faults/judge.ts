import sql from 'sql-template-tag'
import type { Database } from '../server/database/database.ts'
import type { Period } from './configuration.ts'
import { isExplained, wasEnabled } from './configurations.ts'
import { kinds } from './partners.ts'
import type { Presses } from './presses.ts'
import type { Received } from './receiver.ts'
import type { Accepted } from './reporting.ts'

/** What the database says about one result's delivery. */
export type Ending = {
  deliveryId: string
  resultId: string
  status: 'PENDING' | 'DELIVERED' | 'FAILED'
  reason: string | null
  round: number
  /** Of the current round. */
  attempts: number
  /** Every attempt of every round. One that did not finish lost its worker. */
  history: { round: number; finished: boolean; error: string | null }[]
  /** Of the current round. */
  hasDeadLetter: boolean
  hasJob: boolean
}

export async function readEndings(database: Database): Promise<Ending[]> {
  return database.query<Ending>(sql`
    select d.id as "deliveryId", d.result_id as "resultId", d.status, d.failure_reason as reason, d.round, d.attempts,
      (select coalesce(json_agg(json_build_object('round', a.round, 'finished', a.finished_at is not null,
        'error', a.error) order by a.number), '[]') from delivery_attempts a where a.delivery_id = d.id) as history,
      exists (select from dead_letters l where l.delivery_id = d.id and l.round = d.round) as "hasDeadLetter",
      exists (select from delivery_jobs j where j.delivery_id = d.id) as "hasJob"
    from deliveries d order by d.id`)
}

export type Evidence = {
  accepted: readonly Accepted[]
  endings: readonly Ending[]
  presses: Presses
  disturbances: readonly Period[]
}

export type Findings = {
  delivered: number
  rejected: number
  exhausted: number
  canceled: number
  stuck: string[]
  lost: string[]
  wrong: string[]
}

/**
 * Holds what the database says against what the receivers say. `finally` is after the second chance: by then only what
 * the receiver itself refused, or what has no image, may be anything but DELIVERED.
 */
export function judge({ accepted, endings, presses, disturbances }: Evidence, when: 'at first' | 'finally'): Findings {
  const findings: Findings = { delivered: 0, rejected: 0, exhausted: 0, canceled: 0, stuck: [], lost: [], wrong: [] }
  const found = new Map(endings.map((ending) => [ending.resultId, ending]))
  const received = requestsByResult(accepted)
  for (const result of accepted) {
    const { resultId, partner } = result
    const ending = found.get(resultId)
    found.delete(resultId)
    const name = (text: string) => `${resultId} of ${partner.name}: ${text}`
    const enabled = wasEnabled(partner.configurations, result.reported)
    if (!ending) {
      if (enabled === true) findings.lost.push(name('accepted, and there is no delivery'))
      continue
    }
    if (enabled === false) findings.wrong.push(name('a delivery, though the webhook was disabled'))
    const requests = received.get(resultId) ?? []
    judgeRequests(result, requests, disturbances, findings, name)
    if (ending.status === 'PENDING' || ending.reason === 'ENQUEUE_FAILED' || ending.hasJob) {
      const job = ending.hasJob ? 'a' : 'no'
      findings.stuck.push(name(`${ending.status}, round ${ending.round}, ${ending.attempts} attempts, ${job} job`))
      continue
    }
    judgeEnding(ending, requests, findings, name)
    judgeRounds(result, ending, presses, findings, name)
    if (when === 'finally') judgeFinally(result, ending, findings, name)
  }
  for (const resultId of found.keys()) findings.wrong.push(`${resultId}: a delivery that nobody has reported`)
  return findings
}

function requestsByResult(accepted: readonly Accepted[]): Map<string, Received[]> {
  const receivers = new Set(accepted.map(({ partner }) => partner.receiver))
  return Map.groupBy(
    [...receivers].flatMap((receiver) => receiver.received()),
    ({ key }) => key,
  )
}

type Name = (text: string) => string

function judgeRequests(
  { resultId, partner, brokenImage }: Accepted,
  requests: Received[],
  disturbances: readonly Period[],
  { wrong }: Findings,
  name: Name,
): void {
  if (brokenImage && requests.length > 0) wrong.push(name('sent without a good image'))
  for (const request of requests) {
    const { at, path, secret } = request
    if (secret === null) wrong.push(name('its signature does not verify'))
    else if (!request.sameIds) wrong.push(name('the ids of headers and body differ'))
    else if (!isExplained(request, partner.configurations, disturbances)) {
      const when = new Date(at).toISOString()
      wrong.push(name(`sent to ${path}, signed with ${secret}, at ${when}: not the configuration of that time`))
    }
    if (request.eventId !== `external_result_completed_${resultId}`) wrong.push(name(`id ${request.eventId}`))
    if (request.body !== requests[0]?.body) wrong.push(name('a repeat has another body'))
  }
}

function judgeEnding(ending: Ending, requests: Received[], findings: Findings, name: Name): void {
  const { lost, wrong } = findings
  const { history, round, reason } = ending
  const answered = (low: number) => requests.some(({ status }) => status !== null && Math.floor(status / 100) === low)
  const finished = history.filter((attempt) => attempt.finished)
  const wasRejected = finished.some((attempt) => attempt.round === round && attempt.error === 'HTTP_4XX')
  if (ending.attempts > 4) wrong.push(name(`${ending.attempts} attempts; four are allowed`))
  if (requests.length > history.length) {
    wrong.push(name(`${requests.length} requests, and the history has ${history.length} attempts`))
  }
  if (ending.status === 'DELIVERED') {
    findings.delivered++
    if (!answered(2)) lost.push(name('DELIVERED, and the receiver has not got it'))
  } else if (reason === 'RECEIVER_REJECTED') {
    findings.rejected++
    if (!answered(4) || !wasRejected) wrong.push(name('RECEIVER_REJECTED without a 4xx'))
  } else if (reason === 'RECEIVES_EXHAUSTED') {
    findings.exhausted++
    if (!ending.hasDeadLetter) lost.push(name('RECEIVES_EXHAUSTED, and there is no dead letter'))
    if (finished.some(({ error }) => error === null)) wrong.push(name('RECEIVES_EXHAUSTED, though an attempt arrived'))
    if (wasRejected) wrong.push(name('RECEIVES_EXHAUSTED, though a 4xx is final'))
  } else if (reason === 'WEBHOOK_DISABLED') findings.canceled++
  else wrong.push(name(`${ending.status}, ${reason}`))
}

/** Every Retry and redrive that was accepted began a round, and every round led to something. */
function judgeRounds({ partner }: Accepted, ending: Ending, presses: Presses, findings: Findings, name: Name): void {
  const { deliveryId, round, history, status, reason } = ending
  if (reason === 'WEBHOOK_DISABLED' && partner.configurations.every(({ enabled }) => enabled)) {
    findings.wrong.push(name('WEBHOOK_DISABLED, and nobody has disabled it'))
  }
  const { accepted, unknown } = presses.get(deliveryId) ?? { accepted: 0, unknown: 0 }
  const pressed = `in round ${round} after ${accepted} accepted Retries and redrives and ${unknown} without an answer`
  if (round < 1 + accepted) findings.lost.push(name(pressed))
  if (round > 1 + accepted + unknown) findings.wrong.push(name(pressed))

  const attempted = new Set(history.map((attempt) => attempt.round))
  for (let one = 1; one <= round; one++) {
    // The reason of a round that was canceled is forgotten when the next one begins. And what an earlier round was
    // still sending may arrive before the current one has begun to send.
    const canceled = one === round ? reason === 'WEBHOOK_DISABLED' : partner.kind === 'changing'
    const overtaken = one === round && one > 1 && status === 'DELIVERED'
    if (!attempted.has(one) && !canceled && !overtaken) findings.lost.push(name(`round ${one} made no attempt`))
  }
}

function judgeFinally(result: Accepted, ending: Ending, { wrong, lost }: Findings, name: Name): void {
  const end = ending.status === 'DELIVERED' ? 'DELIVERED' : ending.reason
  if (result.brokenImage) {
    const errors = ending.history.flatMap(({ finished, error }) => (finished ? [error] : []))
    const right = end === 'RECEIVES_EXHAUSTED' && errors.every((error) => error === 'THUMBNAIL_MALFORMED')
    if (!right) wrong.push(name(`${end}, though its image is broken`))
    return
  }
  const allowed: readonly (string | null)[] = kinds[result.partner.kind].ends
  if (allowed.includes(end)) return
  if (end === 'RECEIVES_EXHAUSTED') lost.push(name('not delivered even when everything was well'))
  else wrong.push(name(`${end}, where ${allowed.join(' or ')} was due`))
}
