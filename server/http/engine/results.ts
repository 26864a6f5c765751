import type { FastifyInstance, FastifyRequest } from 'fastify'
import { resultUrl } from '../../interviews/results.ts'
import { maxListEntries, reportedScoring } from '../../interviews/scoring.ts'
import { type SchemaTypeProvider, Type } from '../../schema.ts'
import { Refusal } from '../errors.ts'
import { limits } from '../limits.ts'
import type { EngineDependencies } from './dependencies.ts'

export function resultRoutes(app: FastifyInstance, { clock, completion, appUrl }: EngineDependencies) {
  app.withTypeProvider<SchemaTypeProvider>().put(
    '/interviews/:id/result',
    {
      bodyLimit: limits.resultBodyBytes,
      preValidation: cutLongLists,
      schema: {
        params: Type.Object({ id: Type.String() }),
        querystring: Type.Object(
          { final: Type.Optional(Type.Enum(['true', 'false'])) },
          { additionalProperties: false },
        ),
        body: Type.Object(
          {
            completedAt: Type.Optional(Type.String({ format: 'date-time' })),
            scoring: reportedScoring,
            analysis: Type.Optional(Type.Object({})),
          },
          { additionalProperties: false },
        ),
      },
    },
    async (request, reply) => {
      const { completedAt, scoring, analysis } = request.body
      const now = clock()
      const completed = completedAt === undefined ? undefined : new Date(completedAt)
      if (completed && !isPlausible(completed, now)) throw new Refusal('completed_at_out_of_range')
      const result = {
        scoring,
        final: request.query.final !== 'false',
        ...(completed && { completedAt: completed }),
        ...(analysis !== undefined && { analysis }),
      }
      const stored = await completion.complete(request.params.id, result, now)
      if (stored.outcome === 'not_found') throw new Refusal('interview_not_found')
      if (stored.outcome === 'different') throw new Refusal('different_result')
      if (stored.outcome === 'over') throw new Refusal('interview_over', { detail: stored.status })
      reply.code(stored.outcome === 'stored' ? 201 : 200)
      return { resultId: stored.resultId, resultUrl: resultUrl(appUrl, stored.token) }
    },
  )
}

/** Clocks differ, but not by more than a day. Anything before 2000 is a mistake. */
function isPlausible(completedAt: Date, now: Date): boolean {
  return completedAt >= earliest && completedAt.getTime() <= now.getTime() + day
}

const earliest = new Date('2000-01-01T00:00:00Z')
const day = 86_400_000

/** Otherwise the validator would check every extra entry and collect its errors, only to report that there are too many. */
async function cutLongLists({ body }: FastifyRequest): Promise<void> {
  const scoring = memberOf(body, 'scoring')
  for (const name of ['highlights', 'suggestions']) {
    const list = memberOf(scoring, name)
    if (Array.isArray(list) && list.length > maxListEntries) list.length = maxListEntries + 1
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : null
}
