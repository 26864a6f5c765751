import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../errors.ts'
import { createFiles, sendFile } from '../files.ts'
import { notBuilt, respondWithErrorPages } from '../pages/notice.ts'
import { sendPage } from '../pages/page.ts'

const built = new URL('../../../web/dist/', import.meta.url)
const assets = createFiles(new URL('assets/', built))

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const headers = {
  'content-security-policy': policy,
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex, nofollow',
}

/** The settings area as built for the browser: one document for all its addresses, and the files it names. */
export async function settingsPage(app: FastifyInstance) {
  respondWithErrorPages(app)
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers)
  })

  app.get<{ Params: { '*': string } }>('/assets/*', async (request, reply) => {
    const file = await assets.find(request.params['*'])
    if (!file) throw new Refusal('not_found')
    // Their names change with their content.
    return sendFile(request, reply, file, 'public, max-age=31536000, immutable')
  })

  for (const path of ['', '/*']) {
    app.get(path, async (_request, reply) => {
      const document = await readFile(new URL('index.html', built), 'utf8').catch(missing)
      if (document === null) return sendPage(reply, 503, notBuilt)
      return reply.headers({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' }).send(document)
    })
  }
}

function missing(error: Error & { code?: string }): null {
  if (error.code === 'ENOENT') return null
  throw error
}
