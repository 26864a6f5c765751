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
    /** Sends the remaining spans. */
    stop(): Promise<void>
  }

/**
 * Spans from a request to the attempts that deliver what it stored. The SDK reads exporter and sampling from its standard
 * environment variables; this file is only imported if they are set.
 */
export function startTracing({ serviceName, report }: TracingOptions): Tracing {
  // Metrics have their own endpoint, and logs go to standard output.
  const sdk = new NodeSDK({ serviceName, metricReaders: [], logRecordProcessors: [] })
  // By default the SDK writes to the console, bypassing our log.
  const warn = (problem: string) => report(`traces: ${messageIn(problem).slice(0, 300)}`)
  const ignore = () => {}
  const diagLogger = { error: warn, warn, info: ignore, debug: ignore, verbose: ignore }
  diag.setLogger(diagLogger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
  sdk.start()
  const tracer = trace.getTracer('partner-interview-api')

  return {
    begin({ method, id, headers }) {
      const attributes = { 'http.request.method': method, 'request.id': id }
      const parent = propagation.extract(ROOT_CONTEXT, headers)
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent)
      const withSpan = trace.setSpan(parent, span)
      return {
        run: (work) => context.with(withSpan, work),
        end({ method, route, status }) {
          span.updateName(`${method} ${route}`)
          span.setAttributes({ 'http.route': route, 'http.response.status_code': status })
          if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        },
      }
    },

    current() {
      const active = trace.getActiveSpan()?.spanContext()
      return active ? `00-${active.traceId}-${active.spanId}-0${active.traceFlags & 1}` : null
    },

    settled({ settlement: { outcome, attempt }, delivery: { deliveryId, traceparent } }) {
      if (attempt === null) return
      const span = tracer.startSpan(
        'delivery attempt',
        { kind: SpanKind.CLIENT, startTime: attempt.startedAt, attributes: { 'delivery.id': deliveryId } },
        parentContext(traceparent),
      )
      setAttributes(span, outcome, attempt)
      span.end(attempt.finishedAt)
    },

    // An unreachable collector must not fail or delay the shutdown.
    stop: () =>
      Promise.race([sdk.shutdown().catch((error: Error) => warn(error.message)), setTimeout(shutdownTimeout)]),
  }
}

const shutdownTimeout = 2_000

type TracingOptions = { serviceName: string; report: (problem: string) => void }

/** Parses what `current` returned, perhaps in another process. */
function parentContext(traceparent: string | null): Context {
  const [, traceId = '', spanId = '', flags] = traceparent?.split('-') ?? []
  const parent = { traceId, spanId, traceFlags: Number(flags), isRemote: true }
  return isSpanContextValid(parent) ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT
}

/** Includes the receiver's IP address but not its URL, which often contains a token. */
function setAttributes(span: Span, outcome: Outcome, { error, status, address, timing }: AttemptReport): void {
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

/** The SDK reports an error as JSON, with its stack. */
function messageIn(problem: string): string {
  try {
    const { message } = JSON.parse(problem)
    // An error for several addresses has none.
    return typeof message === 'string' && message !== '' ? message : problem
  } catch {
    return problem
  }
}
