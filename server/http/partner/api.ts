import type { FastifyInstance } from 'fastify'
import { Refusal } from '../errors.ts'
import { refuseOtherMethods } from '../methods.ts'
import { admit, requireScope } from './authenticate.ts'
import type { PartnerDependencies } from './dependencies.ts'
import { invitationRoutes } from './invitations.ts'
import { resultRoutes } from './results.ts'
import { templateRoutes } from './templates.ts'

/** /v1: what a recruiting system calls. */
export async function partnerApi(app: FastifyInstance, dependencies: PartnerDependencies) {
  app.decorateRequest('caller', null)
  app.addHook('onRequest', async (request, reply) => {
    await admit(dependencies.database, request, reply)
    if (request.is404) throw new Refusal('not_found')
    requireScope(request)
  })

  refuseOtherMethods(app, () => {
    templateRoutes(app, dependencies)
    invitationRoutes(app, dependencies)
    resultRoutes(app, dependencies)
  })

  app.setNotFoundHandler(() => {
    throw new Refusal('not_found')
  })
}
