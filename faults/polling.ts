import { call } from '../support/service.ts'
import type { Partner } from './partners.ts'
import type { Accepted } from './reporting.ts'
import type { Site } from './site.ts'

/** The accepted results that polling does not return. */
export async function missingByPolling({ urls: [url = ''], partners }: Site, accepted: Accepted[]): Promise<string[]> {
  const found = new Set<string>()
  for (const partner of partners) for await (const resultId of pollAll(url, partner)) found.add(resultId)
  return accepted
    .filter(({ resultId }) => !found.has(resultId))
    .map(({ resultId, partner }) => `${resultId} of ${partner.name}: accepted, but not returned by polling`)
}

type Page = { data: { resultId: string }[]; nextCursor: string | null }

async function* pollAll(url: string, { keys }: Partner): AsyncGenerator<string> {
  let cursor = ''
  for (let page = 0; ; page++) {
    const path = `/v1/interview-results?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`
    const response = await call<Page>(url, 'GET', path, { 'x-service-api-key': keys[page % keys.length] ?? '' })
    if (response.status !== 200) throw new Error(`Polling failed with ${response.status}: ${response.text}`)
    for (const { resultId } of response.body.data) yield resultId
    if (response.body.nextCursor === null) return
    cursor = response.body.nextCursor
  }
}
