import type { FastifyInstance } from 'fastify'
import { describeKey, listKeys } from '../../organizations/api-keys.ts'
import { readKeyUsage } from '../../organizations/key-usage.ts'
import { type SchemaTypeProvider, Type } from '../../schema.ts'
import { createKey, revokeApiKey } from '../../workflows/administer.ts'
import { editKey, rotateKey } from '../../workflows/change-key.ts'
import { Refusal } from '../errors.ts'
import { numericLimit, trimmed } from '../input.ts'
import { changeBy, memberOf } from './admission.ts'
import type { SettingsDependencies } from './dependencies.ts'
import {
  fullPageQuery,
  key,
  keyChange,
  keyPage,
  keyRotation,
  maxPageSize,
  mintedKey,
  newKey,
  organizationPath,
} from './schemas.ts'

const keyPath = Type.Object({ ...organizationPath.properties, keyId: Type.String() })

export function keyRoutes(app: FastifyInstance, { database, clock }: SettingsDependencies) {
  const routes = app.withTypeProvider<SchemaTypeProvider>()

  routes.get(
    '/keys',
    {
      preValidation: numericLimit,
      schema: { params: organizationPath, querystring: fullPageQuery, response: { 200: keyPage } },
    },
    async (request) => {
      const { limit = maxPageSize, cursor } = request.query
      const asked = { limit, ...(cursor !== undefined && { cursor }) }
      const page = await listKeys(database, memberOf(request).organizationId, asked)
      if (page === 'invalid_cursor') throw new Refusal(page)
      const usage = await readKeyUsage(
        database,
        page.data.map(({ id }) => id),
      )
      const data = page.data.flatMap((key) => {
        const used = usage.get(key.id)
        return used ? [{ ...describeKey(key), usage: used }] : []
      })
      return { data, nextCursor: page.nextCursor }
    },
  )

  routes.post(
    '/keys',
    {
      preValidation: trimmed('label'),
      schema: { params: organizationPath, body: newKey, response: { 201: mintedKey } },
    },
    async (request, reply) => {
      const { label, scopes, expiresAt = null } = request.body
      const wanted = { label, scopes: [...new Set(scopes)], expiresAt: expiryOf(expiresAt, clock()) }
      const made = await createKey(database, changeBy(request), wanted, clock())
      if (made === 'too_many_keys') throw new Refusal(made)
      reply.code(201)
      return made
    },
  )

  routes.patch(
    '/keys/:keyId',
    {
      preValidation: trimmed('label'),
      schema: { params: keyPath, body: keyChange, response: { 200: key } },
    },
    async (request) => {
      const { label, expiresAt } = request.body
      const wanted = {
        ...(label !== undefined && { label }),
        ...(expiresAt !== undefined && { expiresAt: expiryOf(expiresAt, clock()) }),
      }
      const changed = await editKey(database, { ...changeBy(request), id: request.params.keyId }, wanted, clock())
      if (changed === 'key_not_active') throw new Refusal(changed)
      if (!changed) throw new Refusal('api_key_not_found')
      return describeKey(changed)
    },
  )

  routes.post(
    '/keys/:keyId/successor',
    { schema: { params: keyPath, body: keyRotation, response: { 201: mintedKey } } },
    async (request, reply) => {
      const oldEndsAt = new Date(request.body.oldEndsAt)
      const successor = await rotateKey(
        database,
        { ...changeBy(request), id: request.params.keyId },
        oldEndsAt < clock() ? clock() : oldEndsAt,
        clock(),
      )
      if (typeof successor === 'string') throw new Refusal(successor)
      if (!successor) throw new Refusal('api_key_not_found')
      reply.code(201)
      return successor
    },
  )

  routes.post('/keys/:keyId/revocation', { schema: { params: keyPath, response: { 200: key } } }, async (request) => {
    const revoked = await revokeApiKey(database, { ...changeBy(request), id: request.params.keyId }, clock())
    if (!revoked) throw new Refusal('api_key_not_found')
    return describeKey(revoked)
  })
}

/** Null: never. */
function expiryOf(time: string | null, now: Date): Date | null {
  if (time === null) return null
  const at = new Date(time)
  if (at <= now) throw new Refusal('expiry_in_past')
  return at
}
