import type { FastifyInstance } from 'fastify'
import type { Database } from '../../database/database.ts'
import type { ThumbnailChecker } from '../../images/thumbnail.ts'
import type { UploadVerdict } from '../../images/thumbnail-upload.ts'
import type { CompletionDependencies } from '../../workflows/complete-interview.ts'
import { Refusal } from '../errors.ts'
import { refuseOtherMethods } from '../methods.ts'
import { interviewRoutes } from './interviews.ts'
import { resultRoutes } from './results.ts'
import { thumbnailRoutes } from './thumbnails.ts'
import { createTokenCheck } from './token.ts'

export type EngineDependencies = {
  database: Database
  checker: ThumbnailChecker
  clock: () => Date
  completion: CompletionDependencies
  engineToken: string
  appUrl: string
  imageUploaded?: ((verdict: UploadVerdict) => void) | undefined
}

/** /internal/v1: where the interview product reports. Never in the public reference. */
export async function engineApi(app: FastifyInstance, dependencies: EngineDependencies) {
  const isToken = createTokenCheck(dependencies.engineToken)
  app.addHook('onRequest', async (request) => {
    if (!isToken(request.headers.authorization)) throw new Refusal('engine_token_invalid')
    if (request.is404) throw new Refusal('not_found')
  })
  refuseOtherMethods(app, () => {
    interviewRoutes(app, dependencies)
    resultRoutes(app, dependencies)
  })
  // What is given here names this room's prefix too: passed on as it is, it would stand in the path twice.
  await app.register(thumbnailRoutes, { ...dependencies, prefix: '' })
  app.setNotFoundHandler(() => {
    throw new Refusal('not_found')
  })
}
