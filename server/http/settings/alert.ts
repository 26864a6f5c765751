import type { FastifyInstance } from 'fastify'
import { endpointAlert } from '../../endpoints/endpoint-health.ts'
import type { SchemaTypeProvider } from '../../schema.ts'
import { memberOf } from './admission.ts'
import { currentAlert } from './delivery-schemas.ts'
import type { SettingsDependencies } from './dependencies.ts'
import { organizationPath } from './schemas.ts'

/** Whether the endpoint fails: what every page of the settings area says at its top. */
export function alertRoutes(app: FastifyInstance, { database, clock }: SettingsDependencies) {
  app
    .withTypeProvider<SchemaTypeProvider>()
    .get(
      '/alert',
      { config: { access: 'viewer' }, schema: { params: organizationPath, response: { 200: currentAlert } } },
      async (request) => ({ alert: await endpointAlert(database, memberOf(request).organizationId, clock()) }),
    )
}
