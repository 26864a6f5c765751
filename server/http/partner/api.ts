import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { authenticateAgain, type Caller } from '../../organizations/authenticate.ts'
import type { RequestToLog } from '../../organizations/request-log.ts'
import { createRequestRecorder } from '../../organizations/request-recorder.ts'
import { Refusal } from '../errors.ts'
import { checkLateBodiesAgain } from '../late-bodies.ts'
import { limits } from '../limits.ts'
import { routeOf } from '../methods.ts'
import { admit, callerOf, requireScope } from './authenticate.ts'
import type { PartnerDependencies } from './dependencies.ts'
import { invitationRoutes } from './invitations.ts'
import { resultRoutes } from './results.ts'
import { templateRoutes } from './templates.ts'

/** /v1: what a recruiting system calls. */
export async function partnerApi(app: FastifyInstance, dependencies: PartnerDependencies) {
  app.decorateRequest('caller', null)
  app.addHook('onRoute', (route) => {
    route.bodyLimit ??= limits.partnerBodyBytes
  })
  app.addHook('onRequest', async (request, reply) => {
    await admit(dependencies.authenticate, request, reply)
    if (request.is404) throw app.unknownRoute(request)
    requireScope(request)
  })
  checkLateBodiesAgain(app, async (request) => {
    const outcome = await authenticateAgain(dependencies.database, callerOf(request))
    if (outcome === 'invalid') throw new Refusal('key_invalid')
    if (outcome === 'inactive') throw new Refusal('organization_inactive')
  })

  const recorder = createRequestRecorder({
    database: dependencies.database,
    report: (problem, error) => app.log.warn({ err: error }, problem),
  })
  app.addHook('onClose', () => recorder.stop())
  app.addHook('onResponse', (request, reply, done) => {
    if (request.caller) recorder.record(toLog(request, reply, request.caller, dependencies.clock()))
    done()
  })

  templateRoutes(app, dependencies)
  invitationRoutes(app, dependencies)
  resultRoutes(app, dependencies)

  // Never reached, because the hook above responds. But without it Fastify would not run the hook.
  app.setNotFoundHandler((request) => {
    throw app.unknownRoute(request)
  })
}

function toLog(
  request: FastifyRequest,
  reply: FastifyReply,
  { organizationId, keyId }: Caller,
  now: Date,
): RequestToLog {
  return {
    organizationId,
    keyId,
    method: request.method,
    requestId: request.id,
    status: reply.statusCode,
    at: new Date(now.getTime() - reply.elapsedTime),
    route: routeOf(request),
    error: request.refusal === null ? null : storable(request.refusal),
    milliseconds: reply.elapsedTime,
  }
}

const maxErrorLength = 500

/** The text can quote names that the client sent, and PostgreSQL stores neither NUL nor half a character. */
function storable(text: string): string {
  return text.slice(0, maxErrorLength).replaceAll('\0', '').toWellFormed()
}
