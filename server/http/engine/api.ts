import type { FastifyInstance } from 'fastify'
import { createTokenCheck } from '../bearer-token.ts'
import { Refusal } from '../errors.ts'
import { acceptJson } from '../json-body.ts'
import { limits } from '../limits.ts'
import type { EngineDependencies } from './dependencies.ts'
import { interviewRoutes } from './interviews.ts'
import { resultRoutes } from './results.ts'
import { thumbnailRoutes } from './thumbnails.ts'

/** /internal/v1: the API for the interview product. Never part of the public reference. */
export async function engineApi(app: FastifyInstance, dependencies: EngineDependencies) {
  const isToken = createTokenCheck(dependencies.engineToken)
  app.addHook('onRequest', async (request) => {
    if (!isToken(request.headers.authorization)) throw new Refusal('engine_token_invalid')
    if (request.is404) throw app.unknownRoute(request)
  })
  app.removeAllContentTypeParsers()
  acceptJson(app, limits.resultJson)
  interviewRoutes(app, dependencies)
  resultRoutes(app, dependencies)
  // These options carry this plugin's own prefix: passed on unchanged, it would appear in the path twice.
  await app.register(thumbnailRoutes, { ...dependencies, prefix: '' })
  // Never reached, because the hook above responds. But without it Fastify would not run the hook.
  app.setNotFoundHandler((request) => {
    throw app.unknownRoute(request)
  })
}
