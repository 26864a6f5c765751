import type { Database } from '../database/database.ts'
import type { Unseal } from '../endpoints/secrets.ts'
import { sign } from '../endpoints/signature.ts'
import type { Semaphore } from '../images/semaphore.ts'
import { sizeFault, type ThumbnailChecker, type ThumbnailVerdict } from '../images/thumbnail.ts'
import { findThumbnail, keepVerdict, type StoredThumbnail } from '../images/thumbnails.ts'
import { resultUrl } from '../interviews/results.ts'
import type { DestinationGuard } from '../outbound/destination.ts'
import type { Poster } from '../outbound/post.ts'
import { type Attempt, type DeliveryRecords, markDisabled, type Outcome, type Verdict } from './deliveries.ts'
import { buildEvent, type EventSource, eventHeaders } from './event.ts'

export type DeliverDependencies = {
  database: Database
  records: DeliveryRecords
  checker: ThumbnailChecker
  /** Bounds how many large images are in memory for having an event built around them. */
  largeImages: Semaphore
  /** The same for those that have to be looked at first: they take longer, and the others do not wait for them. */
  largeLooks: Semaphore
  /** Bounds how many bytes of them are in memory as events under way, in all and for each organization. */
  largeEvents: Semaphore
  guard: DestinationGuard
  poster: Poster
  unseal: Unseal
  appUrl: string
  clock: () => Date
  /** Told what came of each receive, once that is written down. */
  observe?: ((report: DeliveryReport) => void) | undefined
}

export type DeliveryResult = 'delivered' | 'rejected' | 'failed_again' | 'exhausted' | 'disabled'

/** There is no attempt when the webhook is disabled. */
export type DeliveryReport = { deliveryId: string; result: DeliveryResult; attempt: ReportedAttempt | null }

export type ReportedAttempt = {
  outcome: Outcome
  traceparent: string | null
  storedAt: string
  startedAt: Date
  endedAt: Date
}

export const deadlineMilliseconds = 5_000

/**
 * One attempt at one delivery, from beginning to end. Tells the queue whether the job is done or comes again, and by
 * `sent` when nothing is left but to write down what came of it.
 */
export async function deliver(
  dependencies: DeliverDependencies,
  job: { deliveryId: string; last: boolean; sent?: () => void },
): Promise<{ disposition: 'done' | 'again'; outcome: Outcome | null }> {
  const { database, records, clock, observe } = dependencies
  const { deliveryId } = job
  const startedAt = clock()
  const begun = await records.begin(deliveryId)
  if (begun.outcome === 'finished') return { disposition: 'done', outcome: null }
  if (begun.outcome === 'disabled') {
    await markDisabled(database, deliveryId, clock())
    observe?.({ deliveryId, result: 'disabled', attempt: null })
    return { disposition: 'done', outcome: null }
  }
  const { attempt } = begun
  const { attemptId, number, traceparent, occurredAt: storedAt } = attempt
  const outcome = await make(dependencies, attempt)
  const endedAt = clock()
  job.sent?.()
  const verdict = judge(outcome, job.last)
  await records.record({ attemptId, number, deliveryId, outcome, verdict })
  observe?.({ deliveryId, result: resultOf(verdict), attempt: { outcome, traceparent, storedAt, startedAt, endedAt } })
  const done = verdict.status === 'DELIVERED' || verdict.reason === 'RECEIVER_REJECTED'
  return { disposition: done ? 'done' : 'again', outcome }
}

async function make(dependencies: DeliverDependencies, attempt: Attempt): Promise<Outcome> {
  const made = () => makeAtOnce(dependencies, attempt)
  const { thumbnail, organizationId } = attempt
  if (thumbnail === null || !hasImageElsewhere(attempt)) return made()
  return dependencies.largeEvents(made, { size: thumbnail.size, of: organizationId })
}

/** A small image came along with the attempt; a large one is fetched when it is its turn. */
function hasImageElsewhere({ thumbnail }: Attempt): boolean {
  return thumbnail !== null && thumbnail.base64 === null && thumbnail.verdict?.ok !== false
}

async function makeAtOnce(dependencies: DeliverDependencies, attempt: Attempt): Promise<Outcome> {
  const event = await prepare(dependencies, attempt)
  if (!event.ok) return { ...nothing, error: event.error, detail: event.detail }

  const outcome = await send(dependencies, attempt, event.body)
  // Kept only where it will be asked for again: an event that arrived is never sent twice.
  if (outcome.error !== null && event.fresh) {
    await keepVerdict(dependencies.database, attempt.interviewId, event.version, { ok: true })
  }
  return outcome
}

type Prepared = { ok: true; body: Buffer; version: string; fresh: boolean } | (ThumbnailVerdict & { ok: false })

