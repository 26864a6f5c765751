import type { FastifyInstance } from 'fastify'
import { interviewStatuses, isOver } from '../../interviews/interview-status.ts'
import { findByToken, moveInterview } from '../../interviews/interviews.ts'
import { type SchemaTypeProvider, Type } from '../../schema.ts'
import { Refusal } from '../errors.ts'
import type { EngineDependencies } from './dependencies.ts'

export function interviewRoutes(app: FastifyInstance, { database, clock }: EngineDependencies) {
  const routes = app.withTypeProvider<SchemaTypeProvider>()

  routes.get('/invitations/:token', { schema: { params: Type.Object({ token: Type.String() }) } }, async (request) => {
    const found = await findByToken(database, request.params.token, clock())
    if (!found) throw new Refusal('invitation_not_found')
    if (isOver(found.interview.status)) throw new Refusal('invitation_over')
    return found
  })

  routes.post(
    '/interviews/:id/status',
    {
      schema: {
        params: Type.Object({ id: Type.String() }),
        body: Type.Object({ status: Type.Enum([...interviewStatuses]) }, { additionalProperties: false }),
      },
    },
    async (request) => {
      const { status } = request.body
      const moved = await moveInterview(database, request.params.id, status, clock())
      if (moved.outcome === 'not_found') throw new Refusal('interview_not_found')
      if (moved.outcome === 'impossible') {
        throw new Refusal('impossible_move', { detail: `${moved.from} to ${status}` })
      }
      return { id: moved.id, status: moved.status }
    },
  )
}
