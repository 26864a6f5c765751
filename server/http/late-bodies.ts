import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** Access was checked before the whole body was there. */
    checkedEarly: boolean
  }
}

/**
 * Access is checked before a body is read, and a client can take half a minute to send one. Whoever loses access meanwhile
 * must not act anymore, so those requests are checked again before they are handled.
 */
export function checkLateBodiesAgain(
  app: FastifyInstance,
  check: (request: FastifyRequest, reply: FastifyReply) => Promise<void>,
): void {
  app.decorateRequest('checkedEarly', false)
  // After the plugin's own hook, which checks access.
  app.addHook('onRequest', (request, _reply, done) => {
    request.checkedEarly = !request.raw.complete
    done()
  })
  // No promise for the others, which are nearly all.
  app.addHook('preValidation', (request, reply, done) => {
    if (!request.checkedEarly) return done()
    check(request, reply).then(() => done(), done)
  })
}
