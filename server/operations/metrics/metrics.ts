import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client'
import type { PoolStats } from '../../database/database.ts'
import { type AttemptError, attemptErrors, type Outcome } from '../../deliveries/outcome.ts'
import type { SweepResult } from '../../deliveries/sweep.ts'
import type { SettledDelivery } from '../../deliveries/worker.ts'
import type { EndpointState } from '../../endpoints/endpoint-health.ts'
import type { CompletedRequest } from '../../http/app.ts'
import { type UploadVerdict, uploadVerdicts } from '../../images/thumbnail-uploader.ts'
import type { Channel } from '../../notifications/message.ts'
import type { SendOutcome } from '../../notifications/sender.ts'
import { type Backlog, backlogParts } from './backlog.ts'

/** Can be sent to another process and summed there. */
export type Snapshot = MetricObjectWithValues<MetricValue<string>>[]

export type Metrics = {
  requestCompleted(request: CompletedRequest): void
  settled(settled: SettledDelivery): void
  imageChecked(seconds: number): void
  imageUploaded(verdict: UploadVerdict): void
  swept(result: SweepResult): void
  endpointChanged(state: EndpointState): void
  messageHandled(channel: Channel, outcome: SendOutcome): void
  /** In the Prometheus text format. */
  text(): Promise<string>
  snapshot(): Promise<Snapshot>
}

