import type { Database } from '../database/database.ts'
import { resultUrl } from '../interviews/results.ts'
import type { ThumbnailChecker, ThumbnailVerdict } from '../interviews/thumbnail.ts'
import { keepVerdict } from '../interviews/thumbnails.ts'
import { unseal } from '../secrets.ts'
import { type Attempt, type DeliveryRecords, markDisabled, type Outcome, type Verdict } from './deliveries.ts'
import type { DestinationGuard } from './destination.ts'
import { buildEvent, eventHeaders } from './event.ts'
import type { Poster } from './post.ts'
import { sign } from './signature.ts'

export type DeliverDependencies = {
  database: Database
  records: DeliveryRecords
  checker: ThumbnailChecker
  guard: DestinationGuard
  poster: Poster
  secretsKey: Buffer
  appUrl: string
  clock: () => Date
}

export const deadlineMilliseconds = 5_000

/** One attempt at one delivery, from beginning to end. Tells the queue whether the job is done or comes again. */
export async function deliver(
  dependencies: DeliverDependencies,
  job: { deliveryId: string; last: boolean },
): Promise<{ disposition: 'done' | 'again'; outcome: Outcome | null }> {
  const { database, records, clock } = dependencies
  const begun = await records.begin(job.deliveryId)
  if (begun.outcome === 'finished') return { disposition: 'done', outcome: null }
  if (begun.outcome === 'disabled') {
    await markDisabled(database, job.deliveryId, clock())
    return { disposition: 'done', outcome: null }
  }
  const { attempt } = begun
  const outcome = await make(dependencies, attempt)
  const verdict = judge(outcome, job.last)
  await records.record({ attempt, outcome, verdict })
  const done = verdict.status === 'DELIVERED' || verdict.reason === 'RECEIVER_REJECTED'
  return { disposition: done ? 'done' : 'again', outcome }
}

async function make(dependencies: DeliverDependencies, attempt: Attempt): Promise<Outcome> {
  const thumbnail = await checkThumbnail(dependencies, attempt)
  if (!thumbnail.ok) return { ...nothing, error: thumbnail.error, detail: thumbnail.detail }

  const outcome = await send(dependencies, attempt, thumbnail.image)
  // Kept only where it will be asked for again: an event that arrived is never sent twice.
  if (outcome.error !== null && thumbnail.fresh) await remember(dependencies.database, attempt, { ok: true })
  return outcome
}

type Checked = { ok: true; image: string; fresh: boolean } | (ThumbnailVerdict & { ok: false })

/** The image is judged once; its verdict holds for these bytes, and a new upload is judged anew. */
async function checkThumbnail({ checker, database }: DeliverDependencies, attempt: Attempt): Promise<Checked> {
  const { image, verdict } = attempt
  if (verdict) return verdict.ok && image !== null ? { ok: true, image, fresh: false } : refused(verdict)
  if (image === null && attempt.imageSize !== null) {
    const detail = `The thumbnail has ${attempt.imageSize.toLocaleString('en')} bytes; at most 1,000,000 are allowed.`
    return { ok: false, error: 'THUMBNAIL_TOO_LARGE', detail }
  }
  const fresh = await checker.check(image === null ? null : Buffer.from(image, 'base64'))
  if (fresh.ok && image !== null) return { ok: true, image, fresh: true }
  await remember(database, attempt, fresh)
  return refused(fresh)
}

function refused(verdict: ThumbnailVerdict): ThumbnailVerdict & { ok: false } {
  if (verdict.ok) throw new Error('A good image is missing')
  return verdict
}

async function remember(database: Database, attempt: Attempt, verdict: ThumbnailVerdict): Promise<void> {
  if (attempt.imageVersion !== null) await keepVerdict(database, attempt.interviewId, attempt.imageVersion, verdict)
}

/** Everything that goes over the wire, under one deadline: from the name's addresses to the last byte of the answer. */
async function send(dependencies: DeliverDependencies, attempt: Attempt, image: string): Promise<Outcome> {
  const { guard, poster, secretsKey, appUrl, clock } = dependencies
  const signal = AbortSignal.timeout(deadlineMilliseconds)
  const started = performance.now()
  const vetting = await guard.vet(attempt.url, signal)
  const dns = performance.now() - started
  if (!vetting.ok) {
    const timing = { dns, connect: null, tls: null, firstByte: null, total: dns }
    return { ...nothing, error: vetting.error, detail: vetting.detail, timing }
  }

  const { resultId } = attempt
  const body = buildEvent(eventOf(attempt, appUrl), image)
  const signature = sign(body, unseal(secretsKey, attempt.sealedSecret, attempt.organizationId), clock())
  const headers = eventHeaders(resultId, signature)
  const { timing, ...posted } = await poster.post(vetting.destination, { headers, body, signal })
  return { ...posted, timing: { ...timing, dns, total: timing.total + dns } }
}

function eventOf(attempt: Attempt, appUrl: string) {
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

function judge({ error }: Outcome, last: boolean): Verdict {
  if (error === null) return { status: 'DELIVERED', reason: null }
  if (error === 'HTTP_4XX') return { status: 'FAILED', reason: 'RECEIVER_REJECTED' }
  if (last) return { status: 'FAILED', reason: 'RECEIVES_EXHAUSTED' }
  return { status: 'PENDING', reason: null }
}

/** The request never left. */
const nothing: Outcome = { error: null, detail: null, status: null, address: null, answer: null, timing: null }
