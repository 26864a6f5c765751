import sql from 'sql-template-tag'
import type { Database } from '../server/database/database.ts'
import type { Period } from './configuration.ts'
import { isExplained, wasEnabled } from './configurations.ts'
import { kinds } from './partners.ts'
import type { Presses } from './presses.ts'
import type { Received } from './receiver.ts'
import type { Accepted } from './reporting.ts'

/** The final state of one result's delivery in the database. */
export type Ending = {
  deliveryId: string
  resultId: string
  status: 'PENDING' | 'DELIVERED' | 'FAILED'
  reason: string | null
  round: number
  /** Of the current round. */
  attempts: number
  /** Every attempt of every round. The worker of an unfinished one died. */
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
 * Compares the database with what the receivers got. `finally` is after all failed deliveries were retried: by then only
 * what the receiver rejected, or what has no valid image, may be anything but DELIVERED.
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
      if (enabled === true) findings.lost.push(name('accepted, but there is no delivery'))
      continue
    }
    if (enabled === false) findings.wrong.push(name('has a delivery, although the webhook was disabled'))
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
  for (const resultId of found.keys()) findings.wrong.push(`${resultId}: a delivery without a reported result`)
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
  if (brokenImage && requests.length > 0) wrong.push(name('sent without a valid image'))
  for (const request of requests) {
    const { at, path, secret } = request
    if (secret === null) wrong.push(name('its signature does not verify'))
    else if (!request.sameIds) wrong.push(name('the IDs in headers and body differ'))
    else if (!isExplained(request, partner.configurations, disturbances)) {
      const when = new Date(at).toISOString()
      wrong.push(name(`sent to ${path}, signed with ${secret}, at ${when}: not the configuration at that time`))
    }
    if (request.eventId !== `external_result_completed_${resultId}`) wrong.push(name(`id ${request.eventId}`))
    if (request.body !== requests[0]?.body) wrong.push(name('a duplicate has a different body'))
  }
}

function judgeEnding(ending: Ending, requests: Received[], findings: Findings, name: Name): void {
  const { lost, wrong } = findings
  const { history, round, reason } = ending
  const responded = (low: number) => requests.some(({ status }) => status !== null && Math.floor(status / 100) === low)
  const finished = history.filter((attempt) => attempt.finished)
  const wasRejected = finished.some((attempt) => attempt.round === round && attempt.error === 'HTTP_4XX')
  if (ending.attempts > 4) wrong.push(name(`${ending.attempts} attempts, but only four are allowed`))
  if (requests.length > history.length) {
    wrong.push(name(`${requests.length} requests, but the history has ${history.length} attempts`))
  }
  if (ending.status === 'DELIVERED') {
    findings.delivered++
    if (!responded(2)) lost.push(name('DELIVERED, but the receiver never accepted it'))
  } else if (reason === 'RECEIVER_REJECTED') {
    findings.rejected++
    if (!responded(4) || !wasRejected) wrong.push(name('RECEIVER_REJECTED without a 4xx'))
  } else if (reason === 'RECEIVES_EXHAUSTED') {
    findings.exhausted++
    if (!ending.hasDeadLetter) lost.push(name('RECEIVES_EXHAUSTED, but there is no dead letter'))
    if (finished.some(({ error }) => error === null))
      wrong.push(name('RECEIVES_EXHAUSTED, although an attempt succeeded'))
    if (wasRejected) wrong.push(name('RECEIVES_EXHAUSTED, although a 4xx is final'))
  } else if (reason === 'WEBHOOK_DISABLED') findings.canceled++
  else wrong.push(name(`${ending.status}, ${reason}`))
}

/** Every accepted Retry and redrive started a round, and every round made an attempt. */
function judgeRounds({ partner }: Accepted, ending: Ending, presses: Presses, findings: Findings, name: Name): void {
  const { deliveryId, round, history, status, reason } = ending
  if (reason === 'WEBHOOK_DISABLED' && partner.configurations.every(({ enabled }) => enabled)) {
    findings.wrong.push(name('WEBHOOK_DISABLED, but nobody disabled it'))
  }
  const { accepted, unknown } = presses.get(deliveryId) ?? { accepted: 0, unknown: 0 }
  const pressed = `in round ${round} after ${accepted} accepted Retries and redrives and ${unknown} without a response`
  if (round < 1 + accepted) findings.lost.push(name(pressed))
  if (round > 1 + accepted + unknown) findings.wrong.push(name(pressed))

  const attempted = new Set(history.map((attempt) => attempt.round))
  for (let one = 1; one <= round; one++) {
    // The reason of a canceled round is overwritten when the next one starts. And a request of an earlier round may
    // succeed before the current one has sent anything.
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
    if (!right) wrong.push(name(`${end}, although its image is broken`))
    return
  }
  const allowed: readonly (string | null)[] = kinds[result.partner.kind].ends
  if (allowed.includes(end)) return
  if (end === 'RECEIVES_EXHAUSTED') lost.push(name('not delivered even after everything had recovered'))
  else wrong.push(name(`${end}, expected ${allowed.join(' or ')}`))
}
