import type { FastifyInstance } from 'fastify'
import type { SchemaTypeProvider } from '../../schema.ts'
import { type BrowseQuery, browseInvitations, browseResults, browseTemplates } from '../../workflows/browse.ts'
import { Refusal } from '../errors.ts'
import { numericLimit } from '../input.ts'
import { memberOf } from './admission.ts'
import { type BrowseFilter, browseFilter, invitationPage, resultPage, templatePage } from './browse-schemas.ts'
import type { SettingsDependencies } from './dependencies.ts'
import { organizationPath } from './schemas.ts'

/** Templates, invitations and results, to read only. */
export function browseRoutes(app: FastifyInstance, { database, clock, appUrl }: SettingsDependencies) {
  const routes = app.withTypeProvider<SchemaTypeProvider>()
  const options = { config: { access: 'viewer' }, preValidation: numericLimit } as const
  const request = { params: organizationPath, querystring: browseFilter }

  routes.get('/templates', { ...options, schema: { ...request, response: { 200: templatePage } } }, async (request) =>
    valid(await browseTemplates(database, memberOf(request).organizationId, queryOf(request.query))),
  )

  routes.get(
    '/invitations',
    { ...options, schema: { ...request, response: { 200: invitationPage } } },
    async (request) =>
      valid(await browseInvitations(database, memberOf(request).organizationId, queryOf(request.query), clock())),
  )

  routes.get('/results', { ...options, schema: { ...request, response: { 200: resultPage } } }, async (request) =>
    valid(await browseResults({ database, appUrl }, memberOf(request).organizationId, queryOf(request.query))),
  )
}

function queryOf({ limit = 50, cursor, search }: BrowseFilter): BrowseQuery {
  const sought = search?.trim()
  return { limit, ...(cursor !== undefined && { cursor }), ...(sought && { search: sought }) }
}

function valid<Page extends object>(page: Page | 'invalid_cursor'): Page {
  if (typeof page === 'string') throw new Refusal(page)
  return page
}
