import type { InterviewView } from '../../interviews/interviews.ts'
import { maxListEntries } from '../../interviews/scoring.ts'
import { samplePortrait, sampleScoring, weightedScore, weights } from '../../workflows/sandbox.ts'
import { Refusal } from '../errors.ts'
import { limits } from '../limits.ts'
import { type Html, html } from './html.ts'

const portrait = `data:image/jpeg;base64,${samplePortrait.toString('base64')}`

/** The form for playing the candidate. It also works without its script, with the sample picture. */
export function form({ template, candidate }: InterviewView): { title: string; body: Html } {
  const name = `${candidate.firstName} ${candidate.lastName}`.trim()
  const body = html`<main class="sheet">
<header>
  <p class="eyebrow">Sandbox interview</p>
  <h1 dir="auto">${template.title}</h1>
  <p class="lead">No interview product is connected, so you play <strong><bdi>${name}</bdi></strong>
    (<bdi>${candidate.email}</bdi>). Choose how it went. Completing the interview stores a real result and sends a real event.</p>
</header>
<form method="post" autocomplete="off">
  <fieldset class="section">
    <legend>Scores</legend>
    <div class="scores">
      ${scoreField('technical_score', 'Technical')}
      ${scoreField('soft_skills_score', 'Soft skills')}
      ${scoreField('language_proficiency', 'Language')}
      <div class="field">
        <label for="weighted_score">Overall</label>
        <input id="weighted_score" name="weighted_score" type="number" min="0" max="100" step="any" inputmode="decimal"
          placeholder="${sampleScoring.weighted_score}" aria-describedby="weighted_score_hint">
      </div>
    </div>
    <p class="hint" id="weighted_score_hint">Leave the overall score empty to compute it: 50% technical, 30% soft skills, 20% language.</p>
  </fieldset>
  ${pictureField()}
  <fieldset class="section">
    <legend>Feedback</legend>
    ${textField('feedback', 'Overall', sampleScoring.feedback, 10_000)}
    ${textField('technical_feedback', 'Technical', sampleScoring.technical_feedback, 10_000)}
    ${textField('soft_skills_feedback', 'Soft skills', sampleScoring.soft_skills_feedback, 10_000)}
    ${textField('language_proficiency_feedback', 'Language', sampleScoring.language_proficiency_feedback, 10_000)}
    <div class="pair">
      ${textField('highlights', 'Highlights, one per line', sampleScoring.highlights.join('\n'), 50_000)}
      ${textField('suggestions', 'Suggestions, one per line', sampleScoring.suggestions.join('\n'), 50_000)}
    </div>
    <div class="field short">
      <label for="duration">Duration in seconds</label>
      <input id="duration" name="duration" type="number" min="0" max="1000000" step="1" required value="${sampleScoring.duration}">
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

function scoreField(name: keyof typeof weights, label: string): Html {
  const value = sampleScoring[name]
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
export function readForm(body: Buffer) {
  const fields = fieldsOf(body)
  const number = (name: string) => (fields.get(name)?.trim() ? Number(fields.get(name)) : undefined)
  const text = (name: string) => {
    const value = fields.get(name) ?? ''
    if (value.length > limits.formTextCharacters) throw new Refusal('invalid_form')
    return value.replaceAll('\r\n', '\n').trim()
  }
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

/** Not URLSearchParams, which takes many seconds for a megabyte of fields or of plus signs. */
function fieldsOf(body: Buffer): Map<string, string> {
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
