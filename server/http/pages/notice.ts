import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { type ErrorCode, errors, type Refusal } from '../errors.ts'
import { refusalFor } from '../refusals.ts'
import { Html, html } from './html.ts'
import { type Page, sendPage, stylesheet } from './page.ts'

const style = stylesheet('page.css')

// Inline, because the content security policy allows no images.
const mark = new Html(readFileSync(new URL('mark.svg', import.meta.url), 'utf8'))

export type Notice = { eyebrow?: string; heading: string; text: string; actions?: Html; logo?: boolean }

/** A page with just a message. */
export function notice({ eyebrow, heading, text, actions, logo = false }: Notice): Page {
  const body = html`<main class="sheet notice">
${logo ? html`<p class="logo">${mark}</p>` : null}
${eyebrow === undefined ? null : html`<p class="eyebrow">${eyebrow}</p>`}
<h1>${heading}</h1>
<p class="lead">${text}</p>
${actions ? html`<p class="actions">${actions}</p>` : null}
</main>`
  return { title: heading, style, body }
}

/** Shown if web/dist is missing. */
export const notBuilt = notice({
  heading: 'This page hasn’t been built yet',
  text: 'Run npm run build, then reload this page.',
})

/** Shown to browsers at an unknown URL. */
export const pageNotFound = notice({
  heading: 'Page not found',
  text: 'Check the URL, or start from the home page.',
  actions: html`<a class="button" href="/">Home</a>`,
})

/** People open these paths in a browser, so errors are pages, too. */
export function respondWithErrorPages(app: FastifyInstance): void {
  app.setErrorHandler((error: Error, request, reply) => {
    const refusal = refusalFor(error, request)
    reply.headers(refusal.headers)
    return sendPage(reply, errors[refusal.code].status, notice(notices[refusal.code] ?? noticeFor(refusal)))
  })
  app.setNotFoundHandler((request) => {
    throw app.unknownRoute(request)
  })
}

const notices: Partial<Record<ErrorCode, Notice>> = {
  not_found: { heading: 'Page not found', text: 'Part of the URL may be missing.' },
  unavailable: {
    heading: 'Temporarily unavailable',
    text: 'We’ll be back in a moment. Please reload this page.',
  },
  internal: {
    heading: 'Something went wrong',
    text: 'It’s our fault, and we’ve logged it. Please try again later.',
  },
}

function noticeFor({ message }: Refusal): Notice {
  return { heading: 'That didn’t work', text: `${message}.` }
}
