import type { FastifyInstance } from 'fastify'
import { Refusal } from '../errors.ts'
import { refuseOtherMethods } from '../methods.ts'
import { activityRoutes } from './activity.ts'
import { admit } from './admission.ts'
import { alertRoutes } from './alert.ts'
import { checkRoutes } from './checks.ts'
import { deliveryRoutes } from './deliveries.ts'
import type { SettingsDependencies } from './dependencies.ts'
import { keyRoutes } from './keys.ts'
import { retryRunRoutes } from './retry-runs.ts'
import { sessionRoutes } from './session.ts'
import { webhookRoutes } from './webhook.ts'

/** /settings/api: what the settings area in the browser calls. Never in the public reference. */
export async function settingsApi(app: FastifyInstance, dependencies: SettingsDependencies) {
  app.decorateRequest('signedIn', null)
  app.decorateRequest('member', null)
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    await admit(dependencies, request, reply)
  })

  refuseOtherMethods(app, () => sessionRoutes(app, dependencies))
  await app.register(organizationRoutes, { ...dependencies, prefix: '/organizations/:organizationId' })

  // Beneath /settings every address is one of the page's, unless it is one of ours.
  const refuse = async () => {
    throw new Refusal('not_found')
  }
  for (const url of ['/', '/*']) {
    app.route({ url, method: app.supportedMethods, schema: { hide: true }, onRequest: refuse, handler: refuse })
  }
}

/** What belongs to one organization: only its members come here, and only its admins unless a route says otherwise. */
async function organizationRoutes(app: FastifyInstance, dependencies: SettingsDependencies) {
  refuseOtherMethods(app, () => {
    keyRoutes(app, dependencies)
    webhookRoutes(app, dependencies)
    checkRoutes(app, dependencies)
    deliveryRoutes(app, dependencies)
    retryRunRoutes(app, dependencies)
    activityRoutes(app, dependencies)
    alertRoutes(app, dependencies)
  })
}
