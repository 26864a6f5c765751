import type { FastifyBaseLogger, FastifyRequest } from 'fastify'

/** Logged once per request; the terminal shows it in a form of its own. */
export const requestCompleted = 'request completed'

/** A logger whose lines name the request. Not made for every request, because it costs more than the rest of its log. */
export function logOf({ server, id }: FastifyRequest): FastifyBaseLogger {
  return server.log.child({ reqId: id })
}
