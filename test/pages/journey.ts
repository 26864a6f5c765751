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

/** A template and a candidate invited to it. */
export async function invite(partner: Partner, wanted: InviteOptions = {}): Promise<Invitation> {
  const {
    title = 'Senior backend engineer',
    firstName = 'Ada',
    lastName = 'Lovelace',
    email = 'ada@example.com',
  } = wanted
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
  const answer = await call<ReportedResult>(
    service.url,
    'PUT',
    `/internal/v1/interviews/${interviewId}/result${query}`,
    { authorization: `Bearer ${engineToken}` },
    result,
  )
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

export type PageResponse = { status: number; headers: Headers; text: string }

/** Opens a link of the service as a browser without a script does; redirects are followed. */
export async function open(service: Service, link: string, init: RequestInit = {}): Promise<PageResponse> {
  const response = await fetch(here(service, link), init)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** The same link at the address where the service under test can be reached. */
export function here(service: Service, link: string): string {
  assert.ok(link.startsWith(`${appUrl}/`), link)
  return service.url + link.slice(appUrl.length)
}

/** The fields of the sandbox form, filled in as it proposes. */
export function fields(): Record<string, string> {
  const { highlights, suggestions, weighted_score: _computed, ...rest } = sampleScoring
  const texts = Object.entries(rest).map(([name, value]) => [name, String(value)])
  return { ...Object.fromEntries(texts), highlights: highlights.join('\n'), suggestions: suggestions.join('\n') }
}
