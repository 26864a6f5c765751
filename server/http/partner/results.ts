import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { listResults } from '../../interviews/results.ts'
import { Refusal } from '../errors.ts'
import { callerOf } from './authenticate.ts'
import type { PartnerDependencies } from './dependencies.ts'
import { numericLimit, readableTimes } from './input.ts'
import { answer, cursor, limit, nextCursor, refusals, time } from './schemas.ts'

const summary = Type.Object(
  {
    resultId: Type.String({ examples: ['res_01m7efx4xwfztrm1s20bva7r58'] }),
    invitationId: Type.String({ examples: ['inv_01m7efx4xwfztrm1s20bva7r58'] }),
    resultUrl: Type.String({
      format: 'uri',
      description: 'Link to the shared result view.',
      examples: ['https://interviews.example.com/shared/interview-details/cGxlYXNlLWRvLW5vdC1ndWVzcy1tZQ'],
    }),
    overallScore: Type.Number({
      minimum: 0,
      maximum: 100,
      description: 'Equals `weighted_score` of the event.',
      examples: [89.6],
    }),
  },
  { title: 'ResultSummary' },
)

const id = (description: string) => Type.Optional(Type.String({ maxLength: 255, description }))

export function resultRoutes(app: FastifyInstance, { database, appUrl, apiUrl }: PartnerDependencies) {
  app.withTypeProvider<TypeBoxTypeProvider>().get(
    '/interview-results',
    {
      config: { scope: 'results:read' },
      preValidation: [numericLimit, readableTimes('completedAfter', 'completedBefore')],
      schema: {
        operationId: 'listResults',
        tags: ['Results'],
        summary: 'Poll for results',
        description:
          'Completed results, oldest completion first: the way to find what a missed event would have told. An interview that is not done yet gives an empty `data`. Results that arrive while you page come on a later page; none is repeated or skipped.',
        querystring: Type.Object(
          {
            invitationId: id('Only the result of this invitation. An unknown one is 404.'),
            resultId: id('Only this result. An unknown one is 404.'),
            templateId: id('Only results of this template. An unknown one is 404.'),
            completedAfter: Type.Optional(
              time('Only results completed at this time or later. A date alone is its first moment in UTC.'),
            ),
            completedBefore: Type.Optional(
              time('Only results completed at this time or earlier. A date alone is its first moment in UTC.'),
            ),
            limit: Type.Optional(limit),
            cursor: Type.Optional(cursor),
          },
          { additionalProperties: false },
        ),
        response: {
          200: answer('One page.', Type.Object({ data: Type.Array(summary), nextCursor }, { title: 'ResultPage' }), {
            Link: { type: 'string', description: 'Address of the next page, with `rel="next"`.' },
          }),
          ...refusals({
            scope: 'results:read',
            also: [
              'invalid_cursor',
              'times_reversed',
              'invitation_not_found',
              'template_not_found',
              'result_not_found',
            ],
            invalid: ['completedAfter must be an ISO 8601 time such as 2026-01-02T03:04:05.678Z'],
          }),
        },
      },
    },
    async (request, reply) => {
      const { limit = 50, completedAfter, completedBefore, ...asked } = request.query
      const after = completedAfter === undefined ? undefined : new Date(completedAfter)
      const before = completedBefore === undefined ? undefined : new Date(completedBefore)
      if (after && before && after > before) throw new Refusal('times_reversed')
      const filter = {
        ...asked,
        limit,
        ...(after && { completedAfter: after }),
        ...(before && { completedBefore: before }),
      }
      const page = await listResults(database, callerOf(request).organizationId, filter, { appUrl })
      if (typeof page === 'string') throw new Refusal(page)
      if (page.nextCursor) {
        const next = new URLSearchParams({
          ...asked,
          ...(completedAfter && { completedAfter }),
          ...(completedBefore && { completedBefore }),
          limit: String(limit),
          cursor: page.nextCursor,
        })
        reply.header('link', `<${apiUrl}/v1/interview-results?${next}>; rel="next"`)
      }
      return page
    },
  )
}
