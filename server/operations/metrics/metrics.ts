import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client'
import type { Connections } from '../../database/database.ts'
import { type AttemptError, attemptErrors, type Outcome } from '../../deliveries/outcome.ts'
import type { Swept } from '../../deliveries/sweep.ts'
import type { SettledDelivery } from '../../deliveries/worker.ts'
import type { EndpointState } from '../../endpoints/endpoint-health.ts'
import type { Answered } from '../../http/app.ts'
import { type UploadVerdict, uploadVerdicts } from '../../images/thumbnail-uploader.ts'
import type { Backlog } from './backlog.ts'

/** What one process has counted, in a form that can be sent to another and added up there. */
export type Snapshot = MetricObjectWithValues<MetricValue<string>>[]

export type Metrics = {
  answered(answer: Answered): void
  settled(settled: SettledDelivery): void
  imageChecked(seconds: number): void
  imageUploaded(verdict: UploadVerdict): void
  swept(swept: Swept): void
  endpointChanged(state: EndpointState): void
  /** In the text format of Prometheus. */
  text(): Promise<string>
  snapshot(): Promise<Snapshot>
}

/** Owns every series. Whoever has something to tell is handed a function of it, never the registry. */
export function createMetrics(sources: {
  connections: () => Connections
  backlog: () => Promise<Backlog | null>
}): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  // Gauges named like counters, which the series without the ending tell in more detail.
  for (const name of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${name}_total`)
  watchConnections(registry, sources.connections)
  watchBacklog(registry, sources.backlog)

  const requests = new Histogram({
    name: 'interview_api_http_request_duration_seconds',
    help: 'How long requests took, by route, method and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })
  const rateLimited = new Counter({
    name: 'interview_api_rate_limited_requests_total',
    help: 'Requests answered with 429, by route',
    labelNames: ['route'],
    registers,
  })
  const outcomes = new Counter({
    name: 'interview_api_delivery_outcomes_total',
    help: 'What became of the receives of deliveries, and the error behind it',
    labelNames: ['outcome', 'error'],
    registers,
  })
  for (const labels of possibleOutcomes) outcomes.inc(labels, 0)
  const phases = new Histogram({
    name: 'interview_api_delivery_phase_duration_seconds',
    help: 'How long attempts took, by phase: dns, connect, tls, wait (until the first byte of the answer) and total',
    labelNames: ['phase'],
    // The deadline of an attempt is five seconds.
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  })
  for (const phase of ['dns', 'connect', 'tls', 'wait', 'total']) phases.zero({ phase })
  const storedToDelivered = new Histogram({
    name: 'interview_api_stored_to_delivered_seconds',
    help: 'From the moment a result was stored until its event was accepted',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600],
    registers,
  })
  const imageChecks = new Histogram({
    name: 'interview_api_image_check_duration_seconds',
    help: 'How long the check of an image took, with its wait for a free thread',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  })
  const imageUploads = new Counter({
    name: 'interview_api_image_uploads_total',
    help: 'Images that were uploaded, by what was answered: usable, refused, or none when nobody came to look',
    labelNames: ['verdict'],
    registers,
  })
  for (const verdict of uploadVerdicts) imageUploads.inc({ verdict }, 0)
  const imageRefusals = new Counter({
    name: 'interview_api_image_refusals_total',
    help: 'Attempts that ended before a request because of the image, by error',
    labelNames: ['error'],
    registers,
  })
  for (const error of attemptErrors.filter(isAboutImage)) imageRefusals.inc({ error }, 0)
  const sweepFinds = new Counter({
    name: 'interview_api_sweep_finds_total',
    help: 'Deliveries that had no job and got one from the sweep',
    registers,
  })
  const endpointChanges = new Counter({
    name: 'interview_api_endpoint_changes_total',
    help: 'How often an endpoint began to fail, had been failing for an hour, or recovered',
    labelNames: ['state'],
    registers,
  })
  for (const state of ['failing', 'still_failing', 'recovered']) endpointChanges.inc({ state }, 0)

  return {
    answered({ method, route, status, seconds }) {
      // Anybody can make up methods; each would start series of its own.
      requests.observe({ method: usualMethods.has(method) ? method : 'other', route, status }, seconds)
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
    text: () => registry.metrics(),
    snapshot: () => registry.getMetricsAsJSON(),
  }
}

const usualMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

// All of them stand at zero from the start: what appears only with its first increment shows no increase for it.
const possibleOutcomes: { outcome: Outcome; error: AttemptError | 'none' }[] = [
  { outcome: 'delivered', error: 'none' },
  { outcome: 'canceled', error: 'none' },
  { outcome: 'rejected', error: 'HTTP_4XX' },
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

function watchConnections(registry: Registry, connections: () => Connections): void {
  const registers = [registry]
  new Gauge({
    name: 'interview_api_database_connections',
    help: 'Connections to the database that are open, and those of them that are idle',
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
    help: 'How many wait for a connection to the database at this moment',
    registers,
    collect() {
      this.set(connections().waiting)
    },
  })
  new Counter({
    name: 'interview_api_database_connection_waits_total',
    help: 'How often every connection to the database was taken, and one had to be waited for',
    registers,
    collect() {
      this.reset()
      this.inc(connections().waits)
    },
  })
  new Counter({
    name: 'interview_api_database_connection_wait_seconds_total',
    help: 'How long all these waits have taken together',
    registers,
    collect() {
      this.reset()
      this.inc(connections().waitedSeconds)
    },
  })
}

/** The same whichever process reads it: the database is one for all. It has no value while it cannot be read. */
function watchBacklog(registry: Registry, backlog: () => Promise<Backlog | null>): void {
  const gauges: Record<keyof Backlog, { name: string; help: string }> = {
    pending: {
      name: 'interview_api_deliveries_pending',
      help: 'Deliveries that are PENDING in the database, counted up to 100,000',
    },
    oldestSeconds: {
      name: 'interview_api_oldest_pending_delivery_age_seconds',
      help: 'How long the oldest of them has been waiting since it was opened, or last retried by hand',
    },
    deadLetters: {
      name: 'interview_api_dead_letters',
      help: 'Jobs in the dead-letter queue, counted up to 100,000',
    },
    failingEndpoints: {
      name: 'interview_api_endpoints_failing',
      help: 'Endpoints of organizations that have not accepted an event since their first failure',
    },
  }
  for (const part of ['pending', 'oldestSeconds', 'deadLetters', 'failingEndpoints'] as const) {
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
