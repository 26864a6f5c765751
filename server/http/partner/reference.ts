import swagger from '@fastify/swagger'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import { info, securitySchemes, tags, webhooks, withNamedSchemas } from './openapi.ts'

/** /openapi.json, made from the schemas that validate and serialise, and /docs to read it. */
export async function reference(app: FastifyInstance, { appUrl }: { appUrl: string }) {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info,
      tags,
      servers: [{ url: appUrl }],
      components: { securitySchemes },
      security: [{ apiKeyHeader: [] }, { bearer: [] }],
    },
    // Only the partner API: whatever else this server answers is nobody's contract.
    transform: ({ schema, url }) => ({ schema: url.startsWith('/v1/') ? schema : { ...schema, hide: true }, url }),
  })

  let document: Record<string, unknown> | undefined
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    document ??= withNamedSchemas({ ...app.swagger(), webhooks })
    return reply.header('access-control-allow-origin', '*').send(document)
  })

  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: { url: '/openapi.json', withDefaultFonts: false, telemetry: false, hideClientButton: true },
  })
}
