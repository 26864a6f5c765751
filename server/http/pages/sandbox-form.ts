import type { FastifySchemaValidationError } from 'fastify'
import type { InterviewView } from '../../interviews/interviews.ts'
import { maxListEntries } from '../../interviews/scoring.ts'
import { samplePortrait, sampleScoring, weightedScore, weights } from '../../workflows/sandbox.ts'
import { Refusal } from '../errors.ts'
import { limits } from '../limits.ts'
import { describeErrors } from '../validation.ts'
import { type Html, html } from './html.ts'

/** The form as it was filled in, by the names of its fields. */
export type Fields = ReadonlyMap<string, string>

export type RejectedForm = { fields: Fields; errors: readonly FastifySchemaValidationError[] }

const portrait = `data:image/jpeg;base64,${samplePortrait.toString('base64')}`

const sampleFields: Fields = new Map(
  Object.entries({
    ...sampleScoring,
    weighted_score: '',
    highlights: sampleScoring.highlights.join('\n'),
    suggestions: sampleScoring.suggestions.join('\n'),
  }).map(([name, value]) => [name, String(value)]),
)

/**
 * The form for playing the candidate, with what is wrong if it has been rejected. It also works without its script, with
 * the sample picture.
 */
export function form(
  { template, candidate }: InterviewView,
  rejected: RejectedForm | null = null,
): { title: string; body: Html } {
  const fields = rejected?.fields ?? sampleFields
  const filledIn = (name: string) => fields.get(name) ?? ''
  const score = (name: keyof typeof weights, label: string) => scoreField(name, label, filledIn(name))
  const textArea = (name: string, label: string, maxLength: number) => textField(name, label, filledIn(name), maxLength)
  const name = `${candidate.firstName} ${candidate.lastName}`.trim()
  const body = html`<main class="sheet">
<header>
  <p class="eyebrow">Sandbox interview</p>
  <h1 dir="auto">${template.title}</h1>
  <p class="lead">No interview product is connected, so you play <strong><bdi>${name}</bdi></strong>
    (<bdi>${candidate.email}</bdi>). Choose how it went. Completing the interview stores a real result and sends a real event.</p>
</header>
${rejected && problem(rejected)}
<form method="post" autocomplete="off">
  <fieldset class="section">
    <legend>Scores</legend>
    <div class="scores">
      ${score('technical_score', 'Technical')}
      ${score('soft_skills_score', 'Soft skills')}
      ${score('language_proficiency', 'Language')}
      <div class="field">
        <label for="weighted_score">Overall</label>
        <input id="weighted_score" name="weighted_score" type="number" min="0" max="100" step="any" inputmode="decimal"
          value="${filledIn('weighted_score')}" placeholder="${sampleScoring.weighted_score}" aria-describedby="weighted_score_hint">
      </div>
    </div>
    <p class="hint" id="weighted_score_hint">Leave the overall score empty to compute it: 50% technical, 30% soft skills, 20% language.</p>
  </fieldset>
  ${pictureField()}
  <fieldset class="section">
    <legend>Feedback</legend>
    ${textArea('feedback', 'Overall', 10_000)}
    ${textArea('technical_feedback', 'Technical', 10_000)}
    ${textArea('soft_skills_feedback', 'Soft skills', 10_000)}
    ${textArea('language_proficiency_feedback', 'Language', 10_000)}
    <div class="pair">
      ${textArea('highlights', 'Highlights, one per line', 50_000)}
      ${textArea('suggestions', 'Suggestions, one per line', 50_000)}
    </div>
    <div class="field short">
      <label for="duration">Duration in seconds</label>
      <input id="duration" name="duration" type="number" min="0" max="1000000" step="1" required
        value="${filledIn('duration')}">
    </div>
  </fieldset>
  <div class="section actions">
    <button class="button" type="submit">Complete interview</button>
    <p class="hint">You can’t undo this: an interview has one result.</p>
  </div>
</form>
</main>`
  return { title: `Sandbox · ${template.title}`, body }
}

const labels: Record<string, string> = {
  technical_score: 'Technical score',
  soft_skills_score: 'Soft skills score',
  language_proficiency: 'Language score',
  weighted_score: 'Overall score',
  feedback: 'Overall feedback',
  technical_feedback: 'Technical feedback',
  soft_skills_feedback: 'Soft skills feedback',
  language_proficiency_feedback: 'Language feedback',
  highlights: 'Highlights',
  suggestions: 'Suggestions',
  duration: 'Duration',
  picture: 'Picture',
}

/** A picture would be too much to send back and forth: only what was typed is kept. */
function problem({ fields, errors }: RejectedForm): Html {
  // An overall score that was left empty is computed, so it is as wrong as the other scores.
  const own = errors.filter(({ instancePath }) => instancePath !== '/weighted_score' || fields.get('weighted_score'))
  const text = describeErrors(own, 'body', labelOf).replace(/\d{4,}/g, (digits) => grouped.format(Number(digits)))
  return html`<div class="problem" role="alert" tabindex="-1" autofocus>
  <p>${text}.</p>
  <p class="hint">Nothing has been sent yet. Your entries are still here${fields.get('picture') ? ', but please add your picture again' : null}.</p>
</div>`
}

