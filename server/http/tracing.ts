import type { FastifyInstance } from 'fastify'
import { routeOf } from './methods.ts'

export type RequestTracing = {
  /** Starts the span of a request as a child of the caller's span. */
  begin(request: { method: string; id: string; headers: object }): RequestSpan
}

export type RequestSpan = {
  /** Runs the request's work, so spans started in it become children of this one. */
  run(work: () => void): void
  end(response: { method: string; route: string; status: number }): void
}

declare module 'fastify' {
  interface FastifyRequest {
    span: RequestSpan | null
  }
}

/** One span per request, named after its route. */
export function traceRequests(app: FastifyInstance, tracing: RequestTracing): void {
  app.decorateRequest('span', null)
  app.addHook('onRequest', (request, _reply, done) => {
    request.span = tracing.begin(request)
    request.span.run(done)
  })
  // The body is read in events of the connection, which have lost the request's context.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.span) request.span.run(done)
    else done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    request.span?.end({ method: request.method, route: routeOf(request), status: reply.statusCode })
    done()
  })
}
