import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { type ErrorCode, errors, type Refusal } from '../errors.ts'
import { refusalFor } from '../refusals.ts'
import { Html, html } from './html.ts'
import { type Page, sendPage, stylesheet } from './page.ts'

const style = stylesheet('page.css')

// In the page itself: its content security policy allows no images.
const mark = new Html(readFileSync(new URL('mark.svg', import.meta.url), 'utf8'))

export type Notice = { eyebrow?: string; heading: string; text: string; actions?: Html; logo?: boolean }

/** A page that only says something. */
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

/** Where what the browser loads is missing from web/dist. */
export const notBuilt = notice({
  heading: 'This page is not built yet',
  text: 'Run npm run build, then load this page again.',
})

/** For a browser at an address where nothing is. */
export const nothingHere = notice({
  heading: 'There is nothing here',
  text: 'Check the address, or start from the home page.',
  actions: html`<a class="button" href="/">Home</a>`,
})

/** People read what is under these paths: a fault is a page too. */
export function answerFaultsWithPages(app: FastifyInstance): void {
  app.setErrorHandler((error: Error, request, reply) => {
    const refusal = refusalFor(error, request)
    reply.headers(refusal.headers)
    return sendPage(reply, errors[refusal.code].status, notice(words[refusal.code] ?? plainly(refusal)))
  })
  app.setNotFoundHandler((request) => {
    throw app.unknownRoute(request)
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
