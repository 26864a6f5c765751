import type { FastifyInstance } from 'fastify'
import { limits } from '../limits.ts'
import { admit, requireScope } from './authenticate.ts'
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

  templateRoutes(app, dependencies)
  invitationRoutes(app, dependencies)
  resultRoutes(app, dependencies)

  // Never reached, because the hook above responds. But without it Fastify would not run the hook.
  app.setNotFoundHandler((request) => {
    throw app.unknownRoute(request)
  })
}
