import type { Queryable } from '../database/database.ts'
import { type SigningKey, sign } from '../endpoints/signature.ts'
import type { EventImages } from '../images/event-images.ts'
import type { DestinationGuard } from '../outbound/destination.ts'
import type { Poster } from '../outbound/post.ts'
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
  signingKey: SigningKey
  appUrl: string
  retryDelaySeconds: number
  /** From the DNS lookup to the end of the response. */
  deadlineMilliseconds: number
  clock: () => Date
}

export type AttemptResult = {
  settlement: Settlement
  /** Null if there is nothing to observe. */
  delivery: LoadedDelivery | null
}

/** One receive of one job: load → image → current configuration → turn → destination → sign → send. */
export async function attempt(dependencies: AttemptDependencies, job: ClaimedJob): Promise<AttemptResult> {
  const { database, loader, images, appUrl, retryDelaySeconds, clock } = dependencies
  const delivery = await loader.load(job.deliveryId)
  const skip = (settlement: Omit<Settlement, 'job' | 'attempt'>): AttemptResult => ({
    settlement: { job, ...settlement, attempt: null },
    delivery,
  })
  if (!delivery || !isOpen(delivery) || delivery.round !== job.round) return skip({ outcome: 'dropped' })
  if (job.receive > receives || job.abandoned) return skip({ outcome: 'exhausted' })
  const isReopened = delivery.failureReason === 'ENQUEUE_FAILED'
  if (isReopened) await begin(database, job.deliveryId, job.round)

  const startedAt = clock()
  const sendIfAllowed = async (body: Buffer, waited: boolean) => {
    const isOutdated = waited || isReopened
    const configuration = isOutdated ? await loader.configuration(job) : delivery.configuration
    const refused = refusal(configuration)
    if (refused) return refused
    // The pause may have begun after this job was claimed.
    if (configuration.pauseSeconds !== null) return wait(configuration.pauseSeconds)
    if (configuration.paced && !job.holdsTurn) {
      const turn = await loader.turn(job)
      if (!turn.taken) return wait(turn.waitSeconds)
      // On the job itself, so that it is renewed, and ended even if sending throws.
      job.holdsTurn = true
    }
    return send(dependencies, delivery, configuration, body)
  }
  // Not asynchronous: that would keep the image in memory until the response arrives.
  const buildAndSend = (imageBase64: string, waited: boolean) =>
    sendIfAllowed(buildEvent(toEventSource(delivery, appUrl), imageBase64), waited)
  const image = await images.provide(delivery, buildAndSend, wasDelivered)
  const result = image.ok ? image.result : (refusal(await loader.configuration(job)) ?? unsent(image))
  if ('outcome' in result) return { ...skip(result), ...('waitSeconds' in result && { delivery: null }) }

  const report = { ...result, number: delivery.earlierAttempts + job.receive, startedAt, finishedAt: clock() }
  return {
    delivery,
    settlement: { job, ...classifyReport(report, job, retryDelaySeconds), attempt: report },
  }
}

function wasDelivered(result: object): boolean {
  return 'error' in result && result.error === null
}

function isOpen({ status, failureReason }: LoadedDelivery): boolean {
  return status === 'PENDING' || failureReason === 'ENQUEUE_FAILED'
}

type Refusal = { outcome: 'dropped' } | { outcome: 'canceled'; reason: FailureReason }

/** Why nothing may be sent right now; null if sending is fine. */
function refusal({ erased, isCurrent, active, enabled }: Configuration): Refusal | null {
  if (erased) return { outcome: 'canceled', reason: 'CANDIDATE_ERASED' }
  if (!isCurrent) return { outcome: 'dropped' }
  if (!active) return { outcome: 'canceled', reason: 'ORGANIZATION_INACTIVE' }
  return enabled ? null : { outcome: 'canceled', reason: 'WEBHOOK_DISABLED' }
}

/** Waiting for one's turn costs no receive. */
function wait(waitSeconds: number) {
  return { outcome: 'postponed', uncounted: true, waitSeconds } as const
}

/** Everything that touches the network, under one deadline. */
async function send(
  { guard, poster, signingKey, deadlineMilliseconds, clock }: AttemptDependencies,
  { resultId, organizationId }: LoadedDelivery,
  { url, sealedSecret }: Configuration,
  body: Buffer,
): Promise<AttemptReport> {
  if (url === null || sealedSecret === null) throw new Error('An enabled webhook must have a URL and a secret')
  const deadline = new AbortController()
  // Not AbortSignal.timeout: it would keep the event in memory for the full five seconds after a quick response.
  const timer = setTimeout(() => deadline.abort(), deadlineMilliseconds)
  try {
    const started = performance.now()
    const vetting = await guard.vet(url, deadline.signal)
    const dns = performance.now() - started
    if (!vetting.ok) {
      const timing = { dns, connect: null, tls: null, firstByte: null, total: dns }
      return { ...unsent(vetting), url, timing }
    }
    const headers = eventHeaders(resultId, sign(body, signingKey(sealedSecret, organizationId), clock()))
    const { timing, ...posted } = await poster.post(vetting.destination, { headers, body, signal: deadline.signal })
    return { ...posted, url: vetting.destination.url.href, timing: { ...timing, dns, total: timing.total + dns } }
  } finally {
    clearTimeout(timer)
  }
}

/** The report of an attempt whose request never left. */
function unsent({ error, code = null, phase = null, detail }: SendFault): AttemptReport {
  const response = { status: null, answer: null, headers: [], retryAfterSeconds: null }
  return { error, code, phase, detail, ...response, url: null, address: null, timing: null }
}

type SendFault = Pick<AttemptReport, 'error' | 'detail'> & Partial<Pick<AttemptReport, 'code' | 'phase'>>

/** A success or a 4xx is final. Anything else is retried, unless this was the last receive. */
function classifyReport(
  { error }: AttemptReport,
  { receive }: ClaimedJob,
  retryDelaySeconds: number,
): Pick<Settlement, 'outcome' | 'delaySeconds'> {
  if (error === null) return { outcome: 'delivered' }
  if (error === 'HTTP_4XX') return { outcome: 'rejected' }
  if (receive >= receives) return { outcome: 'exhausted' }
  return { outcome: 'postponed', delaySeconds: backoff(receive, retryDelaySeconds) }
}

/** 1, 2 and 4 times the delay, ±10% so that events that failed together don't all come back at once. */
function backoff(receive: number, retryDelaySeconds: number): number {
  return retryDelaySeconds * 2 ** (receive - 1) * (0.9 + Math.random() / 5)
}
