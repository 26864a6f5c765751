import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import pino from 'pino'
import sql from 'sql-template-tag'
import { attempt } from '../server/deliveries/attempt.ts'
import { type Delivery, findDelivery, type PastAttempt } from '../server/deliveries/delivery-history.ts'
import { createDeliveryLoader } from '../server/deliveries/load.ts'
import { type Settlement, settle } from '../server/deliveries/transitions.ts'
import { startWorker, type WorkerDependencies } from '../server/deliveries/worker.ts'
import { createUnseal, type Unseal } from '../server/endpoints/secrets.ts'
import { createSigningKey } from '../server/endpoints/signature.ts'
import { createEventImages } from '../server/images/event-images.ts'
import { createRecentImages } from '../server/images/recent-images.ts'
import { createThumbnailChecker, type ThumbnailChecker } from '../server/images/thumbnail-checker.ts'
import { createDestinationGuard } from '../server/outbound/destination.ts'
import { createPoster, deadlineMilliseconds } from '../server/outbound/post.ts'
import type { Consumer } from '../server/queue/queue.ts'
import { saveWebhook } from '../server/workflows/administer.ts'
import type { Engine } from './engines.ts'
import { photograph } from './jpeg.ts'
import { eventually } from './process.ts'
import { breakQueue, claimJob, readJob, type StoredJob } from './queue-hooks.ts'
import { type ReceivedRequest, type ReceiverResponse, type Responder, startReceiver } from './receiver.ts'
import {
  type ApiResponse,
  appUrl,
  call,
  engineToken,
  type Partner,
  type Service,
  type ServiceOptions,
  send,
  startService,
} from './service.ts'

export const image = photograph({ width: 48, height: 48 })

export const scoring = {
  technical_score: 82,
  technical_feedback: 'Sound designs.',
  soft_skills_score: 74.5,
  soft_skills_feedback: 'Listens.',
  language_proficiency: 91,
  language_proficiency_feedback: 'Fluent.',
  weighted_score: 81.25,
  feedback: 'A good conversation — „überzeugend“ 👍',
  highlights: ['Found the race', 'Tests first'],
  suggestions: ['Sum up more often'],
  duration: 2534,
}

export type Invitation = {
  id: string
  templateId: string
  candidate: { id: string; email: string; firstName: string; lastName: string }
  interview: { id: string; status: string }
  inviteUrl: string | null
}

export type CompletedInterview = { resultId: string; resultUrl: string; deliveryId: string; invitation: Invitation }

export type CompletionOptions = { image?: Buffer | null; scoring?: object; analysis?: object; completedAt?: string }

/** An organization with a webhook and its own receiver. */
export type Subscriber = Partner & {
  url: string
  secret: string
  /** What the host name in its URL resolves to. */
  addresses: { now: string[] }
  /** What its receiver received, in order. */
  requests: ReceivedRequest[]
  /** Sets how its receiver responds from now on. Default: 200. */
  answer(respond: Responder | ReceiverResponse): void
  /** Invites a new candidate to a new template. */
  invite(): Promise<Invitation>
  /** Runs an interview from invitation to final result, as the interview product reports it. */
  complete(options?: CompletionOptions): Promise<CompletedInterview>
}

export type Outbound = Omit<WorkerDependencies, 'queue' | 'logger' | 'observe'>

export type Deliveries = {
  service: Service
  /** The CA that signed the receiver's certificate. */
  ca: string
  /** The dependencies of one attempt. A test may replace any of them. */
  out: Outbound & { secretsKey: Buffer; checker: ThumbnailChecker; unseal: Unseal }
  subscriber(options?: { host?: string }): Promise<Subscriber>
  /** Calls /internal/v1 as the interview product does. */
  engine<Body = unknown>(method: string, path: string, body?: unknown): Promise<ApiResponse<Body>>
  uploadImage(interviewId: string, bytes: Buffer): Promise<ApiResponse>
  /** Claims, attempts and settles one receive of a delivery's job, as the worker does. */
  attempt(deliveryId: string, options?: { receive?: number; with?: Partial<Outbound> }): Promise<Settlement>
  /** Starts a real worker on the service's queue. */
  startWorker(overrides?: Partial<WorkerDependencies>): Consumer
  stopWorkers(): Promise<void>
  read(deliveryId: string): Promise<Delivery & { history: PastAttempt[] }>
  /** Waits until the delivery has this status, then returns it. */
  waitForStatus(deliveryId: string, status: Delivery['status']): Promise<Delivery & { history: PastAttempt[] }>
  /** The delivery's job as the queue stores it. */
  job(deliveryId: string): Promise<StoredJob | null>
  /** Makes every queue operation fail until the returned function is called. */
  breakQueue(): Promise<() => Promise<void>>
  /** Everything the service and its workers have logged, at every level. */
  logged(): string
  close(): Promise<void>
}