/** Checks the image and builds the event around it. From here on a large image lives on in the event alone. */
async function prepare(dependencies: DeliverDependencies, attempt: Attempt): Promise<Prepared> {
  const { largeImages, largeLooks, database, appUrl } = dependencies
  const { thumbnail, interviewId } = attempt

  const around = async (stored: StoredThumbnail | null): Promise<Prepared> => {
    const checked = await check(dependencies, interviewId, stored)
    if (!checked.ok) return checked
    const { image, ...known } = checked
    return { ...known, body: buildEvent(eventOf(attempt, appUrl), image) }
  }
  if (!hasImageElsewhere(attempt)) return around(thumbnail)
  const inTurn = thumbnail?.verdict ? largeImages : largeLooks
  return inTurn(async () => around(await findThumbnail(database, interviewId)))
}

type Checked = { ok: true; image: string; version: string; fresh: boolean } | (ThumbnailVerdict & { ok: false })

/** The image is judged once; its verdict holds for these bytes, unless it is a passing one. A new upload is judged anew. */
async function check(
  { checker, database }: DeliverDependencies,
  interviewId: string,
  thumbnail: StoredThumbnail | null,
): Promise<Checked> {
  const { base64: image, version, verdict } = thumbnail ?? { base64: null, version: null, verdict: null }
  if (verdict?.ok === false) return verdict
  const tooLarge = thumbnail && sizeFault(thumbnail.size)
  if (tooLarge) return tooLarge
  const found = verdict ?? (await checker.check(image === null ? null : Buffer.from(image, 'base64')))
  if (found.ok && image !== null && version !== null) return { ok: true, image, version, fresh: verdict === null }
  if (found.ok) throw new Error('A good image is missing')
  if (version !== null && !found.passing) await keepVerdict(database, interviewId, version, found)
  return found
}

/** What of an attempt goes into its event. */
export function eventOf(
  attempt: Omit<Attempt, 'attemptId' | 'number' | 'deliveryId' | 'traceparent' | 'url' | 'sealedSecret' | 'thumbnail'>,
  appUrl: string,
): EventSource {
  return {
    resultId: attempt.resultId,
    occurredAt: attempt.occurredAt,
    resultUrl: resultUrl(appUrl, attempt.resultToken),
    completedAt: attempt.completedAt,
    interviewId: attempt.interviewId,
    template: { id: attempt.templateId, name: attempt.templateName },
    candidate: {
      id: attempt.candidateId,
      email: attempt.email,
      firstName: attempt.firstName,
      lastName: attempt.lastName,
    },
    scoring: attempt.scoring,
  }
}

/** Everything that goes over the wire, under one deadline: from the name's addresses to the last byte of the answer. */
async function send(dependencies: DeliverDependencies, attempt: Attempt, body: Buffer): Promise<Outcome> {
  const deadline = new AbortController()
  // Not AbortSignal.timeout: that keeps all there is about an event for its five seconds, however soon it was answered.
  const timer = setTimeout(() => deadline.abort(), deadlineMilliseconds)
  try {
    return await sendBefore(deadline.signal, dependencies, attempt, body)
  } finally {
    clearTimeout(timer)
  }
}

async function sendBefore(
  signal: AbortSignal,
  { guard, poster, unseal, clock }: DeliverDependencies,
  attempt: Attempt,
  body: Buffer,
): Promise<Outcome> {
  const started = performance.now()
  const vetting = await guard.vet(attempt.url, signal)
  const dns = performance.now() - started
  if (!vetting.ok) {
    const timing = { dns, connect: null, tls: null, firstByte: null, total: dns }
    return { ...nothing, error: vetting.error, detail: vetting.detail, timing }
  }

  const signature = sign(body, unseal(attempt.sealedSecret, attempt.organizationId), clock())
  const headers = eventHeaders(attempt.resultId, signature)
  const { timing, ...posted } = await poster.post(vetting.destination, { headers, body, signal })
  return { ...posted, timing: { ...timing, dns, total: timing.total + dns } }
}

function judge({ error }: Outcome, last: boolean): Verdict {
  if (error === null) return { status: 'DELIVERED', reason: null }
  if (error === 'HTTP_4XX') return { status: 'FAILED', reason: 'RECEIVER_REJECTED' }
  if (last) return { status: 'FAILED', reason: 'RECEIVES_EXHAUSTED' }
  return { status: 'PENDING', reason: null }
}

function resultOf({ status, reason }: Verdict): DeliveryResult {
  if (status === 'DELIVERED') return 'delivered'
  if (reason === 'RECEIVER_REJECTED') return 'rejected'
  return reason === 'RECEIVES_EXHAUSTED' ? 'exhausted' : 'failed_again'
}

/** The request never left. */
const nothing: Outcome = { error: null, detail: null, status: null, address: null, answer: null, timing: null }
