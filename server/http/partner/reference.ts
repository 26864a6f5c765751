import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../errors.ts'
import { createFiles, type File, fileOf, sendFile } from '../files.ts'
import { notBuilt } from '../pages/notice.ts'
import { sendPage } from '../pages/page.ts'
import type { PartnerDependencies } from './dependencies.ts'
import type { Description } from './description.ts'
import { info } from './openapi.ts'
import { nameControls, readableColors } from './reference-page.ts'

const built = createFiles(new URL('../../../web/dist/reference/', import.meta.url))
const scriptFile = 'scalar.js'
const script = `/docs/js/${scriptFile}`

/**
 * /openapi.json, generated from the schemas that validate and serialize, /docs to read it, and sample requests. What
 * only these need is loaded on the first request.
 */
export function reference(app: FastifyInstance, dependencies: PartnerDependencies): void {
  let files: Promise<Map<string, File>> | null = null
  async function describe(): Promise<Map<string, File>> {
    const { describePartnerApi } = await import('./description.ts')
    return new Map(
      Object.entries(await describePartnerApi(dependencies)).map(([path, text]) => {
        const type = path.endsWith('.json') ? 'application/json' : 'text/plain'
        return [path, fileOf(`${type}; charset=utf-8`, Buffer.from(text))]
      }),
    )
  }

  const paths: (keyof Description)[] = ['/openapi.json', '/openapi-3.0.json', '/postman.json', '/requests.http']
  for (const path of paths) {
    app.get(path, async (request, reply) => {
      // Once, however many ask for it first.
      files ??= describe().catch((error) => {
        files = null
        throw error
      })
      const file = (await files).get(path)
      if (!file) throw new Refusal('not_found')
      reply.header('access-control-allow-origin', '*')
      return sendFile(request, reply, file, 'no-cache')
    })
  }

  app.get('/docs', sendReference)

  app.get(script, async (request, reply) => {
    const file = await built.find(scriptFile)
    if (!file) throw new Refusal('not_found')
    return sendFile(request, reply, file, 'no-cache')
  })
}

async function sendReference(_request: FastifyRequest, reply: FastifyReply) {
  if (!(await built.find(scriptFile))) return sendPage(reply, 503, notBuilt)
  const { renderApiReference } = await import('@scalar/client-side-rendering')
  const nonce = randomBytes(16).toString('base64url')
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentPolicy(nonce),
      'referrer-policy': 'no-referrer',
    })
    .send(
      renderApiReference({ config, cdn: script, pageTitle: info.title, nonce })
        .replace('<html>', '<html lang="en">')
        .replace('</body>', `<script nonce="${nonce}">${nameControls}</script></body>`),
    )
}

const config = {
  url: '/openapi.json',
  defaultOpenAllTags: true,
  orderSchemaPropertiesBy: 'preserve',
  orderRequiredPropertiesFirst: false,
  // No fonts, telemetry or services from third parties.
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  customCss: readableColors,
} as const

/** Lets the page connect to this service only. */
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