/** `highlights.0` is the first highlight. */
function labelOf(field: string): string {
  const [name = '', index] = field.split('.')
  const label = labels[name] ?? name
  return index === undefined ? label : `${label.slice(0, -1)} ${Number(index) + 1}`
}

const grouped = new Intl.NumberFormat('en')

function scoreField(name: keyof typeof weights, label: string, value: string): Html {
  return html`<div class="field">
        <label for="${name}">${label}</label>
        <input id="${name}" name="${name}" type="number" min="0" max="100" step="any" inputmode="decimal" required
          value="${value}" data-weight="${weights[name]}">
        <input type="range" min="0" max="100" step="1" value="${value}" aria-label="${label}, slider" data-for="${name}" hidden>
      </div>`
}

function pictureField(): Html {
  return html`<fieldset class="section">
    <legend>Picture</legend>
    <div class="picture">
      <div class="frame">
        <img src="${portrait}" width="240" height="240" alt="A drawn portrait, sent unless you choose another picture">
        <canvas width="480" height="480" role="img" aria-label="Your picture" hidden></canvas>
        <video width="240" height="240" autoplay playsinline muted aria-label="Camera preview" hidden></video>
      </div>
      <div class="choice">
        <p class="hint">The event carries a picture of the candidate.</p>
        <div class="choices" role="radiogroup" aria-label="Picture source" hidden>
          <label><input type="radio" name="source" value="sample" checked> Sample</label>
          <label><input type="radio" name="source" value="drawing"> Draw one</label>
          <label><input type="radio" name="source" value="camera"> Camera</label>
        </div>
        <p class="tool" data-tool="drawing" hidden>Draw in the frame. <button type="button" class="plain" data-do="clear">Start over</button></p>
        <p class="tool" data-tool="camera" hidden><button type="button" class="plain" data-do="shoot">Take picture</button></p>
        <p class="tool" data-tool="trouble" role="status" hidden></p>
      </div>
    </div>
    <input type="hidden" name="picture" value="">
  </fieldset>`
}

function textField(name: string, label: string, value: string, maxLength: number): Html {
  return html`<div class="field">
      <label for="${name}">${label}</label>
      <textarea id="${name}" name="${name}" rows="3" maxlength="${maxLength}" dir="auto">
${value}</textarea>
    </div>`
}

/** Turns the form into a scoring block. The schema validates its values. */
export function readForm(fields: Fields) {
  const number = (name: string) => (fields.get(name)?.trim() ? Number(fields.get(name)) : undefined)
  const text = (name: string) => (fields.get(name) ?? '').replaceAll('\r\n', '\n').trim()
  const lines = (name: string) =>
    text(name)
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      // One too many is enough for the schema to complain. It would report every bad entry.
      .slice(0, maxListEntries + 1)
  const technical_score = number('technical_score')
  const soft_skills_score = number('soft_skills_score')
  const language_proficiency = number('language_proficiency')
  return {
    technical_score,
    technical_feedback: text('technical_feedback'),
    soft_skills_score,
    soft_skills_feedback: text('soft_skills_feedback'),
    language_proficiency,
    language_proficiency_feedback: text('language_proficiency_feedback'),
    weighted_score:
      number('weighted_score') ??
      weightedScore({
        technical_score: technical_score ?? 0,
        soft_skills_score: soft_skills_score ?? 0,
        language_proficiency: language_proficiency ?? 0,
      }),
    feedback: text('feedback'),
    highlights: lines('highlights'),
    suggestions: lines('suggestions'),
    duration: number('duration'),
    picture: fields.get('picture') ?? '',
  }
}

export function readFields(body: Buffer): Fields {
  const fields = decode(body)
  for (const [name, value] of fields) {
    if (name !== 'picture' && value.length > limits.formTextCharacters) throw new Refusal('invalid_form')
  }
  return fields
}

/** Not URLSearchParams, which takes many seconds for a megabyte of fields or of plus signs. */
function decode(body: Buffer): Map<string, string> {
  for (let index = 0; index < body.length; index += 1) if (body[index] === plus) body[index] = space
  const parts = body.toString().split('&', limits.formFields + 1)
  if (parts.length > limits.formFields) throw new Refusal('invalid_form')
  try {
    return new Map(
      parts.map((part) => {
        const [name = '', value = ''] = part.split('=', 2)
        return [decodeURIComponent(name), decodeURIComponent(value)]
      }),
    )
  } catch {
    throw new Refusal('invalid_form')
  }
}

const plus = 0x2b
const space = 0x20
