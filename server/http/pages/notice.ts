import type { FastifyInstance } from 'fastify'
import { type ErrorCode, errors, Refusal } from '../errors.ts'
import { refusalFor } from '../refusals.ts'
import { type Html, html } from './html.ts'
import { type Page, sendPage, stylesheet } from './page.ts'

const style = stylesheet('page.css')

export type Notice = { eyebrow?: string; heading: string; text: string; actions?: Html }

/** A page that only says something. */
export function notice({ eyebrow, heading, text, actions }: Notice): Page {
  const body = html`<main class="sheet notice">
${eyebrow === undefined ? null : html`<p class="eyebrow">${eyebrow}</p>`}
<h1>${heading}</h1>
<p class="lead">${text}</p>
${actions ? html`<p class="actions">${actions}</p>` : null}
</main>`
  return { title: heading, style, body }
}

/** People read what is under these paths: a fault is a page too. */
export function answerFaultsWithPages(app: FastifyInstance): void {
  app.setErrorHandler((error: Error, request, reply) => {
    const refusal = refusalFor(error, request)
    reply.headers(refusal.headers)
    return sendPage(reply, errors[refusal.code].status, notice(words[refusal.code] ?? plainly(refusal)))
  })
  app.setNotFoundHandler(() => {
    throw new Refusal('not_found')
  })
}

const words: Partial<Record<ErrorCode, Notice>> = {
  not_found: { heading: 'There is nothing here', text: 'Part of the address may be missing.' },
  unavailable: {
    heading: 'Back in a moment',
    text: 'The service cannot be reached just now. Please load this page again.',
  },
  internal: {
    heading: 'Something went wrong',
    text: 'That was our fault, and it is in our log. Please try again later.',
  },
}

function plainly({ message }: Refusal): Notice {
  return { heading: 'That did not work', text: `${message}.` }
}
