import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../../database/database.ts'
import { type InterviewStatus, isOver } from '../../interviews/interview-status.ts'
import { findByToken, type InterviewView } from '../../interviews/interviews.ts'
import { reportedScoring } from '../../interviews/scoring.ts'
import { type SchemaTypeProvider, type Static, Type } from '../../schema.ts'
import type { InterviewCompletion } from '../../workflows/complete-interview.ts'
import { completeInSandbox, findSandboxResult } from '../../workflows/sandbox.ts'
import { Refusal } from '../errors.ts'
import { fileOf, sendFile } from '../files.ts'
import { limits } from '../limits.ts'
import { html } from './html.ts'
import { notice, respondWithErrorPages } from './notice.ts'
import { type Page, sendPage, stylesheet } from './page.ts'
import { done, progressOf } from './sandbox-done.ts'
import { type Fields, form, readFields, readForm } from './sandbox-form.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The interview that the submitted form belongs to. */
    invited: InterviewView | null
    /** The submitted form, to show it again if something in it is invalid. Undefined without a body. */
    fields: Fields | undefined
  }
}

export type SandboxDependencies = {
  database: Database
  clock: () => Date
  completion: InterviewCompletion
  appUrl: string
}

const params = Type.Object({ token: Type.String() })
const submission = Type.Object({
  ...reportedScoring.properties,
  picture: Type.String({ format: 'base64' }),
})

const style = stylesheet('page.css', 'sandbox.css')
const script = fileOf('text/javascript; charset=utf-8', readFileSync(new URL('sandbox-browser.js', import.meta.url)))
const scriptTag = html`\n<script src="sandbox.js" defer></script>`
const allows = "script-src 'self'; connect-src 'self'; img-src data:; form-action 'self'"

/** /interview: where invitation links lead if no interview product is connected. You can play the candidate here. */
export async function sandboxPages(app: FastifyInstance, dependencies: SandboxDependencies) {
  const { database, clock, appUrl } = dependencies
  app.decorateRequest('invited', null)
  app.decorateRequest('fields')
  respondWithErrorPages(app)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      request.fields = readFields(body)
      return readForm(request.fields)
    },
  )
  const routes = app.withTypeProvider<SchemaTypeProvider>()

  routes.get('/sandbox.js', async (request, reply) => sendFile(request, reply, script, 'no-cache'))

  routes.get('/:token', { schema: { params } }, async (request, reply) => {
    const found = await findByToken(database, request.params.token, clock())
    if (!found) return sendPage(reply, 404, unknown)
    const result = await findSandboxResult(database, found.interview.id)
    if (result) return send(reply, done(found, result, appUrl))
    if (isOver(found.interview.status)) return sendPage(reply, 410, over(found.interview.status))
    return send(reply, form(found))
  })

  routes.post(
    '/:token',
    {
      bodyLimit: limits.formBodyBytes,
      config: { accepts: 'application/x-www-form-urlencoded' },
      schema: { params, body: submission },
      attachValidation: true,
      // Before the form is read, so a request without an invitation costs no more than this lookup.
      onRequest: async (request, reply) => {
        request.invited = await findByToken(database, request.params.token, clock())
        if (!request.invited) return sendPage(reply, 404, unknown)
      },
    },
    async (request, reply) => {
      const { invited: found, fields = new Map(), validationError } = request
      if (!found) return sendPage(reply, 404, unknown)
      const { id, status } = found.interview
      // What the page shows by now, perhaps because of another tab, says more than what is wrong with the form.
      if (validationError && isOver(status)) return reply.redirect(request.params.token, 303)
      if (validationError) return send(reply, form(found, { fields, errors: validationError.validation }), 400)
      const played = await completeInSandbox(dependencies, id, performanceOf(request.body), clock())
      if (played.outcome === 'not_found') return sendPage(reply, 404, unknown)
      if (played.outcome === 'over') return sendPage(reply, 410, over(played.status))
      // Relative, so it also works behind a proxy that serves us under a path prefix.
      return reply.redirect(request.params.token, 303)
    },
  )

  routes.get('/:token/status', { schema: { params } }, async (request, reply) => {
    const found = await findByToken(database, request.params.token, clock())
    const result = found && (await findSandboxResult(database, found.interview.id))
    if (!result) throw new Refusal('not_found')
    return reply.send(progressOf(result.delivery))
  })
}

function performanceOf({ picture, ...scoring }: Static<typeof submission>) {
  return { scoring, ...(picture !== '' && { picture: Buffer.from(picture, 'base64') }) }
}

function send(reply: FastifyReply, page: Pick<Page, 'title' | 'body' | 'head'>, status = 200) {
  const head = html`${scriptTag}${page.head ?? null}`
  return sendPage(reply, status, { ...page, head, style, allows })
}

const unknown = notice({
  eyebrow: 'Interview',
  heading: 'Invitation not found',
  text: 'Part of the link may be missing. Please copy the whole link again.',
})

function over(status: InterviewStatus): Page {
  return notice({
    eyebrow: 'Interview',
    heading: 'This invitation is no longer valid',
    text: `${whyOver[status] ?? 'The interview is over'}. Invite the candidate again to get a new link.`,
  })
}

const whyOver: Partial<Record<InterviewStatus, string>> = {
  EXPIRED: 'It has expired',
  FAILED: 'The interview has failed',
  CANCELLED: 'The interview was canceled',
}
