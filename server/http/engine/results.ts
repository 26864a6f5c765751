import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { resultUrl } from '../../interviews/results.ts'
import { completeInterview } from '../../workflows/complete-interview.ts'
import { Refusal } from '../errors.ts'
import type { EngineDependencies } from './dependencies.ts'
import { scoring, time } from './schemas.ts'

// A transcript is long; a result beyond this is no result.
const mostBytes = 8 * 1024 * 1024
const deepest = 100

export function resultRoutes(app: FastifyInstance, { clock, completion, appUrl }: EngineDependencies) {
  app.withTypeProvider<TypeBoxTypeProvider>().put(
    '/interviews/:id/result',
    {
      bodyLimit: mostBytes,
      schema: {
        params: Type.Object({ id: Type.String() }),
        querystring: Type.Object(
          { final: Type.Optional(Type.Enum(['true', 'false'])) },
          { additionalProperties: false },
        ),
        body: Type.Object(
          { completedAt: Type.Optional(time), scoring, analysis: Type.Optional(Type.Object({})) },
          { additionalProperties: false },
        ),
      },
    },
    async (request, reply) => {
      const { completedAt, scoring, analysis } = request.body
      if (isDeeperThan(deepest, analysis) || isDeeperThan(deepest, scoring)) throw new Refusal('nested_too_deeply')
      const now = clock()
      const completed = completedAt === undefined ? undefined : new Date(completedAt)
      if (completed && !isPlausible(completed, now)) throw new Refusal('completed_at_out_of_range')
      const result = {
        scoring,
        final: request.query.final !== 'false',
        ...(completed && { completedAt: completed }),
        ...(analysis !== undefined && { analysis }),
      }
      const stored = await completeInterview(completion, request.params.id, result, now)
      if (stored.outcome === 'not_found') throw new Refusal('interview_not_found')
      if (stored.outcome === 'different') throw new Refusal('different_result')
      if (stored.outcome === 'over') throw new Refusal('interview_over', { detail: stored.status })
      reply.code(stored.outcome === 'stored' ? 201 : 200)
      return { resultId: stored.resultId, resultUrl: resultUrl(appUrl, stored.token) }
    },
  )
}

/** Clocks differ, but not by more than a day; and whatever lies further back is a mistake. */
function isPlausible(completedAt: Date, now: Date): boolean {
  return completedAt >= earliest && completedAt.getTime() <= now.getTime() + day
}

const earliest = new Date('2000-01-01T00:00:00Z')
const day = 86_400_000

/** Level by level, not by recursion: that is what a body made to be deep would break. */
function isDeeperThan(most: number, value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > most) return true
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  }
  return false
}
