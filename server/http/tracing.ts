import type { FastifyInstance } from 'fastify'

export type RequestTracing = {
  /** Begins the span of a request, below the one its caller names. */
  begin(request: { method: string; id: string; headers: object }): RequestSpan
}

export type RequestSpan = {
  /** Runs what belongs to the request: spans that begin in it stand below this one. */
  run(work: () => void): void
  end(answer: { method: string; route: string; status: number }): void
}

declare module 'fastify' {
  interface FastifyRequest {
    span: RequestSpan | null
  }
}

/** One span for each request, named after its route: addresses hold ids, and links that are as good as passwords. */
export function traceRequests(app: FastifyInstance, tracing: RequestTracing): void {
  app.decorateRequest('span', null)
  app.addHook('onRequest', (request, _reply, done) => {
    request.span = tracing.begin(request)
    request.span.run(done)
  })
  // Reading the body goes by events of the connection, which know nothing of the request.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.span) request.span.run(done)
    else done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { url: route = 'unknown' } = request.routeOptions
    request.span?.end({ method: request.method, route, status: reply.statusCode })
    done()
  })
}
