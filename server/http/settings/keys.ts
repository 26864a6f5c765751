import type { FastifyInstance } from 'fastify'
import { describeKey, listKeys } from '../../organizations/api-keys.ts'
import { type SchemaTypeProvider, Type } from '../../schema.ts'
import { createKey, revokeApiKey } from '../../workflows/administer.ts'
import { Refusal } from '../errors.ts'
import { numericLimit, trimmed } from '../partner/input.ts'
import { changeBy, memberOf } from './admission.ts'
import type { SettingsDependencies } from './dependencies.ts'
import { key, keyPage, mintedKey, newKey, organizationPath, pageQuery } from './schemas.ts'

const keyPath = Type.Object({ ...organizationPath.properties, keyId: Type.String() })

export function keyRoutes(app: FastifyInstance, { database, clock }: SettingsDependencies) {
  const routes = app.withTypeProvider<SchemaTypeProvider>()

  routes.get(
    '/keys',
    {
      preValidation: numericLimit,
      schema: { params: organizationPath, querystring: pageQuery, response: { 200: keyPage } },
    },
    async (request) => {
      const { limit = 100, cursor } = request.query
      const asked = { limit, ...(cursor !== undefined && { cursor }) }
      const page = await listKeys(database, memberOf(request).organizationId, asked)
      if (page === 'invalid_cursor') throw new Refusal(page)
      return { data: page.data.map(describeKey), nextCursor: page.nextCursor }
    },
  )

  routes.post(
    '/keys',
    {
      preValidation: trimmed('label'),
      schema: { params: organizationPath, body: newKey, response: { 201: mintedKey } },
    },
    async (request, reply) => {
      const { label, scopes } = request.body
      const wanted = { label, scopes: [...new Set(scopes)] }
      const made = await createKey(database, changeBy(request), wanted, clock())
      if (made === 'too_many_keys') throw new Refusal(made)
      reply.code(201)
      return made
    },
  )

  routes.post('/keys/:keyId/revocation', { schema: { params: keyPath, response: { 200: key } } }, async (request) => {
    const revoked = await revokeApiKey(database, { ...changeBy(request), id: request.params.keyId }, clock())
    if (!revoked) throw new Refusal('api_key_not_found')
    return describeKey(revoked)
  })
}
