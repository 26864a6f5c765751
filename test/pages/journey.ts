import assert from 'node:assert/strict'
import { sampleScoring } from '../../server/workflows/sandbox.ts'
import { appUrl, call, engineToken, type Partner, type Service } from '../../support/service.ts'

export type Invitation = {
  id: string
  interview: { id: string; status: string }
  inviteUrl: string
  templateId: string
}

type InviteOptions = { title?: string; firstName?: string; lastName?: string; email?: string }

/** Creates a template and invites a candidate. */
export async function invite(partner: Partner, options: InviteOptions = {}): Promise<Invitation> {
  const {
    title = 'Senior backend engineer',
    firstName = 'Ada',
    lastName = 'Lovelace',
    email = 'ada@example.com',
  } = options
  const template = await partner.call<{ id: string }>('POST', '/v1/templates', { title, description: 'Queues.' })
  assert.equal(template.status, 201)
  const candidate = { email, firstName, lastName }
  const invited = await partner.call<Invitation>('POST', '/v1/interview-invitations', {
    templateId: template.body.id,
    candidate,
  })
  assert.equal(invited.status, 201)
  return invited.body
}

export type ReportedResult = { resultId: string; resultUrl: string }

/** Reports a result as the interview product does. */
export async function report(
  service: Service,
  interviewId: string,
  result: object,
  query = '',
): Promise<ReportedResult> {
  const response = await call<ReportedResult>(
    service.url,
    'PUT',
    `/internal/v1/interviews/${interviewId}/result${query}`,
    { authorization: `Bearer ${engineToken}` },
    result,
  )
  assert.equal(response.status, 201, response.text)
  return response.body
}

export type PageResponse = { status: number; headers: Headers; text: string }

/** Opens a link like a browser without JavaScript, following redirects. */
export async function open(service: Service, link: string, init: RequestInit = {}): Promise<PageResponse> {
  const response = await fetch(here(service, link), init)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** The same link on the host and port of the service under test. */
export function here(service: Service, link: string): string {
  assert.ok(link.startsWith(`${appUrl}/`), link)
  return service.url + link.slice(appUrl.length)
}

/** The fields of the sandbox form with their default values. */
export function fields(): Record<string, string> {
  const { highlights, suggestions, weighted_score: _computed, ...rest } = sampleScoring
  const texts = Object.entries(rest).map(([name, value]) => [name, String(value)])
  return { ...Object.fromEntries(texts), highlights: highlights.join('\n'), suggestions: suggestions.join('\n') }
}
