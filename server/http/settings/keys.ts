import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { listKeys, shownKey } from '../../organizations/api-keys.ts'
import { createKey, withdrawKey } from '../../workflows/administer.ts'
import { Refusal } from '../errors.ts'
import { trimmed } from '../partner/input.ts'
import { changeBy, memberOf } from './admission.ts'
import type { SettingsDependencies } from './dependencies.ts'
import { key, keyList, mintedKey, newKey, organizationPath } from './schemas.ts'

const keyPath = Type.Object({ ...organizationPath.properties, keyId: Type.String() })

export function keyRoutes(app: FastifyInstance, { database, clock }: SettingsDependencies) {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>()

  routes.get('/keys', { schema: { params: organizationPath, response: { 200: keyList } } }, async (request) => {
    const keys = await listKeys(database, memberOf(request).organizationId)
    return { data: keys.map(shownKey) }
  })

  routes.post(
    '/keys',
    {
      preValidation: trimmed('label'),
      schema: { params: organizationPath, body: newKey, response: { 201: mintedKey } },
    },
    async (request, reply) => {
      const { label, scopes } = request.body
      const wanted = { label, scopes: [...new Set(scopes)] }
      reply.code(201)
      return createKey(database, changeBy(request), wanted, clock())
    },
  )

  routes.post('/keys/:keyId/revocation', { schema: { params: keyPath, response: { 200: key } } }, async (request) => {
    const revoked = await withdrawKey(database, { ...changeBy(request), id: request.params.keyId }, clock())
    if (!revoked) throw new Refusal('api_key_not_found')
    return shownKey(revoked)
  })
}
