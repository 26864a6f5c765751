import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { scoring } from '../bench/results.ts'
import type { Random } from '../support/random.ts'
import type { Period } from './configuration.ts'
import type { Partner } from './partners.ts'

export type Accepted = {
  resultId: string
  partner: Partner
  brokenImage: boolean
  /** From the first time it was sent until it was accepted. It was stored at some point in between. */
  reported: Period
}

export type Reporting = {
  accepted: Accepted[]
  /** Failed requests by status, including `no response`. */
  failures: Map<string, number>
  /** Resolves when the last results are accepted. */
  stop(): Promise<void>
}

type Options = {
  partners: readonly Partner[]
  urls: readonly string[]
  engineToken: string
  random: Random
  /** How many report at once, and how long each pauses in between, on average. */
  reporters: number
  restMilliseconds: number
  /** The share of results whose image is broken. */
  brokenImages: number
  reportProblem: (what: string) => void
  /** When aborted, results need not be accepted anymore. */
  over: AbortController
}

/**
 * The interview product and the recruiting systems in one: a steady stream of invitations, images and results, each
 * retried until it is accepted.
 */
export async function startReporting(options: Options): Promise<Reporting> {
  const { partners, random, restMilliseconds, over } = options
  const image = await readFile(join(import.meta.dirname, '../server/images/sample-portrait.jpg'))
  const broken = image.subarray(0, image.length / 2)
  const accepted: Accepted[] = []
  const failures = new Map<string, number>()
  const send = createRetries(options, failures)
  let stopping = false
  let candidates = 0

  const report = async (partner: Partner, brokenImage: boolean, keyIndex: number) => {
    const candidate = { email: `candidate-${++candidates}@example.com`, firstName: 'Ada', lastName: 'Lovelace' }
    const key = { 'x-service-api-key': partner.keys[keyIndex % partner.keys.length] ?? '' }
    const body = JSON.stringify({ templateId: partner.templateId, candidate })
    const json = { 'content-type': 'application/json' }
    const invitation = await send('POST', '/v1/interview-invitations', { ...key, ...json }, body)
    const interview = `/internal/v1/interviews/${invitation.interview.id}`
    const engine = { authorization: `Bearer ${options.engineToken}` }
    const picture = new Uint8Array(brokenImage ? broken : image)
    await send('PUT', `${interview}/thumbnail`, { ...engine, 'content-type': 'image/jpeg' }, picture)
    const from = Date.now()
    const { resultId } = await send('PUT', `${interview}/result`, { ...engine, ...json }, JSON.stringify({ scoring }))
    accepted.push({ resultId, partner, brokenImage, reported: { from, to: Date.now() } })
  }

  const work = async (random: Random) => {
    for (let count = 0; !stopping && !over.signal.aborted; count++) {
      await report(random.pick(partners), random.chance(options.brokenImages), count)
      await setTimeout(random.between(0, 2 * restMilliseconds))
    }
  }
  const working = Array.from({ length: options.reporters }, (_, index) =>
    work(random.branch(`reporter ${index}`)).catch((error) => over.abort(error)),
  )
  return {
    accepted,
    failures,
    async stop() {
      stopping = true
      await Promise.all(working)
    },
  }
}

type Body = string | Uint8Array<ArrayBuffer>

/** Tries one server after the other until one accepts the request. Errors that no fault explains are reported. */
function createRetries({ urls, reportProblem, over }: Options, failures: Map<string, number>) {
  let count = 0
  return async (method: string, path: string, headers: Record<string, string>, body: Body) => {
    for (;;) {
      over.signal.throwIfAborted()
      const url = urls[count++ % urls.length] ?? ''
      const request = { method, headers, body, signal: AbortSignal.timeout(20_000) }
      const result = await fetch(url + path, request)
        .then(async (response) => ({ status: response.status, text: await response.text() }))
        .catch(() => null)
      if (result !== null && result.status < 300) return JSON.parse(result.text)
      const status = result === null ? 'no response' : String(result.status)
      failures.set(status, (failures.get(status) ?? 0) + 1)
      if (result !== null && result.status !== 503 && result.status !== 429) {
        reportProblem(`${method} ${path} got ${status}: ${result.text.slice(0, 200)}`)
      }
      await setTimeout(100)
    }
  }
}
