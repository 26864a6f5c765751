import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cli, type Environment, eventually, type ServerProcess } from '../../support/process.ts'
import type { Receiver } from '../../support/receiver.ts'
import { scoring } from '../../support/results.ts'
import { call, send } from '../../support/service.ts'

export type Reporter = {
  organizationId: string
  /** The accepted results, in order. */
  results: string[]
  /** Runs this many interviews, one after the other, and throws if a request fails for good. */
  report(count: number): Promise<void>
}

/** An interview product and a recruiting system in one: invites, uploads the image and reports the result. */
export async function startReporting(
  server: ServerProcess,
  environment: Environment,
  receiver: Receiver,
): Promise<Reporter> {
  const { url } = server
  const organization = await cli(['organization', 'create', '--name', 'Acme'], environment)
  const organizationId = String(organization.id)
  const address = receiver.url('/events', 'localhost')
  await cli(['webhook', 'set', '--organization', organizationId, '--url', address], environment)
  const scopes = 'templates:write,invitations:write'
  const newKey = () =>
    cli(['key', 'create', '--organization', organizationId, '--label', 'x', '--scopes', scopes], environment)
  let key = String((await newKey()).key)
  const image = await readFile(join(import.meta.dirname, '../../server/images/sample-portrait.jpg'))
  const engine = { authorization: `Bearer ${environment.ENGINE_TOKEN}` }
  const results: string[] = []

  const request = (method: string, path: string, headers: Record<string, string>, body: object) =>
    body instanceof Uint8Array
      ? send(url, method, path, headers, new Uint8Array(body))
      : call(url, method, path, headers, body)

  // Retries while the database is unavailable, as the product would.
  async function requestUntilServed(method: string, path: string, headers: Record<string, string>, body: object) {
    let served = ''
    const inTime = await eventually(async () => {
      const response = await request(method, path, headers, body).catch(() => null)
      if (response === null || response.status >= 500) return false
      if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${response.text}`)
      served = response.text
      return true
    })
    if (!inTime) throw new Error(`${method} ${path} was not served`)
    return JSON.parse(served)
  }

  const template = await requestUntilServed(
    'POST',
    '/v1/templates',
    { 'x-service-api-key': key },
    { title: 'T', description: 'D' },
  )
  return {
    organizationId,
    results,
    async report(count) {
      // The limit is 120 requests a minute, so each batch has its own key.
      key = String((await newKey()).key)
      for (let index = 0; index < count; index++) {
        const candidate = { email: `candidate-${results.length}@example.com`, firstName: 'Ada' }
        const body = { templateId: template.id, candidate }
        const invitation = await requestUntilServed(
          'POST',
          '/v1/interview-invitations',
          { 'x-service-api-key': key },
          body,
        )
        const interview = `/internal/v1/interviews/${invitation.interview.id}`
        await requestUntilServed('PUT', `${interview}/thumbnail`, { ...engine, 'content-type': 'image/jpeg' }, image)
        const { resultId } = await requestUntilServed('PUT', `${interview}/result`, engine, { scoring })
        results.push(resultId)
      }
    },
  }
}