/** The service with a real receiver on loopback. Nothing is delivered until a test makes an attempt or starts a worker. */
export async function startDeliveries(
  engine: Engine,
  options: Pick<
    ServiceOptions,
    'checker' | 'listen' | 'listenerLimits' | 'connectionLimits' | 'mailConfigured' | 'openQueue'
  > = {},
): Promise<Deliveries> {
  const receiver = await startReceiver({ names: ['*.hooks.example.com'] })
  const responders = new Map<string, Responder>()
  receiver.answer((request, response) => {
    const respond = responders.get(request.url)
    return respond ? respond(request, response) : {}
  })

  const names = new Map<string, { now: string[] }>()
  const resolve = async (name: string) => names.get(name)?.now ?? []
  const guard = createDestinationGuard({ resolve, allowCidrs: ['127.0.0.0/8'] })
  const secretsKey = randomBytes(32)
  const recentImages = createRecentImages()
  const service = await startService(engine, {
    ...options,
    guard,
    destinationCa: receiver.ca,
    secretsKey,
    recentImages,
  })
  const { database, time } = service
  const checker = createThumbnailChecker({ threads: 1 })
  const poster = createPoster({ extraCa: receiver.ca })
  const clock = () => time.now
  const unseal = createUnseal({ current: secretsKey, previous: null })
  const out = {
    database,
    checker,
    loader: createDeliveryLoader(database),
    images: createEventImages({
      database,
      checker,
      recent: recentImages,
      memory: { total: 300_000, perOrganization: 150_000 },
    }),
    guard,
    poster,
    secretsKey,
    unseal,
    signingKey: createSigningKey(unseal),
    appUrl,
    retryDelaySeconds: 0,
    deadlineMilliseconds,
    clock,
  }
  let lines = ''
  const logger = pino(
    { level: 'trace' },
    new Writable({
      write(chunk, _encoding, done) {
        lines += chunk
        done()
      },
    }),
  )
  const authorization = { authorization: `Bearer ${engineToken}` }
  const toEngine: Deliveries['engine'] = (method, path, body) =>
    call(service.url, method, `/internal/v1${path}`, authorization, body)
  const uploadImage: Deliveries['uploadImage'] = (interviewId, bytes) =>
    send(
      service.url,
      'PUT',
      `/internal/v1/interviews/${interviewId}/thumbnail`,
      { ...authorization, 'content-type': 'image/jpeg' },
      new Uint8Array(bytes),
    )
  const read = async (deliveryId: string) => {
    const delivery = await findDelivery(database, deliveryId)
    assert.ok(delivery, deliveryId)
    return delivery
  }

  const workers: Consumer[] = []
  const stopWorkers = async () => {
    for (const worker of workers.splice(0)) await worker.stop()
  }
  let count = 0
  const next = () => ++count

  async function invite(partner: Partner): Promise<Invitation> {
    const number = next()
    const template = await partner.call<{ id: string }>('POST', '/v1/templates', {
      title: `Backend engineer ${number}`,
      description: 'Queues.',
    })
    const invited = await partner.call<Invitation>('POST', '/v1/interview-invitations', {
      templateId: template.body.id,
      candidate: { email: `Ada.${number}@example.com`, firstName: 'Ada', lastName: 'Lovelace' },
    })
    assert.equal(invited.status, 201, invited.text)
    return invited.body
  }

  async function complete(partner: Partner, options: CompletionOptions): Promise<CompletedInterview> {
    const { image: picture = image, scoring: scored = scoring, ...rest } = options
    const invitation = await invite(partner)
    const interviewId = invitation.interview.id
    if (picture !== null) assert.equal((await uploadImage(interviewId, picture)).status, 200)
    const path = `/interviews/${interviewId}/result`
    const reported = await toEngine<{ resultId: string; resultUrl: string }>('PUT', path, { scoring: scored, ...rest })
    assert.equal(reported.status, 201, reported.text)
    // Read directly: a test may have broken the queue.
    const [delivery] = await database.query<{ id: string }>(sql`
      select id from deliveries where result_id = ${reported.body.resultId}`)
    assert.ok(delivery, 'the result opened a delivery')
    return { ...reported.body, deliveryId: delivery.id, invitation }
  }

  return {
    service,
    ca: receiver.ca,
    out,
    async subscriber({ host } = {}) {
      const number = next()
      const partner = await service.partner({ unlimited: true })
      const path = `/events/${number}`
      const name = `${host ?? `organization-${number}`}.hooks.example.com`
      const addresses = { now: ['127.0.0.1'] }
      names.set(name, addresses)
      const url = receiver.url(path, name)
      const saved = await saveWebhook(
        { database, guard, secretsKey },
        { organizationId: partner.organizationId, actor: 'test' },
        { url },
        time.now,
      )
      assert.ok(saved.outcome === 'saved' && saved.secret !== null)
      return {
        ...partner,
        url,
        secret: saved.secret,
        addresses,
        get requests() {
          return receiver.requests.filter((request) => request.url === path)
        },
        answer: (respond) => void responders.set(path, typeof respond === 'function' ? respond : () => respond),
        invite: () => invite(partner),
        complete: (options = {}) => complete(partner, options),
      }
    },
    engine: toEngine,
    uploadImage,
    async attempt(deliveryId, { receive, with: overrides } = {}) {
      const job = await claimJob(database, deliveryId, receive === undefined ? {} : { receive })
      const { settlement } = await attempt({ ...out, ...overrides }, job)
      await settle(database, [settlement])
      return settlement
    },
    startWorker(overrides = {}) {
      const worker = startWorker({ ...out, queue: service.queue, logger, ...overrides })
      workers.push(worker)
      return worker
    },
    stopWorkers,
    read,
    async waitForStatus(deliveryId, status) {
      await eventually(async () => (await read(deliveryId)).status === status)
      const delivery = await read(deliveryId)
      assert.equal(delivery.status, status, JSON.stringify(delivery, null, 2))
      return delivery
    },
    job: (deliveryId) => readJob(database, deliveryId),
    breakQueue: () => breakQueue(database),
    logged: () => service.logged() + lines,
    async close() {
      await stopWorkers()
      await poster.close()
      await checker.close()
      await receiver.close()
      await service.close()
    },
  }
}
