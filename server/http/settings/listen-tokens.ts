import type { FastifyInstance } from 'fastify'
import { listListenTokens } from '../../listeners/listen-tokens.ts'
import { type SchemaTypeProvider, Type } from '../../schema.ts'
import { createListenToken, endListenToken } from '../../workflows/administer-listening.ts'
import { Refusal } from '../errors.ts'
import { numericLimit } from '../input.ts'
import { changeBy, memberOf } from './admission.ts'
import type { SettingsDependencies } from './dependencies.ts'
import { listenToken, listenTokenPage, mintedListenToken } from './listen-schemas.ts'
import { fullPageQuery, maxPageSize, organizationPath } from './schemas.ts'

const tokenPath = Type.Object({ ...organizationPath.properties, tokenId: Type.String() })

export function listenTokenRoutes(
  app: FastifyInstance,
  { database, clock, apiUrl: serverUrl, listen: enabled }: SettingsDependencies,
) {
  const routes = app.withTypeProvider<SchemaTypeProvider>()

  routes.get(
    '/listen-tokens',
    {
      preValidation: numericLimit,
      schema: { params: organizationPath, querystring: fullPageQuery, response: { 200: listenTokenPage } },
    },
    async (request) => {
      const page = await listListenTokens(database, memberOf(request).organizationId, {
        limit: maxPageSize,
        ...request.query,
      })
      if (page === 'invalid_cursor') throw new Refusal(page)
      return { enabled, serverUrl, ...page }
    },
  )

  routes.post(
    '/listen-tokens',
    { schema: { params: organizationPath, response: { 201: mintedListenToken } } },
    async (request, reply) => {
      if (!enabled) throw new Refusal('listening_off')
      const created = await createListenToken(database, changeBy(request), clock())
      if (created === 'too_many_listen_tokens') throw new Refusal(created)
      return reply.code(201).send(created)
    },
  )

  routes.post(
    '/listen-tokens/:tokenId/revocation',
    { schema: { params: tokenPath, response: { 200: listenToken } } },
    async (request) => {
      const change = { ...changeBy(request), id: request.params.tokenId }
      const revoked = await endListenToken(database, change, clock())
      if (!revoked) throw new Refusal('listen_token_not_found')
      return revoked
    },
  )
}
