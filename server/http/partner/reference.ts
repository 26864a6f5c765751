import { randomBytes } from 'node:crypto'
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

  // For the one script in the page itself, which is the same for everybody.
  const nonce = randomBytes(16).toString('base64url')
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      pageTitle: info.title,
      nonce,
      defaultOpenAllTags: true,
      orderSchemaPropertiesBy: 'preserve',
      orderRequiredPropertiesFirst: false,
      // Whatever would ask somebody else for fonts, send them numbers, or offer their services.
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
    },
    hooks: {
      onRequest: async (_request, reply) => {
        reply.header('content-security-policy', contentPolicy(nonce)).header('referrer-policy', 'no-referrer')
      },
    },
  })
}

/** The browser itself keeps the page from reaching anybody but this service. */
function contentPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
