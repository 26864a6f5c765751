import type { FastifyInstance } from 'fastify'
import { createPoster } from '../../outbound/post.ts'
import { checkLateBodiesAgain } from '../late-bodies.ts'
import { accountRoutes } from './account.ts'
import { activityRoutes } from './activity.ts'
import { admit } from './admission.ts'
import { alertRoutes } from './alert.ts'
import { browseRoutes } from './browse.ts'
import { checkRoutes } from './checks.ts'
import { deliveryRoutes } from './deliveries.ts'
import type { SettingsDependencies } from './dependencies.ts'
import { nameErrors } from './error-code.ts'
import { sendOnlyNews } from './etag.ts'
import { keyRoutes } from './keys.ts'
import { linkRoutes } from './links.ts'
import { listenTokenRoutes } from './listen-tokens.ts'
import { memberRoutes } from './members.ts'
import { notificationRoutes } from './notifications.ts'
import { paceRoutes } from './pace.ts'
import { pendingSecretRoutes } from './pending-secret.ts'
import { requestRoutes } from './requests.ts'
import { retryRunRoutes } from './retry-runs.ts'
import { secondFactorRoutes } from './second-factor.ts'
import { securityRoutes } from './security.ts'
import { sessionRoutes } from './session.ts'
import { signOnRoutes, signOnSettingsRoutes } from './single-sign-on.ts'
import { webhookRoutes } from './webhook.ts'

/** /settings/api: what the settings area in the browser calls. Never in the public reference. */
export async function settingsApi(app: FastifyInstance, dependencies: SettingsDependencies) {
  app.decorateRequest('session', null)
  app.decorateRequest('member', null)
  nameErrors(app)
  sendOnlyNews(app)
  app.addHook('onRequest', async (request, reply) => {
    await admit(dependencies, request, reply)
  })
  checkLateBodiesAgain(app, (request, reply) => admit(dependencies, request, reply))

  sessionRoutes(app, dependencies)
  linkRoutes(app, dependencies)
  accountRoutes(app, dependencies)
  secondFactorRoutes(app, dependencies)
  signOnRoutes(app, dependencies)
  await app.register(organizationRoutes, { ...dependencies, prefix: '/organizations/:organizationId' })

  app.setNotFoundHandler((request) => {
    throw app.unknownRoute(request)
  })
  // The page handles every path under /settings that isn't an API route.
  for (const url of ['/', '/*']) {
    app.get(url, { config: { catchesAll: true } }, async (request) => {
      throw app.unknownRoute(request)
    })
  }
}

/** What belongs to one organization: only its members come here, and only its admins unless a route says otherwise. */
async function organizationRoutes(app: FastifyInstance, dependencies: SettingsDependencies) {
  const poster = createPoster({ extraCa: dependencies.destinationCa })
  app.addHook('onClose', () => poster.close())
  keyRoutes(app, dependencies)
  webhookRoutes(app, dependencies)
  listenTokenRoutes(app, dependencies)
  pendingSecretRoutes(app, { ...dependencies, poster })
  paceRoutes(app, dependencies)
  checkRoutes(app, { ...dependencies, poster })
  deliveryRoutes(app, dependencies)
  retryRunRoutes(app, dependencies)
  browseRoutes(app, dependencies)
  requestRoutes(app, dependencies)
  activityRoutes(app, dependencies)
  memberRoutes(app, dependencies)
  securityRoutes(app, dependencies)
  signOnSettingsRoutes(app, dependencies)
  alertRoutes(app, dependencies)
  notificationRoutes(app, dependencies)
}
