import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { listActivity } from '../../organizations/activity.ts'
import type { SchemaTypeProvider } from '../../schema.ts'
import { Refusal } from '../errors.ts'
import { numericLimit } from '../input.ts'
import { memberOf } from './admission.ts'
import { attachment, csvType } from './csv.ts'
import type { SettingsDependencies } from './dependencies.ts'
import { exportActivity } from './export.ts'
import { activityPage, organizationPath, pageQuery } from './schemas.ts'

export function activityRoutes(app: FastifyInstance, { database }: SettingsDependencies) {
  const routes = app.withTypeProvider<SchemaTypeProvider>()

  routes.get(
    '/activity',
    {
      preValidation: numericLimit,
      schema: { params: organizationPath, querystring: pageQuery, response: { 200: activityPage } },
    },
    async (request) => {
      const { limit = 50, cursor } = request.query
      const page = await listActivity(database, memberOf(request).organizationId, {
        limit,
        ...(cursor !== undefined && { cursor }),
      })
      if (page === 'invalid_cursor') throw new Refusal('invalid_cursor')
      return page
    },
  )
  routes.get('/activity/export.csv', { schema: { params: organizationPath } }, async (request, reply) => {
    const pages = exportActivity(database, memberOf(request).organizationId)
    return reply.headers(attachment('activity.csv', csvType)).send(Readable.from(pages))
  })
}
