import type { FastifyInstance } from 'fastify'
import { type SchemaTypeProvider, Type } from '../../schema.ts'
import { Refusal } from '../errors.ts'
import { limits } from '../limits.ts'
import type { EngineDependencies } from './dependencies.ts'

export async function thumbnailRoutes(app: FastifyInstance, { uploader, clock }: EngineDependencies) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('image/jpeg', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body)

  app.withTypeProvider<SchemaTypeProvider>().put(
    '/interviews/:id/thumbnail',
    {
      bodyLimit: limits.imageBodyBytes,
      config: { accepts: 'image/jpeg' },
      schema: { params: Type.Object({ id: Type.String() }) },
    },
    async (request) => {
      const { body } = request
      if (!Buffer.isBuffer(body) || body.length === 0) throw new Refusal('empty_image')
      const { id } = request.params
      const upload = await uploader.upload(id, body, clock())
      if (upload.outcome === 'not_found') throw new Refusal('interview_not_found')
      const { verdict } = upload
      const problem = verdict?.ok === false ? { error: verdict.error, detail: verdict.detail } : null
      return { interviewId: id, bytes: body.length, usable: verdict?.ok ?? null, problem }
    },
  )
}
