import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { createOrReuseInvitation, type InvitationFields, interviewStatuses } from '../../interviews/invitations.ts'
import { Refusal } from '../errors.ts'
import { callerOf } from './authenticate.ts'
import type { PartnerDependencies } from './dependencies.ts'
import { trimmed, withoutNulls } from './input.ts'
import { answer, nullable, refusals, text, time } from './schemas.ts'

const email = Type.String({
  maxLength: 254,
  format: 'email',
  description: 'Where the candidate is known; also how an invitation is recognised, whatever the letter case.',
  examples: ['ada@example.com'],
})

const invitation = Type.Object(
  {
    id: Type.String({ examples: ['inv_01m7efx4xwfztrm1s20bva7r58'] }),
    templateId: Type.String({ examples: ['tpl_01m7efx4xwfztrm1s20bva7r58'] }),
    candidate: Type.Object(
      {
        id: Type.String({ examples: ['cand_01m7efx4xwfztrm1s20bva7r58'] }),
        email: Type.String({ format: 'email', examples: ['ada@example.com'] }),
        firstName: Type.String({ examples: ['Ada'] }),
        lastName: Type.String({ examples: ['Lovelace'] }),
      },
      { title: 'Candidate' },
    ),
    interview: Type.Object({
      id: Type.String({ examples: ['int_01m7efx4xwfztrm1s20bva7r58'] }),
      status: Type.Enum([...interviewStatuses]),
    }),
    inviteUrl: nullable({
      description: 'The link for the candidate. Null once the interview is over.',
      format: 'uri',
      examples: ['https://interviews.example.com/interview/bm8tb25lLWNhbi1ndWVzcy10aGlzLW9uZQ'],
    }),
    expiresAt: time('Until when the interview can be begun.'),
    createdAt: time('When it was made.'),
  },
  { title: 'Invitation' },
)

export function invitationRoutes(app: FastifyInstance, { database, clock, interviewUrl }: PartnerDependencies) {
  app.withTypeProvider<TypeBoxTypeProvider>().post(
    '/interview-invitations',
    {
      config: { scope: 'invitations:write' },
      preValidation: [
        withoutNulls('candidate.lastName', 'expiresInDays'),
        trimmed('candidate.email', 'candidate.firstName', 'candidate.lastName'),
      ],
      schema: {
        operationId: 'createInvitation',
        tags: ['Invitations'],
        summary: 'Create or reuse an invitation',
        description:
          'Ties a candidate to a template. The same candidate and template again give the same invitation with 200, which is also how to see its status; once it has expired, failed or been cancelled, a new one is made with 201.',
        body: Type.Object(
          {
            templateId: Type.String({ maxLength: 255, examples: ['tpl_01m7efx4xwfztrm1s20bva7r58'] }),
            candidate: Type.Object(
              {
                email,
                firstName: text(1, 100, { description: 'First name.', examples: ['Ada'] }),
                lastName: Type.Optional(text(0, 100, { description: 'Last name.', examples: ['Lovelace'] })),
              },
              { additionalProperties: false, title: 'CandidateInput' },
            ),
            expiresInDays: Type.Optional(
              Type.Integer({ minimum: 1, maximum: 90, default: 30, description: 'Days until the link expires.' }),
            ),
          },
          { additionalProperties: false, title: 'InvitationInput' },
        ),
        response: {
          200: answer('The invitation that already ties this candidate to this template.', invitation),
          201: answer('The new invitation.', invitation),
          ...refusals({
            scope: 'invitations:write',
            body: true,
            also: ['template_not_found'],
            invalid: ['candidate.email must be a valid email address', 'templateId is required'],
          }),
        },
      },
    },
    async (request, reply) => {
      const fields: InvitationFields = request.body
      const { organizationId } = callerOf(request)
      const made = await createOrReuseInvitation(database, organizationId, fields, { interviewUrl, now: clock() })
      if (made === 'template_not_found') throw new Refusal('template_not_found')
      reply.code(made.created ? 201 : 200)
      return made.invitation
    },
  )
}
