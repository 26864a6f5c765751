import { readFile } from 'node:fs/promises'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../errors.ts'
import { refuseOtherMethods } from '../methods.ts'
import { answerFaultsWithPages, notice } from '../pages/notice.ts'
import { sendPage } from '../pages/page.ts'

const built = new URL('../../../web/dist/', import.meta.url)

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
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex, nofollow',
}

const notBuilt = notice({
  heading: 'The settings area is not built yet',
  text: 'Run npm run build, then load this page again.',
})

/** The settings area as built for the browser: one document for all its addresses, and the files it names. */
export async function settingsPage(app: FastifyInstance) {
  answerFaultsWithPages(app)
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers)
  })

  await app.register(assetFiles, { prefix: '/assets' })

  refuseOtherMethods(app, () => {
    for (const path of ['', '/*']) {
      app.get(path, async (_request, reply) => {
        const document = await readFile(new URL('index.html', built), 'utf8').catch(missing)
        if (document === null) return sendPage(reply, 503, notBuilt)
        return reply.headers({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' }).send(document)
      })
    }
  })
}

async function assetFiles(app: FastifyInstance) {
  // Whatever is wrong with what was asked for, there is no such file.
  app.setErrorHandler((error: Error & { statusCode?: number }) => {
    throw (error.statusCode ?? 500) < 500 ? new Refusal('not_found') : error
  })
  // Their names change with their content.
  const root = new URL('assets/', built)
  await app.register(fastifyStatic, { root, index: false, immutable: true, maxAge: '1y', suppressWarning: true })
}

function missing(error: Error & { code?: string }): null {
  if (error.code === 'ENOENT') return null
  throw error
}
