import { readFileSync } from 'node:fs'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Static, Type } from 'typebox'
import type { Database } from '../../database/database.ts'
import { findByToken } from '../../interviews/interviews.ts'
import { type InterviewStatus, isOver } from '../../interviews/invitations.ts'
import type { CompletionDependencies } from '../../workflows/complete-interview.ts'
import { findPlayedResult, playCandidate } from '../../workflows/sandbox.ts'
import { scoring } from '../engine/schemas.ts'
import { Refusal } from '../errors.ts'
import { refuseOtherMethods } from '../methods.ts'
import { html } from './html.ts'
import { answerFaultsWithPages, notice } from './notice.ts'
import { type Page, sendPage, stylesheet } from './page.ts'
import { done, progressOf } from './sandbox-done.ts'
import { form, readForm } from './sandbox-form.ts'

export type SandboxDependencies = {
  database: Database
  clock: () => Date
  completion: CompletionDependencies
  appUrl: string
}

// Room for an image of the largest size that may be sent, in Base64 with its signs escaped.
const mostBytes = 2 * 1024 * 1024

const params = Type.Object({ token: Type.String() })
const submission = Type.Object({ ...scoring.properties, picture: Type.String({ pattern: '^[A-Za-z0-9+/]*={0,2}$' }) })

const style = stylesheet('page.css', 'sandbox.css')
const script = readFileSync(new URL('sandbox-browser.js', import.meta.url))
const scriptTag = html`\n<script src="sandbox.js" defer></script>`
const allows = "script-src 'self'; connect-src 'self'; img-src data:; form-action 'self'"

/** /interview: the invitation link, where no interview product stands behind it. One can play the candidate. */
export async function sandboxPages(app: FastifyInstance, { database, clock, completion, appUrl }: SandboxDependencies) {
  answerFaultsWithPages(app)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: unknown, body: string) => readForm(body),
  )
  const routes = app.withTypeProvider<TypeBoxTypeProvider>()

  refuseOtherMethods(app, () => {
    routes.get('/sandbox.js', async (_request, reply) =>
      reply
        .headers({
          'content-type': 'text/javascript; charset=utf-8',
          'cache-control': 'no-cache',
          'x-content-type-options': 'nosniff',
        })
        .send(script),
    )

    routes.get('/:token', { schema: { params } }, async (request, reply) => {
      const found = await findByToken(database, request.params.token, clock())
      if (!found) return sendPage(reply, 404, unknown)
      const result = await findPlayedResult(database, found.interview.id)
      if (result) return send(reply, done(found, result, appUrl))
      if (isOver(found.interview.status)) return sendPage(reply, 410, over(found.interview.status))
      return send(reply, form(found))
    })

    routes.post(
      '/:token',
      {
        bodyLimit: mostBytes,
        config: { accepts: 'application/x-www-form-urlencoded' },
        schema: { params, body: submission },
      },
      async (request, reply) => {
        const { token } = request.params
        const found = await findByToken(database, token, clock())
        if (!found) return sendPage(reply, 404, unknown)
        const played = await playCandidate(completion, found.interview.id, performanceOf(request.body), clock())
        if (played.outcome === 'not_found') return sendPage(reply, 404, unknown)
        if (played.outcome === 'over') return sendPage(reply, 410, over(played.status))
        // Relative, so that it also holds behind a proxy that serves the service under a path of its own.
        return reply.redirect(token, 303)
      },
    )

    routes.get('/:token/status', { schema: { params } }, async (request, reply) => {
      const found = await findByToken(database, request.params.token, clock())
      const result = found && (await findPlayedResult(database, found.interview.id))
      if (!result) throw new Refusal('not_found')
      return reply.header('cache-control', 'no-store').send(progressOf(result.delivery))
    })
  })
}

function performanceOf({ picture, ...scoring }: Static<typeof submission>) {
  return { scoring, ...(picture !== '' && { picture: Buffer.from(picture, 'base64') }) }
}

function send(reply: FastifyReply, page: Pick<Page, 'title' | 'body' | 'head'>) {
  const head = html`${scriptTag}${page.head ?? null}`
  return sendPage(reply, 200, { ...page, head, style, allows })
}

const unknown = notice({
  eyebrow: 'Interview',
  heading: 'This invitation is not known',
  text: 'Part of the link may be missing: please copy it again, all of it.',
})

function over(status: InterviewStatus): Page {
  return notice({
    eyebrow: 'Interview',
    heading: 'This invitation is over',
    text: `The interview is ${status.toLowerCase()}. A new invitation for the same candidate gives a new link.`,
  })
}
