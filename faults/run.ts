import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createRandom, type Random } from '../support/random.ts'
import { insist } from './commands.ts'
import { configurationTroubles } from './configurations.ts'
import { type Hostility, judgeHostility, startHostility } from './hostility.ts'
import { type Ending, type Findings, judge, readEndings } from './judge.ts'
import { type Killing, startKilling } from './kills.ts'
import { missingByPolling } from './polling.ts'
import { createOperator, type Operator } from './presses.ts'
import { type Reporting, startReporting } from './reporting.ts'
import { settle } from './settling.ts'
import type { Site } from './site.ts'
import { type Stage, setStage } from './stage.ts'
import { clockTroubles, nameTroubles, natureOf, receiverTroubles, startTroubling, type Troubles } from './troubles.ts'

export type Plan = {
  seed: number
  /** The faults end with this many kills, or after this many minutes. */
  kills: number
  minutes: number
  /** Where everything is kept, and the logs. */
  folder: string
  /** How many of each role on one PostgreSQL, and how many processes each has of those that do everything. */
  servers: Record<'api' | 'worker' | 'api,worker', number>
  processes: number
  /** How long PostgreSQL is left in peace in between. */
  databaseRestMilliseconds: readonly [number, number]
  retryDelaySeconds: number
  /** For whoever has no time: a Retry need not wait for its minute once the faults are over. */
  hurry: boolean
  progress: (state: string) => void
}

export type Outcome = {
  sites: SiteOutcome[]
  /** What happened, and how often. */
  happened: Map<string, number>
  missing: string[]
  /** What is wrong with the whole rather than with one result. */
  wrong: string[]
  passed: boolean
}

export type SiteOutcome = {
  name: Site['name']
  accepted: number
  hostileConnections: number
  /** Requests beyond the first by which a receiver took in the same event again. */
  repeated: number
  /** Retries and redrives that were accepted, the second chance included. */
  restarted: number
  refusals: Map<string, number>
  /** When the faults were over and everything had come to rest; then, after the dead letters were started anew. */
  first: Findings
  last: Findings
}

/** Sets the stage, makes trouble, lets everything come to rest, and looks at what has become of every single result. */
export async function run(plan: Plan): Promise<Outcome> {
  const wrong: string[] = []
  const happened = new Map<string, number>()
  const say: Say = (what, where = '') => {
    happened.set(what, (happened.get(what) ?? 0) + 1)
    appendFileSync(join(plan.folder, 'faults.log'), `${new Date().toISOString()} ${where}: ${what}\n`)
  }
  const fault = (what: string) => {
    wrong.push(what)
    say(`WRONG: ${what}`)
  }

  plan.progress('starting PostgreSQL, the servers and the receivers')
  const stage = await setStage({ ...plan, fault })
  try {
    const random = createRandom(String(plan.seed))
    const acts: Act[] = []
    for (const site of stage.sites) {
      acts.push({
        site,
        reporting: await report(stage, site, random, fault),
        operator: createOperator(site),
        hostility: beHostile(plan, site, random),
      })
    }

    await makeTrouble(plan, stage, { random, say, acts })

    plan.progress('the faults are over; waiting until everything has come to rest')
    await Promise.all(acts.flatMap(({ reporting, hostility }) => [reporting.stop(), hostility.stop()]))
    wrong.push(...acts.flatMap(({ hostility }) => judgeHostility(hostility.serverErrors)))
    const sites = await Promise.all(acts.map((act) => conclude(plan, act)))
    wrong.push(...stage.names.leaks())
    const faultless = sites.every(({ first, last }) =>
      [first, last].every((findings) => findings.stuck.length + findings.lost.length + findings.wrong.length === 0),
    )
    return { sites, happened, missing: stage.missing, wrong, passed: faultless && wrong.length === 0 }
  } finally {
    await stage.close()
  }
}

function report({ engineToken }: Stage, site: Site, random: Random, fault: (what: string) => void): Promise<Reporting> {
  const { partners, urls } = site
  const pace =
    site.name === 'embedded' ? { reporters: 1, restMilliseconds: 300 } : { reporters: 4, restMilliseconds: 250 }
  return startReporting({
    partners,
    urls,
    engineToken,
    random: random.branch(site.name),
    ...pace,
    brokenImages: 0.03,
    fault,
  })
}

function beHostile({ seed }: Plan, { name, urls }: Site, random: Random): Hostility {
  const pace = { strangers: 2, restMilliseconds: 200 }
  return startHostility({ seed, urls, random: random.branch(`strangers at ${name}`), ...pace })
}

type Say = (what: string, where?: string) => void
/** A site with those who report to it, who press Retry there, and who mean it no good. */
type Act = { site: Site; reporting: Reporting; operator: Operator; hostility: Hostility }
type Doings = { random: Random; say: Say; acts: Act[] }

