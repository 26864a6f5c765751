import type { InterviewView } from '../../interviews/interviews.ts'
import { resultUrl } from '../../interviews/results.ts'
import type { ExplainedDelivery, SandboxResult } from '../../workflows/sandbox.ts'
import { type Html, html } from './html.ts'

/** How far the event has got. `final`: it won't change anymore. */
export type Progress = {
  state: 'none' | 'waiting' | 'delivered' | 'failed'
  heading: string
  text: string
  final: boolean
}

export function done(
  { template, candidate, invitationId }: InterviewView,
  { resultId, token, delivery }: SandboxResult,
  appUrl: string,
): { title: string; body: Html; head: Html } {
  const url = resultUrl(appUrl, token)
  const progress = progressOf(delivery)
  const body = html`<main class="sheet">
<header>
  <p class="eyebrow">Sandbox interview</p>
  <h1>Interview completed</h1>
  <p class="lead"><strong><bdi>${`${candidate.firstName} ${candidate.lastName}`.trim()}</bdi></strong> · <bdi>${template.title}</bdi></p>
</header>
<section class="section">
  <h2>The event</h2>
  <div class="progress" data-state="${progress.state}" data-final="${String(progress.final)}" role="status">
    <p class="state">${progress.heading}</p>
    <p class="hint">${progress.text}</p>
  </div>
</section>
<section class="section">
  <h2>The result</h2>
  <p class="result"><a class="button" href="${url}">Open result</a></p>
  <dl class="ids">
    <div><dt>Link</dt><dd>${url}</dd></div>
    <div><dt>Result</dt><dd>${resultId}</dd></div>
    <div><dt>Invitation</dt><dd>${invitationId}</dd></div>
    ${delivery ? html`<div><dt>Delivery</dt><dd>${delivery.id}</dd></div>` : null}
  </dl>
</section>
</main>`
  const head = progress.final ? html`` : html`\n<noscript><meta http-equiv="refresh" content="3"></noscript>`
  return { title: 'Interview completed', body, head }
}

export function progressOf(delivery: ExplainedDelivery | null): Progress {
  if (!delivery) {
    const text =
      'No webhook was enabled when the interview was completed, so there is no event. You can still poll for the result.'
    return { state: 'none', heading: 'Not sent', text, final: true }
  }
  const { status, attempts, explanation } = delivery
  const count = attempts === 1 ? '1 attempt' : `${attempts} attempts`
  if (status === 'DELIVERED') {
    return { state: 'delivered', heading: 'Delivered', text: `The receiver accepted it after ${count}.`, final: true }
  }
  const why = explanation && `${explanation.summary} ${explanation.advice}`
  if (status === 'FAILED') {
    return { state: 'failed', heading: 'Failed', text: why ?? `Not delivered after ${count}.`, final: false }
  }
  return { state: 'waiting', heading: 'On its way', text: why ?? 'It will be sent in a moment.', final: false }
}
