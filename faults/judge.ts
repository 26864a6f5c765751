import sql from 'sql-template-tag'
import type { Database } from '../server/database/database.ts'
import { kinds } from './partners.ts'
import type { Received } from './receiver.ts'
import type { Accepted } from './reporting.ts'

/** What the database says about one result's delivery. */
export type Ending = {
  resultId: string
  status: 'PENDING' | 'DELIVERED' | 'FAILED'
  reason: string | null
  attempts: number
  /** Of the attempts whose outcome was written down: what went wrong, null for those that arrived. */
  errors: (string | null)[]
  hasDeadLetter: boolean
  hasJob: boolean
}

export async function readEndings(database: Database): Promise<Ending[]> {
  return database.query<Ending>(sql`
    select d.result_id as "resultId", d.status, d.failure_reason as reason, d.attempts,
      (select coalesce(json_agg(a.error order by a.id) filter (where a.finished_at is not null), '[]')
        from delivery_attempts a where a.delivery_id = d.id) as errors,
      d.id in (select data ->> 'deliveryId' from pgboss.job where name = 'deliveries-dead') as "hasDeadLetter",
      d.id in (select data ->> 'deliveryId' from pgboss.job
        where name = 'deliveries' and state in ('created', 'retry', 'active')) as "hasJob"
    from deliveries d order by d.id`)
}

export type Findings = {
  delivered: number
  rejected: number
  exhausted: number
  stuck: string[]
  lost: string[]
  wrong: string[]
}

/**
 * Holds what the database says against what the receivers say. `finally` is after the second chance: by then only what
 * the receiver itself refused, or what has no image, may be anything but DELIVERED.
 */
export function judge(
  accepted: readonly Accepted[],
  endings: readonly Ending[],
  when: 'at first' | 'finally',
): Findings {
  const findings: Findings = { delivered: 0, rejected: 0, exhausted: 0, stuck: [], lost: [], wrong: [] }
  const found = new Map(endings.map((ending) => [ending.resultId, ending]))
  const received = requestsByResult(accepted)
  for (const result of accepted) {
    const ending = found.get(result.resultId)
    found.delete(result.resultId)
    const told = (text: string) => `${result.resultId} of ${result.partner.name}: ${text}`
    if (!ending) {
      findings.lost.push(told('accepted, and there is no delivery'))
      continue
    }
    const requests = received.get(result.resultId) ?? []
    if (ending.status === 'PENDING' || ending.reason === 'ENQUEUE_FAILED') {
      findings.stuck.push(told(`${ending.status}, ${ending.attempts} attempts, ${ending.hasJob ? 'a' : 'no'} job`))
      continue
    }
    judgeEnding(result, ending, requests, findings, told)
    if (when === 'finally') judgeFinally(result, ending, findings, told)
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

type Tell = (text: string) => string

function judgeEnding(result: Accepted, ending: Ending, requests: Received[], findings: Findings, told: Tell): void {
  const { lost, wrong } = findings
  const answered = (low: number) => requests.some(({ status }) => status !== null && Math.floor(status / 100) === low)
  if (ending.attempts > 4) wrong.push(told(`${ending.attempts} attempts; four are allowed`))
  if (result.brokenImage && requests.length > 0) wrong.push(told('sent without a good image'))
  for (const request of requests) {
    if (!request.signed) wrong.push(told('its signature does not verify'))
    else if (!request.sameIds) wrong.push(told('the ids of headers and body differ'))
    if (request.eventId !== `external_result_completed_${result.resultId}`) wrong.push(told(`id ${request.eventId}`))
    if (request.body !== requests[0]?.body) wrong.push(told('a repeat has another body'))
  }
  if (ending.status === 'DELIVERED') {
    findings.delivered++
    if (!answered(2)) lost.push(told('DELIVERED, and the receiver has not got it'))
  } else if (ending.reason === 'RECEIVER_REJECTED') {
    findings.rejected++
    if (!answered(4) || ending.errors.at(-1) !== 'HTTP_4XX') wrong.push(told('RECEIVER_REJECTED without a 4xx'))
  } else if (ending.reason === 'RECEIVES_EXHAUSTED') {
    findings.exhausted++
    if (!ending.hasDeadLetter) lost.push(told('RECEIVES_EXHAUSTED, and there is no dead letter'))
    if (ending.errors.includes(null)) wrong.push(told('RECEIVES_EXHAUSTED, though an attempt arrived'))
    if (ending.errors.includes('HTTP_4XX')) wrong.push(told('RECEIVES_EXHAUSTED, though a 4xx is final'))
  } else wrong.push(told(`${ending.status}, ${ending.reason}`))
}

function judgeFinally(result: Accepted, ending: Ending, { wrong, lost }: Findings, told: Tell): void {
  const end = ending.status === 'DELIVERED' ? 'DELIVERED' : ending.reason
  if (result.brokenImage) {
    const right = end === 'RECEIVES_EXHAUSTED' && ending.errors.every((error) => error === 'THUMBNAIL_MALFORMED')
    if (!right) wrong.push(told(`${end}, though its image is broken`))
    return
  }
  const allowed: readonly (string | null)[] = kinds[result.partner.kind].ends
  if (allowed.includes(end)) return
  if (end === 'RECEIVES_EXHAUSTED') lost.push(told('not delivered even when everything was well'))
  else wrong.push(told(`${end}, where ${allowed.join(' or ')} was due`))
}
