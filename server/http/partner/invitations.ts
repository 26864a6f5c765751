import type { FastifyInstance } from 'fastify'
import { interviewStatuses } from '../../interviews/interview-status.ts'
import { createOrReuseInvitation, type InvitationFields } from '../../interviews/invitations.ts'
import { type SchemaTypeProvider, Type } from '../../schema.ts'
import { Refusal } from '../errors.ts'
import { orAbsent, trimmed, withoutNulls } from '../input.ts'
import { callerOf } from './authenticate.ts'
import type { PartnerDependencies } from './dependencies.ts'
import { errorResponses, nullable, response, text, time } from './schemas.ts'

const email = Type.String({
  maxLength: 254,
  format: 'email',
  description: 'The candidate’s email address. Identifies the invitation to reuse, ignoring case.',
  examples: ['ada@example.com'],
})

const invitationInput = Type.Object(
  {
    templateId: Type.String({ maxLength: 255, examples: ['tpl_01m7efx4xwfztrm1s20bva7r58'] }),
    candidate: Type.Object(
      {
        email,
        firstName: text(1, 100, { description: 'First name.', examples: ['Ada'] }),
        lastName: orAbsent(text(0, 100, { description: 'Last name.', examples: ['Lovelace'] })),
      },
      { additionalProperties: false, title: 'CandidateInput' },
    ),
    expiresInDays: orAbsent(
      Type.Integer({ minimum: 1, maximum: 90, default: 30, description: 'Days until the link expires.' }),
    ),
  },
  { additionalProperties: false, title: 'InvitationInput' },
)

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
      description: 'Link for the candidate. Null once the interview is over.',
      format: 'uri',
      examples: ['https://interviews.example.com/interview/bm8tb25lLWNhbi1ndWVzcy10aGlzLW9uZQ'],
    }),
    expiresAt: time('When the link expires.'),
    createdAt: time('When the invitation was created.'),
  },
  { title: 'Invitation' },
)

export function invitationRoutes(app: FastifyInstance, { database, clock, interviewUrl }: PartnerDependencies) {
  app.withTypeProvider<SchemaTypeProvider>().post(
    '/interview-invitations',
    {
      config: { scope: 'invitations:write' },
      preValidation: [
        withoutNulls(invitationInput),
        trimmed('candidate.email', 'candidate.firstName', 'candidate.lastName'),
      ],
      schema: {
        operationId: 'createInvitation',
        tags: ['Invitations'],
        summary: 'Create or reuse an invitation',
        description:
          'Invites a candidate to an interview from a template. Posting the same candidate and template again returns the existing invitation with 200, so you can also use this call to get its status. If the earlier interview has expired, failed or been canceled, you get a new invitation with 201.',
        body: invitationInput,
        response: {
          200: response('The existing invitation for this candidate and template.', invitation),
          201: response('The new invitation.', invitation),
          ...errorResponses({
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
      const stored = await createOrReuseInvitation(database, organizationId, fields, { interviewUrl, now: clock() })
      if (stored === 'template_not_found') throw new Refusal('template_not_found')
      reply.code(stored.created ? 201 : 200)
      return stored.invitation
    },
  )
}
