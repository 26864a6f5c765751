import type { FastifyInstance } from 'fastify'
import { countPending } from '../../deliveries/pending.ts'
import { readPace } from '../../queue/pauses.ts'
import type { SchemaTypeProvider } from '../../schema.ts'
import { changePace } from '../../workflows/change-pace.ts'
import { Refusal } from '../errors.ts'
import { changeBy, memberOf } from './admission.ts'
import type { SettingsDependencies } from './dependencies.ts'
import { currentPace, organizationPath, paceRequest, switchedWebhook } from './schemas.ts'

/** How fast the endpoint gets its events, and what waits. */
export function paceRoutes(app: FastifyInstance, { database, clock }: SettingsDependencies) {
  const routes = app.withTypeProvider<SchemaTypeProvider>()
  const params = organizationPath

  routes.get(
    '/pace',
    { config: { access: 'viewer' }, schema: { params, response: { 200: currentPace } } },
    async (request) => {
      const { organizationId } = memberOf(request)
      const pace = await readPace(database, organizationId)
      // Without a limit nothing waits for its turn, so there is nothing to count.
      const waiting = pace.perSecond === null ? 0 : await countPending(database, organizationId)
      return { ...pace, waiting }
    },
  )

  routes.put(
    '/webhook/pace',
    { schema: { params, body: paceRequest, response: { 200: switchedWebhook } } },
    async (request) => {
      const webhook = await changePace(database, changeBy(request), request.body.maxPerSecond, clock())
      if (!webhook) throw new Refusal('no_webhook')
      return { webhook }
    },
  )
}
