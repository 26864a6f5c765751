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
  /** From the first time it was sent until it was accepted: it was stored somewhere in between. */
  reported: Period
}

export type Reporting = {
  accepted: Accepted[]
  /** How often something else came back than what was wanted, by status; `no answer` is one of them. */
  refusals: Map<string, number>
  /** Ends when the results under way are accepted, too. */
  stop(): Promise<void>
}

type Options = {
  partners: readonly Partner[]
  urls: readonly string[]
  engineToken: string
  random: Random
  /** How many report at the same time, and how long each rests in between, on average. */
  reporters: number
  restMilliseconds: number
  /** The share of results whose image is broken. */
  brokenImages: number
  fault: (what: string) => void
}

/**
 * The interview product and the recruiting systems in one: a steady stream of invitations, pictures and results, each
 * repeated until it is accepted.
 */
export async function startReporting(options: Options): Promise<Reporting> {
  const { partners, random, restMilliseconds } = options
  const image = await readFile(join(import.meta.dirname, '../server/images/sample-portrait.jpg'))
  const broken = image.subarray(0, image.length / 2)
  const accepted: Accepted[] = []
  const refusals = new Map<string, number>()
  const insist = createInsistence(options, refusals)
  let stopping = false
  let made = 0

  const report = async (partner: Partner, brokenImage: boolean, keyIndex: number) => {
    const candidate = { email: `candidate-${++made}@example.com`, firstName: 'Ada', lastName: 'Lovelace' }
    const key = { 'x-service-api-key': partner.keys[keyIndex % partner.keys.length] ?? '' }
    const wanted = JSON.stringify({ templateId: partner.templateId, candidate })
    const json = { 'content-type': 'application/json' }
    const invitation = await insist('POST', '/v1/interview-invitations', { ...key, ...json }, wanted)
    const interview = `/internal/v1/interviews/${invitation.interview.id}`
    const engine = { authorization: `Bearer ${options.engineToken}` }
    const picture = new Uint8Array(brokenImage ? broken : image)
    await insist('PUT', `${interview}/thumbnail`, { ...engine, 'content-type': 'image/jpeg' }, picture)
    const from = Date.now()
    const { resultId } = await insist('PUT', `${interview}/result`, { ...engine, ...json }, JSON.stringify({ scoring }))
    accepted.push({ resultId, partner, brokenImage, reported: { from, to: Date.now() } })
  }

  const work = async (random: Random) => {
    for (let turn = 0; !stopping; turn++) {
      await report(random.pick(partners), random.chance(options.brokenImages), turn)
      await setTimeout(random.between(0, 2 * restMilliseconds))
    }
  }
  const working = Array.from({ length: options.reporters }, (_, index) => work(random.branch(`reporter ${index}`)))
  return {
    accepted,
    refusals,
    async stop() {
      stopping = true
      await Promise.all(working)
    },
  }
}

type Body = string | Uint8Array<ArrayBuffer>

/** Asks one server after the other until one of them says yes. Only a no that no fault excuses is one. */
function createInsistence({ urls, fault }: Options, refusals: Map<string, number>) {
  let turn = 0
  return async (method: string, path: string, headers: Record<string, string>, body: Body) => {
    for (;;) {
      const url = urls[turn++ % urls.length] ?? ''
      const request = { method, headers, body, signal: AbortSignal.timeout(20_000) }
      const answer = await fetch(url + path, request)
        .then(async (response) => ({ status: response.status, text: await response.text() }))
        .catch(() => null)
      if (answer !== null && answer.status < 300) return JSON.parse(answer.text)
      const status = answer === null ? 'no answer' : String(answer.status)
      refusals.set(status, (refusals.get(status) ?? 0) + 1)
      if (answer !== null && answer.status !== 503 && answer.status !== 429) {
        fault(`${method} ${path} was answered with ${status}: ${answer.text.slice(0, 200)}`)
      }
      await setTimeout(100)
    }
  }
}
