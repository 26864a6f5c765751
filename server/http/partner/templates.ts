import type { FastifyInstance } from 'fastify'
import {
  createOrReuseTemplate,
  findTemplate,
  listTemplates,
  type TemplateChanges,
  type TemplateFields,
  updateTemplate,
} from '../../interviews/templates.ts'
import { type SchemaTypeProvider, Type } from '../../schema.ts'
import { Refusal } from '../errors.ts'
import { numericLimit, orAbsent, trimmed, withoutNulls } from '../input.ts'
import { callerOf } from './authenticate.ts'
import type { PartnerDependencies } from './dependencies.ts'
import { cursor, errorResponses, limit, nextCursor, nullable, response, text, textOrNull, time } from './schemas.ts'

const title = text(1, 200, { description: 'Title of the template.', examples: ['Backend engineer'] })
const description = text(1, 10_000, {
  description: 'What the interview is about.',
  examples: ['A conversation about services, queues and databases.'],
})
const postingDescription = 'ID of the posting in your system. Case-sensitive.'
const postingId = text(1, 255, { description: postingDescription, examples: ['job-4711'] })
const whiteboardEnabled = Type.Boolean({ description: 'Whether the interview includes the shared whiteboard.' })

const template = Type.Object(
  {
    id: Type.String({ examples: ['tpl_01m7efx4xwfztrm1s20bva7r58'] }),
    title: Type.String({ examples: ['Backend engineer'] }),
    description: Type.String({ examples: ['A conversation about services, queues and databases.'] }),
    externalPostingId: nullable({ description: postingDescription, examples: ['job-4711'] }),
    whiteboardEnabled,
    createdAt: time('When the template was created.'),
    updatedAt: time('When the template was last changed.'),
  },
  { title: 'Template' },
)

const templateInput = Type.Object(
  {
    title,
    description,
    externalPostingId: orAbsent(postingId),
    whiteboardEnabled: orAbsent({ ...whiteboardEnabled, default: false }),
  },
  { additionalProperties: false, title: 'TemplateInput' },
)

const templateChanges = Type.Object(
  {
    title: orAbsent(title),
    description: orAbsent(description),
    externalPostingId: Type.Optional(textOrNull(1, 255, { description: `${postingDescription} Null unmaps it.` })),
    whiteboardEnabled: orAbsent(whiteboardEnabled),
  },
  { additionalProperties: false, minProperties: 1, title: 'TemplateChanges' },
)

const templateId = Type.Object({
  id: Type.String({ description: 'Template ID.', examples: ['tpl_01m7efx4xwfztrm1s20bva7r58'] }),
})

const invalidFields = ['title is required', 'title must be at most 200 characters', 'Unknown field: titel']

export function templateRoutes(app: FastifyInstance, { database, clock, apiUrl }: PartnerDependencies) {
  const routes = app.withTypeProvider<SchemaTypeProvider>()

  routes.post(
    '/templates',
    {
      config: { scope: 'templates:write' },
      preValidation: [withoutNulls(templateInput), trimmed('title', 'description')],
      schema: {
        operationId: 'createTemplate',
        tags: ['Templates'],
        summary: 'Create or reuse a template',
        description:
          'Creates a template. If one is already mapped to the same `externalPostingId`, returns it unchanged with 200. Without `externalPostingId`, every call creates a new one.',
        body: templateInput,
        response: {
          200: response('The template already mapped to this posting, unchanged.', template),
          201: response('The new template.', template, {
            Location: { type: 'string', description: 'URL of the template.' },
          }),
          ...errorResponses({ scope: 'templates:write', body: true, invalid: invalidFields }),
        },
      },
    },
    async (request, reply) => {
      const fields: TemplateFields = request.body
      const stored = await createOrReuseTemplate(database, callerOf(request).organizationId, fields, clock())
      if (stored.created) reply.code(201).header('location', `${apiUrl}/v1/templates/${stored.template.id}`)
      return stored.template
    },
  )

  routes.get(
    '/templates',
    {
      config: { scope: 'templates:read' },
      preValidation: numericLimit,
      schema: {
        operationId: 'listTemplates',
        tags: ['Templates'],
        summary: 'List templates',
        description: 'Newest first. Templates created while you page don’t make a page repeat or skip any.',
        querystring: Type.Object(
          { externalPostingId: Type.Optional(postingId), limit: Type.Optional(limit), cursor: Type.Optional(cursor) },
          { additionalProperties: false },
        ),
        response: {
          200: response(
            'One page of templates.',
            Type.Object({ data: Type.Array(template), nextCursor }, { title: 'TemplatePage' }),
            {
              Link: { type: 'string', description: 'URL of the next page, with `rel="next"`.' },
            },
          ),
          ...errorResponses({
            scope: 'templates:read',
            also: ['invalid_cursor'],
            invalid: ['limit must be an integer between 1 and 100', 'Unknown query parameter: x'],
          }),
        },
      },
    },
    async (request, reply) => {
      const { limit = 50, ...filter } = request.query
      const page = await listTemplates(database, callerOf(request).organizationId, { ...filter, limit })
      if (page === 'invalid_cursor') throw new Refusal('invalid_cursor')
      if (page.nextCursor) {
        const next = new URLSearchParams({ ...filter, limit: String(limit), cursor: page.nextCursor })
        reply.header('link', `<${apiUrl}/v1/templates?${next}>; rel="next"`)
      }
      return page
    },
  )

  routes.get(
    '/templates/:id',
    {
      config: { scope: 'templates:read' },
      schema: {
        operationId: 'getTemplate',
        tags: ['Templates'],
        summary: 'Get a template',
        description: 'Returns one template of your organization.',
        params: templateId,
        response: {
          200: response('The template.', template),
          ...errorResponses({ scope: 'templates:read', parameter: true, also: ['template_not_found'], invalid: [] }),
        },
      },
    },
    async (request) => {
      const found = await findTemplate(database, callerOf(request).organizationId, request.params.id)
      if (!found) throw new Refusal('template_not_found')
      return found
    },
  )

  routes.patch(
    '/templates/:id',
    {
      config: { scope: 'templates:write' },
      preValidation: [withoutNulls(templateChanges), trimmed('title', 'description')],
      schema: {
        operationId: 'updateTemplate',
        tags: ['Templates'],
        summary: 'Update a template',
        description: 'Changes only the fields you send. `externalPostingId: null` removes the mapping.',
        params: templateId,
        body: templateChanges,
        response: {
          200: response('The updated template.', template),
          ...errorResponses({
            scope: 'templates:write',
            body: true,
            parameter: true,
            also: ['no_changes', 'template_not_found', 'posting_taken'],
            invalid: ['title must be at most 200 characters', 'Unknown field: titel'],
          }),
        },
      },
    },
    async (request) => {
      const changes: TemplateChanges = request.body
      const { organizationId } = callerOf(request)
      const changed = await updateTemplate(database, organizationId, request.params.id, changes, clock())
      if (changed === 'not_found') throw new Refusal('template_not_found')
      if (changed === 'posting_taken') throw new Refusal('posting_taken')
      return changed
    },
  )
}
