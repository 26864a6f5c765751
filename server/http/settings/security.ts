import type { FastifyInstance } from 'fastify'
import { requiresSecondFactor } from '../../organizations/organizations.ts'
import type { SchemaTypeProvider } from '../../schema.ts'
import { requireSecondFactor } from '../../workflows/manage-members.ts'
import { Refusal } from '../errors.ts'
import { changeBy, memberOf, sessionOf } from './admission.ts'
import type { SettingsDependencies } from './dependencies.ts'
import { security } from './member-schemas.ts'
import { organizationPath } from './schemas.ts'

/** What an organization requires of its members. */
export function securityRoutes(app: FastifyInstance, { database, clock }: SettingsDependencies) {
  const routes = app.withTypeProvider<SchemaTypeProvider>()

  routes.get('/security', { schema: { params: organizationPath, response: { 200: security } } }, async (request) => {
    return { requiresSecondFactor: await requiresSecondFactor(database, memberOf(request).organizationId) }
  })

  routes.put(
    '/security',
    { schema: { params: organizationPath, body: security, response: { 200: security } } },
    async (request) => {
      const { requiresSecondFactor: required } = request.body
      // Otherwise the admin would be led away from this very page.
      const { secondFactor, organizationId } = sessionOf(request)
      if (required && !secondFactor && organizationId === null) throw new Refusal('own_second_factor_first')
      await requireSecondFactor(database, changeBy(request), required, clock())
      return { requiresSecondFactor: required }
    },
  )
}
