import type { FastifyInstance } from 'fastify'
import { listResults } from '../../interviews/results.ts'
import { type SchemaTypeProvider, Type } from '../../schema.ts'
import { Refusal } from '../errors.ts'
import { numericLimit, readableTimes } from '../input.ts'
import { callerOf } from './authenticate.ts'
import type { PartnerDependencies } from './dependencies.ts'
import { cursor, errorResponses, limit, nextCursor, response, time } from './schemas.ts'

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
      description: 'Same as `weighted_score` in the event.',
      examples: [89.6],
    }),
  },
  { title: 'ResultSummary' },
)

const id = (description: string) => Type.Optional(Type.String({ maxLength: 255, description }))

export function resultRoutes(app: FastifyInstance, { database, appUrl, apiUrl }: PartnerDependencies) {
  app.withTypeProvider<SchemaTypeProvider>().get(
    '/interview-results',
    {
      config: { scope: 'results:read' },
      preValidation: [numericLimit, readableTimes('completedAfter', 'completedBefore')],
      schema: {
        operationId: 'listResults',
        tags: ['Results'],
        summary: 'Poll for results',
        description:
          'Completed results, oldest completion first. Use it to find results whose event you missed. If the interview isn’t completed yet, `data` is empty. Results that arrive while you page show up on a later page; none are repeated or skipped.',
        querystring: Type.Object(
          {
            invitationId: id('Only the result of this invitation. Unknown IDs give 404.'),
            resultId: id('Only this result. Unknown IDs give 404.'),
            templateId: id('Only results for this template. Unknown IDs give 404.'),
            completedAfter: Type.Optional(
              time('Only results completed at or after this time. A date alone means midnight UTC.'),
            ),
            completedBefore: Type.Optional(
              time('Only results completed at or before this time. A date alone means midnight UTC.'),
            ),
            limit: Type.Optional(limit),
            cursor: Type.Optional(cursor),
          },
          { additionalProperties: false },
        ),
        response: {
          200: response(
            'One page of results.',
            Type.Object({ data: Type.Array(summary), nextCursor }, { title: 'ResultPage' }),
            {
              Link: { type: 'string', description: 'URL of the next page, with `rel="next"`.' },
            },
          ),
          ...errorResponses({
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
      const { limit = 50, completedAfter, completedBefore, ...filters } = request.query
      const after = completedAfter === undefined ? undefined : new Date(completedAfter)
      const before = completedBefore === undefined ? undefined : new Date(completedBefore)
      if (after && before && after > before) throw new Refusal('times_reversed')
      const filter = {
        ...filters,
        limit,
        ...(after && { completedAfter: after }),
        ...(before && { completedBefore: before }),
      }
      const page = await listResults(database, callerOf(request).organizationId, filter, { appUrl })
      if (typeof page === 'string') throw new Refusal(page)
      if (page.nextCursor) {
        const next = new URLSearchParams({
          ...filters,
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