async function makeTrouble(plan: Plan, stage: Stage, { random, say, acts }: Doings): Promise<void> {
  const servers = stage.sites.flatMap((site) => site.servers)
  const trouble = (name: string, rest: readonly [number, number], troubles: Troubles) =>
    startTroubling({ random: random.branch(name), restMilliseconds: rest, troubles, say: (what) => say(what, name) })
  const troublings = [
    ...acts.flatMap(({ site, operator }) => [
      trouble(site.name, plan.databaseRestMilliseconds, disturbing(site)),
      trouble(`operator of ${site.name}`, [500, 3_000], operator.troubles),
      ...site.partners.map((partner) =>
        trouble(`webhook of ${partner.name}`, [500, 5_000], configurationTroubles(site, partner)),
      ),
    ]),
    ...stage.partners.map((partner) => trouble(partner.name, [500, 4_000], receiverTroubles(partner))),
    trouble('names', [1_000, 5_000], nameTroubles(stage.names)),
    trouble('clocks', [1_000, 10_000], clockTroubles(servers)),
  ]
  const killing = startKilling({ random: random.branch('kills'), servers, kills: plan.kills, say })
  const telling = tell(plan, stage, killing, acts)
  const enough = new AbortController()
  const tooLate = setTimeout(plan.minutes * 60_000, null, { signal: enough.signal }).catch(() => {})
  await Promise.race([killing.done, tooLate])
  enough.abort()
  killing.stop()
  await killing.done
  await Promise.all(troublings.map((troubling) => troubling.stop()))
  telling.stop()

  stage.names.lie(null)
  for (const server of servers) server.shiftClock(0)
  for (const partner of stage.partners) partner.receiver.feel(natureOf(partner))
  await Promise.all(servers.map((server) => server.up()))
}

/** A site's troubles, which leave behind when they happened. */
function disturbing({ troubles, disturbances }: Site): Troubles {
  return troubles.map(([name, trouble]) => [
    name,
    async (random) => {
      const from = Date.now()
      await trouble(random)
      disturbances.push({ from, to: Date.now() })
    },
  ])
}

/** Every few seconds, how far it is. */
function tell(plan: Plan, stage: Stage, killing: Killing, acts: readonly Act[]): { stop(): void } {
  const tellOnce = () => {
    const accepted = acts.reduce((sum, { reporting }) => sum + reporting.accepted.length, 0)
    const received = stage.partners.reduce((sum, { receiver }) => sum + receiver.received().length, 0)
    const up = stage.sites.flatMap(({ servers }) => servers.map((server) => (server.isUp() ? '●' : '○'))).join('')
    plan.progress(
      `${killing.kills()} of ${plan.kills} kills · ${accepted} results accepted · ${received} requests arrived · ${up}`,
    )
  }
  const timer = setInterval(tellOnce, 5_000)
  return { stop: () => clearInterval(timer) }
}

async function conclude(plan: Plan, act: Act): Promise<SiteOutcome> {
  const { site, operator } = act
  const { accepted, refusals } = act.reporting
  const first = await look(plan, act, 'at first')
  const failed = first.endings.filter(({ reason }) => reason === 'RECEIVES_EXHAUSTED' || reason === 'WEBHOOK_DISABLED')
  const last = failed.length === 0 ? first : await startOver(plan, act, failed)
  last.findings.lost.push(...(await missingByPolling(site, accepted)))
  const restarted = [...operator.presses.values()].reduce((sum, press) => sum + press.accepted, 0)
  return {
    ...{ name: site.name, accepted: accepted.length, repeated: repeats(site), restarted, refusals },
    hostileConnections: act.hostility.connections(),
    ...{ first: first.findings, last: last.findings },
  }
}

/**
 * Those who were away are back, the operator starts over what had ended in the dead-letter queue, and retries what came
 * up while a webhook was disabled.
 */
async function startOver(plan: Plan, act: Act, failed: Ending[]): Promise<Sight> {
  const { site, operator } = act
  for (const { kind, receiver } of site.partners) if (kind === 'absent') await receiver.start()
  const dead = failed.filter(({ reason }) => reason === 'RECEIVES_EXHAUSTED')
  const { redriven } = await insist(site, ['dead-letter', 'redrive', '--all', '--yes'])
  for (const { deliveryId } of dead) operator.count(deliveryId, 'done')
  for (const { deliveryId, reason } of failed) if (reason === 'WEBHOOK_DISABLED') await operator.retry(deliveryId)
  const sight = await look(plan, act, 'finally')
  if (redriven !== dead.length) sight.findings.wrong.push(`${redriven} of ${dead.length} dead letters were redriven`)
  return sight
}

type Sight = { findings: Findings; endings: Ending[] }

async function look(plan: Plan, { site, reporting, operator }: Act, when: 'at first' | 'finally'): Promise<Sight> {
  const left = await settle(site, plan)
  const endings = await site.look(readEndings)
  const { accepted } = reporting
  const findings = judge({ accepted, endings, presses: operator.presses, disturbances: site.disturbances }, when)
  // A job can also be left behind without a delivery.
  if (left > findings.stuck.length) findings.stuck.push(`${left} deliveries or jobs have not come to rest`)
  return { findings, endings }
}

function repeats(site: Site): number {
  const taken = site.partners.flatMap(({ receiver }) =>
    receiver.received().filter(({ status }) => status !== null && status < 300),
  )
  return taken.length - new Set(taken.map(({ key }) => key)).size
}
