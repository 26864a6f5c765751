import type { FastifyInstance } from 'fastify'
import type { Database } from '../../database/database.ts'
import { findSharedResult, type SharedResult } from '../../interviews/shared-result.ts'
import { type SchemaTypeProvider, Type } from '../../schema.ts'
import { type Html, html } from './html.ts'
import { notice, respondWithErrorPages } from './notice.ts'
import { sendPage, stylesheet } from './page.ts'

const style = stylesheet('page.css', 'shared-result.css')

/** /shared: the page behind `resultUrl`. */
export async function sharedResultPage(app: FastifyInstance, { database }: { database: Database }) {
  respondWithErrorPages(app)
  app
    .withTypeProvider<SchemaTypeProvider>()
    .get(
      '/interview-details/:token',
      { schema: { params: Type.Object({ token: Type.String() }) } },
      async (request, reply) => {
        const result = await findSharedResult(database, request.params.token)
        if (!result) return sendPage(reply, 404, notFound)
        const title = `${nameOf(result)} · ${result.templateTitle}`
        return sendPage(reply, 200, { title, style, body: view(result) })
      },
    )
}

const notFound = notice({
  eyebrow: 'Interview result',
  heading: 'Result not found',
  text: 'Part of the link may be missing. Please copy the whole link again. If that doesn’t help, ask the person who sent it to you.',
})

function view(result: SharedResult): Html {
  const { templateTitle, completedAt, scoring } = result
  return html`<main class="sheet">
<header class="summary">
  <div class="who">
    <p class="eyebrow">Interview result</p>
    <h1 dir="auto">${nameOf(result)}</h1>
    <p class="role" dir="auto">${templateTitle}</p>
    <dl class="facts">
      <div><dt>Completed</dt><dd><time datetime="${completedAt}">${dateTime.format(new Date(completedAt))} UTC</time></dd></div>
      <div><dt>Duration</dt><dd>${duration(scoring.duration)}</dd></div>
    </dl>
  </div>
  ${ring(scoring.weighted_score)}
</header>
${section('Overall feedback', paragraph(scoring.feedback, 'text opening'))}
<section class="section">
  <h2>Scores</h2>
  ${score('Technical', scoring.technical_score, scoring.technical_feedback)}
  ${score('Soft skills', scoring.soft_skills_score, scoring.soft_skills_feedback)}
  ${score('Language', scoring.language_proficiency, scoring.language_proficiency_feedback)}
</section>
${points(scoring)}
</main>
<footer class="colophon"><p>Anyone with the link can view this page.</p></footer>`
}

function nameOf({ candidate }: SharedResult): string {
  return `${candidate.firstName} ${candidate.lastName}`.trim()
}

const dateTime = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'long',
  timeStyle: 'short',
  hourCycle: 'h23',
  timeZone: 'UTC',
})

/** Seconds only matter in short durations. */
function duration(seconds: number): string {
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor(seconds / 60) % 60
  if (hours > 0) return `${hours} h ${minutes} min`
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`
}

const number = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

/** Drawn with attributes, not styles, so it needs no exception in the policy and shows up in print. */
function ring(value: number): Html {
  const shown = number.format(value)
  return html`<figure class="overall">
    <svg viewBox="0 0 120 120" role="img" aria-label="${shown} out of 100">
      <circle class="track" cx="60" cy="60" r="54"/>
      ${value > 0 ? html`<circle class="value" cx="60" cy="60" r="54" pathLength="100" stroke-dasharray="${value} 100" transform="rotate(-90 60 60)"/>` : null}
      <text class="number" x="60" y="68">${shown}</text>
      <text class="scale" x="60" y="85">of 100</text>
    </svg>
    <figcaption>Overall score</figcaption>
  </figure>`
}

function score(name: string, value: number, feedback: string): Html {
  const shown = number.format(value)
  return html`<div class="score">
    <div>
      <div class="head"><h3>${name}</h3><p class="number" aria-hidden="true">${shown} <span class="scale">of 100</span></p></div>
      <svg class="bar" role="img" aria-label="${name}: ${shown} out of 100">
        <rect class="track" width="100%" height="8" rx="4"/><rect class="value" width="${value}%" height="8" rx="4"/>
      </svg>
    </div>
    ${paragraph(feedback, 'text')}
  </div>`
}

function points({ highlights, suggestions }: SharedResult['scoring']): Html | null {
  if (highlights.length === 0 && suggestions.length === 0) return null
  return html`<div class="section points">
  ${list('Highlights', 'highlights', highlights)}
  ${list('Suggestions', 'suggestions', suggestions)}
</div>`
}

function list(heading: string, name: string, entries: string[]): Html | null {
  if (entries.length === 0) return null
  return html`<section class="${name}">
    <h2>${heading}</h2>
    <ul role="list">${entries.map((entry) => html`<li dir="auto">${entry}</li>`)}</ul>
  </section>`
}

function section(heading: string, content: Html | null): Html | null {
  return content ? html`<section class="section"><h2>${heading}</h2>${content}</section>` : null
}

function paragraph(text: string, name: string): Html | null {
  return text.trim() === '' ? null : html`<p class="${name}" dir="auto">${text}</p>`
}
