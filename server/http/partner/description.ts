import { setImmediate } from 'node:timers/promises'
import swagger from '@fastify/swagger'
import fastify from 'fastify'
import { compilersFactory, compileSchemasLazily } from '../lazy-schemas.ts'
import { partnerApi } from './api.ts'
import type { PartnerDependencies } from './dependencies.ts'
import { info, securitySchemes, tags, webhooks, withNamedSchemas } from './openapi.ts'
import { asOpenApi30 } from './openapi-3.0.ts'
import { postmanCollection } from './postman.ts'
import { requestFile } from './request-file.ts'
import type { ApiDocument } from './sample-requests.ts'

/** The descriptions of the API, by path. */
export type Description = Record<'/openapi.json' | '/openapi-3.0.json' | '/postman.json' | '/requests.http', string>

/**
 * Generates the descriptions from the schemas that validate and serialize, on an app that never listens. In steps, so that
 * other requests are handled in between.
 */
export async function describePartnerApi(dependencies: PartnerDependencies): Promise<Description> {
  const app = fastify({ schemaController: { compilersFactory } })
  compileSchemasLazily(app)
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info,
      tags,
      servers: [{ url: dependencies.apiUrl }],
      components: { securitySchemes },
      security: [{ apiKeyHeader: [] }, { bearer: [] }],
    },
  })
  await setImmediate()
  await app.register(partnerApi, { ...dependencies, prefix: '/v1' })
  await app.ready()
  await setImmediate()
  const generated = app.swagger()
  await app.close()
  await setImmediate()
  const { apiUrl } = dependencies
  const document = withNamedSchemas({ ...generated, webhooks })
  const inlined: ApiDocument = JSON.parse(JSON.stringify(generated))
  return {
    '/openapi.json': JSON.stringify(document),
    '/openapi-3.0.json': JSON.stringify(asOpenApi30(document)),
    '/postman.json': JSON.stringify(postmanCollection(inlined, apiUrl), null, 2),
    '/requests.http': requestFile(inlined, apiUrl),
  }
}
