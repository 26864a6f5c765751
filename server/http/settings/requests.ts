import type { FastifyInstance } from 'fastify'
import { listRequests } from '../../organizations/request-log.ts'
import type { SchemaTypeProvider } from '../../schema.ts'
import { Refusal } from '../errors.ts'
import { numericLimit } from '../input.ts'
import { memberOf } from './admission.ts'
import type { SettingsDependencies } from './dependencies.ts'
import { requestPage, requestQuery } from './request-schemas.ts'
import { organizationPath } from './schemas.ts'

/** The log of /v1 requests. */
export function requestRoutes(app: FastifyInstance, { database }: SettingsDependencies) {
  app.withTypeProvider<SchemaTypeProvider>().get(
    '/requests',
    {
      preValidation: numericLimit,
      schema: { params: organizationPath, querystring: requestQuery, response: { 200: requestPage } },
    },
    async (request) => {
      const { limit = 50, cursor, requestId, keyId, only } = request.query
      const page = await listRequests(database, memberOf(request).organizationId, {
        limit,
        ...(cursor !== undefined && { cursor }),
        ...(requestId && { requestId: requestId.trim() }),
        ...(keyId && { keyId }),
        onlyErrors: only === 'errors',
      })
      if (page === 'invalid_cursor') throw new Refusal(page)
      return page
    },
  )
}
