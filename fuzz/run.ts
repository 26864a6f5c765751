import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import type { Engine } from '../support/engines.ts'
import { startService } from '../support/service.ts'
import { type FuzzedRequest, fuzzedRequests } from './requests.ts'
import { createTenant, credentialsIn } from './tenants.ts'

export type Finding = { what: string; request: FuzzedRequest; response: string }

export type Fuzzed = {
  requests: number
  /** How often each route returned each status. */
  routes: Map<string, Map<number, number>>
  findings: Finding[]
}

const atOnce = 8
const batch = 1_000

/** Sends generated requests to the real service. No response may be a 5xx or contain another organization's data. */
export async function fuzz(
  engine: Engine,
  { seed, requests, progress }: { seed: number; requests: number; progress?: (done: number, findings: number) => void },
): Promise<Fuzzed> {
  const secretsKey = randomBytes(32)
  const service = await startService(engine, { secretsKey })
  try {
    const own = await createTenant(service, secretsKey, `own-${randomBytes(8).toString('hex')}`)
    const mark = `foreign-${randomBytes(8).toString('hex')}`
    const foreign = await createTenant(service, secretsKey, mark)
    const credentials = await credentialsIn(service, own)
    // The IDs are random, but the seed determines which of them a request uses.
    const arbitrary = fuzzedRequests(own.ids, foreign.ids)
    const fuzzed: Fuzzed = { requests: 0, routes: new Map(), findings: [] }

    const send = async (request: FuzzedRequest) => {
      const { route, path, body, contentType, as } = request
      const headers = { ...credentials[as], ...(body !== undefined && headerOf(contentType)) }
      const response = await fetch(service.url + path, {
        method: route.method,
        headers,
        ...(body !== undefined && { body }),
      })
      const text = await response.text()
      count(fuzzed, route, response.status)
      const report = (what: string) => void fuzzed.findings.push({ what, request, response: text.slice(0, 500) })
      if (response.status >= 500) report(`responded with ${response.status}`)
      // The interview product serves all organizations; everyone else sees only one.
      if (as !== 'engine' && text.includes(mark)) report('the response contains data of another organization')
      if (response.status >= 400 && !isError(text)) report('the error has the wrong format')
    }

    for (let sent = 0; sent < requests; sent += batch) {
      const waiting = fc.sample(arbitrary, { seed: seed + sent, numRuns: Math.min(batch, requests - sent) })
      await Promise.all(
        Array.from({ length: atOnce }, async () => {
          for (let next = waiting.pop(); next; next = waiting.pop()) await send(next)
        }),
      )
      progress?.(fuzzed.requests, fuzzed.findings.length)
    }
    if (service.logged().includes(secretsKey.toString('base64'))) throw new Error('The secrets key was logged')
    return fuzzed
  } finally {
    await service.close()
  }
}

/** No client can send a header with other characters. */
function headerOf(contentType: string): Record<string, string> {
  return /^[\x20-\x7e]+$/.test(contentType) ? { 'content-type': contentType } : {}
}

function count(fuzzed: Fuzzed, { method, path }: FuzzedRequest['route'], status: number): void {
  const name = `${method} ${path}`
  const statuses = fuzzed.routes.get(name) ?? new Map<number, number>()
  fuzzed.routes.set(name, statuses.set(status, (statuses.get(status) ?? 0) + 1))
  fuzzed.requests++
}

function isError(text: string): boolean {
  try {
    const { error, ...more } = JSON.parse(text)
    return typeof error === 'string' && error !== '' && Object.keys(more).every((name) => name === 'preflight')
  } catch {
    return false
  }
}
