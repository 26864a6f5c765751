import type { Queryable } from '../database/database.ts'
import type { Unseal } from '../endpoints/secrets.ts'
import { sign } from '../endpoints/signature.ts'
import type { EventImages } from '../images/event-images.ts'
import type { DestinationGuard } from '../outbound/destination.ts'
import { deadlineMilliseconds, type Poster } from '../outbound/post.ts'
import { type ClaimedJob, receives } from '../queue/queue.ts'
import { buildEvent, eventHeaders } from './event.ts'
import { toEventSource } from './event-source.ts'
import type { Configuration, DeliveryLoader, LoadedDelivery } from './load.ts'
import type { AttemptReport, FailureReason } from './outcome.ts'
import { begin, type Settlement } from './transitions.ts'

export type AttemptDependencies = {
  database: Queryable
  loader: DeliveryLoader
  images: EventImages
  guard: DestinationGuard
  poster: Poster
  unseal: Unseal
  appUrl: string
  retryDelaySeconds: number
  clock: () => Date
}

/** What became of a receive, and the delivery it was about. */
export type Attempted = { settlement: Settlement; delivery: LoadedDelivery | null }

/** One receive of one job: load → image → configuration in force now → destination → sign → send. */
export async function attempt(dependencies: AttemptDependencies, job: ClaimedJob): Promise<Attempted> {
  const { database, loader, images, appUrl, retryDelaySeconds, clock } = dependencies
  const delivery = await loader.load(job.deliveryId)
  const without = (settled: Omit<Settlement, 'job' | 'attempt'>): Attempted => ({
    settlement: { job, ...settled, attempt: null },
    delivery,
  })
  if (!delivery || !isOpen(delivery) || delivery.round !== job.round) return without({ outcome: 'dropped' })
  if (job.receive > receives) return without({ outcome: 'exhausted' })
  if (delivery.failureReason === 'ENQUEUE_FAILED') await begin(database, job.deliveryId, job.round)

  const startedAt = clock()
  const image = await images.provide(delivery, async (imageBase64) => {
    const body = buildEvent(toEventSource(delivery, appUrl), imageBase64)
    const configuration = await loader.configuration(job)
    return refusal(configuration) ?? send(dependencies, delivery, configuration, body)
  })
  const result = image.ok ? image.result : (refusal(await loader.configuration(job)) ?? prevented(image))
  if ('outcome' in result) return without(result)

  const report = { ...result, number: delivery.earlierAttempts + job.receive, startedAt, finishedAt: clock() }
  return { delivery, settlement: { job, ...whatNext(report, job, retryDelaySeconds), attempt: report } }
}

function isOpen({ status, failureReason }: LoadedDelivery): boolean {
  return status === 'PENDING' || failureReason === 'ENQUEUE_FAILED'
}

type Refusal = { outcome: 'dropped' } | { outcome: 'canceled'; reason: FailureReason }

/** Why no request may leave at this moment; null when one may. */
function refusal({ erased, isCurrent, active, enabled }: Configuration): Refusal | null {
  if (erased) return { outcome: 'canceled', reason: 'CANDIDATE_ERASED' }
  if (!isCurrent) return { outcome: 'dropped' }
  if (!active) return { outcome: 'canceled', reason: 'ORGANIZATION_INACTIVE' }
  return enabled ? null : { outcome: 'canceled', reason: 'WEBHOOK_DISABLED' }
}

/** Everything that goes over the wire, under one deadline that begins with the lookup of the name. */
async function send(
  { guard, poster, unseal, clock }: AttemptDependencies,
  { resultId, organizationId }: LoadedDelivery,
  { url, sealedSecret }: Configuration,
  body: Buffer,
): Promise<AttemptReport> {
  if (url === null || sealedSecret === null) throw new Error('An enabled webhook has a URL and a secret')
  const deadline = new AbortController()
  // Not AbortSignal.timeout: that keeps all there is about an event for its five seconds, however soon it was answered.
  const timer = setTimeout(() => deadline.abort(), deadlineMilliseconds)
  try {
    const started = performance.now()
    const vetting = await guard.vet(url, deadline.signal)
    const dns = performance.now() - started
    if (!vetting.ok) {
      const timing = { dns, connect: null, tls: null, firstByte: null, total: dns }
      return { ...prevented(vetting), timing }
    }
    const headers = eventHeaders(resultId, sign(body, unseal(sealedSecret, organizationId), clock()))
    const { timing, ...posted } = await poster.post(vetting.destination, { headers, body, signal: deadline.signal })
    return { ...posted, timing: { ...timing, dns, total: timing.total + dns } }
  } finally {
    clearTimeout(timer)
  }
}

/** The request never left. */
function prevented({ error, code = null, phase = null, detail }: Prevented): AttemptReport {
  return { error, code, phase, detail, status: null, address: null, answer: null, timing: null }
}

type Prevented = Pick<AttemptReport, 'error' | 'detail'> & Partial<Pick<AttemptReport, 'code' | 'phase'>>

/** A success is final, and so is a 4xx; anything else comes again, unless this was the last receive. */
function whatNext(
  { error }: AttemptReport,
  { receive }: ClaimedJob,
  retryDelaySeconds: number,
): Pick<Settlement, 'outcome' | 'delaySeconds'> {
  if (error === null) return { outcome: 'delivered' }
  if (error === 'HTTP_4XX') return { outcome: 'rejected' }
  if (receive >= receives) return { outcome: 'exhausted' }
  return { outcome: 'postponed', delaySeconds: backoff(receive, retryDelaySeconds) }
}

/** Once, twice, four times the delay, each a tenth more or less, so that what failed together does not come together. */
function backoff(receive: number, retryDelaySeconds: number): number {
  return retryDelaySeconds * 2 ** (receive - 1) * (0.9 + Math.random() / 5)
}