/** Owns every series. Others get a function to call, never the registry. */
export function createMetrics(sources: {
  connections: () => PoolStats
  backlog: () => Promise<Backlog | null>
}): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  // Gauges named like counters. The series without the suffix have more detail.
  for (const name of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${name}_total`)
  watchConnections(registry, sources.connections)
  watchBacklog(registry, sources.backlog)

  const requests = new Histogram({
    name: 'interview_api_http_request_duration_seconds',
    help: 'Request duration by route, method and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })
  const rateLimited = new Counter({
    name: 'interview_api_rate_limited_requests_total',
    help: 'Requests rejected with 429, by route',
    labelNames: ['route'],
    registers,
  })
  const outcomes = new Counter({
    name: 'interview_api_delivery_outcomes_total',
    help: 'Receives of delivery jobs by outcome and error',
    labelNames: ['outcome', 'error'],
    registers,
  })
  for (const labels of possibleOutcomes) outcomes.inc(labels, 0)
  const phases = new Histogram({
    name: 'interview_api_delivery_phase_duration_seconds',
    help: 'Attempt duration by phase: dns, connect, tls, wait (until the first byte of the response) and total',
    labelNames: ['phase'],
    // An attempt's deadline is five seconds.
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  })
  for (const phase of ['dns', 'connect', 'tls', 'wait', 'total']) phases.zero({ phase })
  const storedToDelivered = new Histogram({
    name: 'interview_api_stored_to_delivered_seconds',
    help: 'Time from storing a result until its event was accepted',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600],
    registers,
  })
  const imageChecks = new Histogram({
    name: 'interview_api_image_check_duration_seconds',
    help: 'Image check duration, including the wait for a thread',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  })
  const imageUploads = new Counter({
    name: 'interview_api_image_uploads_total',
    help: 'Uploaded images by verdict: usable, refused, or none if the check did not finish in time',
    labelNames: ['verdict'],
    registers,
  })
  for (const verdict of uploadVerdicts) imageUploads.inc({ verdict }, 0)
  const imageRefusals = new Counter({
    name: 'interview_api_image_refusals_total',
    help: 'Attempts that failed because of the image, by error',
    labelNames: ['error'],
    registers,
  })
  for (const error of attemptErrors.filter(isAboutImage)) imageRefusals.inc({ error }, 0)
  const sweepFinds = new Counter({
    name: 'interview_api_sweep_finds_total',
    help: 'Deliveries without a job that the sweep enqueued',
    registers,
  })
  const endpointChanges = new Counter({
    name: 'interview_api_endpoint_changes_total',
    help: 'Endpoints that started failing, had been failing for an hour, or recovered',
    labelNames: ['state'],
    registers,
  })
  for (const state of ['failing', 'still_failing', 'recovered']) endpointChanges.inc({ state }, 0)

  const messages = new Counter({
    name: 'interview_api_messages_total',
    help: 'Emails and chat messages to members by outcome: sent, postponed after a failure, dropped because too old, or discarded',
    labelNames: ['channel', 'outcome'],
    registers,
  })
  for (const channel of ['email', 'chat']) {
    for (const outcome of ['sent', 'postponed', 'dropped', 'discarded']) messages.inc({ channel, outcome }, 0)
  }

  return {
    requestCompleted({ method, route, status, seconds }) {
      // Clients can make up methods, and each would create new series.
      requests.observe({ method: knownMethods.has(method) ? method : 'other', route, status }, seconds)
      if (status === 429) rateLimited.inc({ route })
    },
    settled({ settlement: { outcome, attempt }, delivery }) {
      outcomes.inc({ outcome, error: attempt?.error ?? 'none' })
      if (attempt === null) return
      const { error, timing } = attempt
      if (error !== null && isAboutImage(error)) imageRefusals.inc({ error })
      if (outcome === 'delivered') {
        storedToDelivered.observe((attempt.finishedAt.getTime() - Date.parse(delivery.occurredAt)) / 1000)
      }
      if (timing === null) return
      const { dns, connect, tls, firstByte: wait, total } = timing
      for (const [phase, milliseconds] of Object.entries({ dns, connect, tls, wait, total })) {
        if (milliseconds !== null) phases.observe({ phase }, milliseconds / 1000)
      }
    },
    imageChecked: (seconds) => imageChecks.observe(seconds),
    imageUploaded: (verdict) => imageUploads.inc({ verdict }),
    swept: ({ enqueued }) => sweepFinds.inc(enqueued),
    endpointChanged: (state) => endpointChanges.inc({ state }),
    messageHandled: (channel, outcome) => messages.inc({ channel, outcome }),
    text: () => registry.metrics(),
    snapshot: () => registry.getMetricsAsJSON(),
  }
}

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

// Initialized to zero, because a series that appears with its first increment shows no increase.
const possibleOutcomes: { outcome: Outcome; error: AttemptError | 'none' }[] = [
  { outcome: 'delivered', error: 'none' },
  { outcome: 'canceled', error: 'none' },
  { outcome: 'rejected', error: 'HTTP_4XX' },
  // The worker died during the last receive.
  { outcome: 'exhausted', error: 'none' },
  ...attemptErrors
    .filter((error) => error !== 'HTTP_4XX')
    .flatMap((error) => [
      { outcome: 'postponed' as const, error },
      { outcome: 'exhausted' as const, error },
    ]),
]

function isAboutImage(error: AttemptError): boolean {
  return error.startsWith('THUMBNAIL_')
}

function watchConnections(registry: Registry, connections: () => PoolStats): void {
  const registers = [registry]
  new Gauge({
    name: 'interview_api_database_connections',
    help: 'Database connections that are open, and those of them that are idle',
    labelNames: ['state'],
    registers,
    collect() {
      const { open, idle } = connections()
      this.set({ state: 'open' }, open)
      this.set({ state: 'idle' }, idle)
    },
  })
  new Gauge({
    name: 'interview_api_database_connections_awaited',
    help: 'Callers waiting for a database connection',
    registers,
    collect() {
      this.set(connections().waiting)
    },
  })
  new Counter({
    name: 'interview_api_database_connection_waits_total',
    help: 'How often a caller had to wait for a database connection',
    registers,
    collect() {
      this.reset()
      this.inc(connections().waits)
    },
  })
  new Counter({
    name: 'interview_api_database_connection_wait_seconds_total',
    help: 'Total time spent waiting for database connections',
    registers,
    collect() {
      this.reset()
      this.inc(connections().waitedSeconds)
    },
  })
  new Counter({
    name: 'interview_api_database_primary_moves_total',
    help: 'How often the connections moved because another database server had become the primary',
    registers,
    collect() {
      this.reset()
      this.inc(connections().moves)
    },
  })
}

/** All processes report the same values, hence the aggregator `max`. NaN while the database can't be read. */
function watchBacklog(registry: Registry, backlog: () => Promise<Backlog | null>): void {
  const gauges: Record<keyof Backlog, { name: string; help: string }> = {
    pending: {
      name: 'interview_api_deliveries_pending',
      help: 'Deliveries that are PENDING in the database, counted up to 100,000',
    },
    oldestSeconds: {
      name: 'interview_api_oldest_pending_delivery_age_seconds',
      help: 'Age of the oldest pending delivery since it was opened or last retried manually',
    },
    deadLetters: {
      name: 'interview_api_dead_letters',
      help: 'Jobs in the dead-letter queue, counted up to 100,000',
    },
    failingEndpoints: {
      name: 'interview_api_endpoints_failing',
      help: 'Endpoints that have not accepted an event since their first failure',
    },
    pausedEndpoints: {
      name: 'interview_api_endpoints_paused',
      help: 'Endpoints that get no events right now because they asked for a pause',
    },
    messages: {
      name: 'interview_api_messages_waiting',
      help: 'Emails and chat messages to members that have not been sent yet',
    },
  }
  for (const part of backlogParts) {
    new Gauge({
      ...gauges[part],
      aggregator: 'max',
      registers: [registry],
      async collect() {
        this.set((await backlog())?.[part] ?? Number.NaN)
      },
    })
  }
}
