import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { cli, type Environment, type ServerProcess } from '../../support/process.ts'
import type { Receiver } from '../../support/receiver.ts'
import { scoring } from '../../support/results.ts'
import { call, send } from '../../support/service.ts'

export type Reporter = {
  organizationId: string
  /** The results that were accepted, in order. */
  results: string[]
  /** Invites and completes this many interviews, one after the other, and takes no refusal for an answer. */
  report(count: number): Promise<void>
}

/** An interview product and a recruiting system in one: it invites, uploads the picture and reports the result. */
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

  const ask = (method: string, path: string, headers: Record<string, string>, body: object) =>
    body instanceof Uint8Array
      ? send(url, method, path, headers, new Uint8Array(body))
      : call(url, method, path, headers, body)

  // A database that is away for a moment is no reason to give up: the product would try again too.
  async function insist(method: string, path: string, headers: Record<string, string>, body: object) {
    for (const deadline = performance.now() + 60_000; performance.now() < deadline; await setTimeout(50)) {
      const answer = await ask(method, path, headers, body).catch(() => null)
      if (answer !== null && answer.status < 300) return JSON.parse(answer.text)
      if (answer !== null && answer.status < 500) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    }
    throw new Error(`${method} ${path} was not answered in a minute`)
  }

  const template = await insist('POST', '/v1/templates', { 'x-service-api-key': key }, { title: 'T', description: 'D' })
  return {
    organizationId,
    results,
    async report(count) {
      // A key may do 120 requests a minute; one for each batch stays below that.
      key = String((await newKey()).key)
      for (let index = 0; index < count; index++) {
        const candidate = { email: `candidate-${results.length}@example.com`, firstName: 'Ada' }
        const wanted = { templateId: template.id, candidate }
        const invitation = await insist('POST', '/v1/interview-invitations', { 'x-service-api-key': key }, wanted)
        const interview = `/internal/v1/interviews/${invitation.interview.id}`
        await insist('PUT', `${interview}/thumbnail`, { ...engine, 'content-type': 'image/jpeg' }, image)
        const { resultId } = await insist('PUT', `${interview}/result`, engine, { scoring })
        results.push(resultId)
      }
    },
  }
}
