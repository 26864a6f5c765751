import { setTimeout } from 'node:timers/promises'
import {
  type Context,
  context,
  DiagLogLevel,
  diag,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { NodeSDK } from '@opentelemetry/sdk-node'
import type { AttemptReport, Outcome } from '../../deliveries/outcome.ts'
import type { SettledDelivery } from '../../deliveries/worker.ts'
import type { RequestTracing } from '../../http/tracing.ts'
import type { CompletionTracing } from '../../workflows/complete-interview.ts'

export type Tracing = RequestTracing &
  CompletionTracing & {
    settled(settled: SettledDelivery): void
    /** Sends what has not been sent yet. */
    stop(): Promise<void>
  }

/**
 * Spans from a request to the attempts that deliver what it stored. Where they go, which are taken and how they are sent
 * is read by the SDK from its standard variables. This file is imported only where they are set.
 */
export function startTracing({ serviceName, report }: TracingOptions): Tracing {
  // Metrics are served elsewhere, and the log goes where the process's output goes.
  const sdk = new NodeSDK({ serviceName, metricReaders: [], logRecordProcessors: [] })
  // By itself it writes to the console, and what is no line of our log.
  const tell = (problem: string) => report(`traces: ${problem.slice(0, 300)}`)
  const silent = () => {}
  const listener = { error: tell, warn: tell, info: silent, debug: silent, verbose: silent }
  diag.setLogger(listener, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
  sdk.start()
  const tracer = trace.getTracer('partner-interview-api')

  return {
    begin({ method, id, headers }) {
      const attributes = { 'http.request.method': method, 'request.id': id }
      const above = propagation.extract(ROOT_CONTEXT, headers)
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, above)
      const own = trace.setSpan(above, span)
      return {
        run: (work) => context.with(own, work),
        end({ method, route, status }) {
          span.updateName(`${method} ${route}`)
          span.setAttributes({ 'http.route': route, 'http.response.status_code': status })
          if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        },
      }
    },

    current() {
      const place = trace.getActiveSpan()?.spanContext()
      return place ? `00-${place.traceId}-${place.spanId}-0${place.traceFlags & 1}` : null
    },

    settled({ settlement: { outcome, attempt }, delivery: { deliveryId, traceparent } }) {
      if (attempt === null) return
      const span = tracer.startSpan(
        'delivery attempt',
        { kind: SpanKind.CLIENT, startTime: attempt.startedAt, attributes: { 'delivery.id': deliveryId } },
        below(traceparent),
      )
      describe(span, outcome, attempt)
      span.end(attempt.finishedAt)
    },

    // A collector that is away must neither fail the stop nor hold it up.
    stop: () => Promise.race([sdk.shutdown().catch((error: Error) => tell(error.message)), setTimeout(patience)]),
  }
}

const patience = 2_000

type TracingOptions = { serviceName: string; report: (problem: string) => void }

/** The context of what `current` told of, in another process or at another time. */
function below(traceparent: string | null): Context {
  const [, traceId = '', spanId = '', flags] = traceparent?.split('-') ?? []
  const place = { traceId, spanId, traceFlags: Number(flags), isRemote: true }
  return isSpanContextValid(place) ? trace.setSpanContext(ROOT_CONTEXT, place) : ROOT_CONTEXT
}

/** Of the receiver only its vetted address: the rest of where an event goes to is often as good as a password. */
function describe(span: Span, outcome: Outcome, { error, status, address, timing }: AttemptReport): void {
  span.setAttribute('delivery.outcome', outcome)
  if (status !== null) span.setAttribute('http.response.status_code', status)
  if (address !== null) span.setAttribute('network.peer.address', address)
  if (error !== null) {
    span.setAttribute('error.type', error)
    span.setStatus({ code: SpanStatusCode.ERROR })
  }
  for (const [phase, milliseconds] of Object.entries(timing ?? {})) {
    if (milliseconds !== null) span.setAttribute(`delivery.${phaseNames[phase] ?? phase}_ms`, milliseconds)
  }
}

const phaseNames: Record<string, string> = { firstByte: 'wait' }
