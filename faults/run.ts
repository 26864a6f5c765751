import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { cli } from '../test/support/process.ts'
import { type Findings, judge, readEndings } from './judge.ts'
import { type Killing, startKilling } from './kills.ts'
import { missingByPolling } from './polling.ts'
import { createRandom, type Random } from './random.ts'
import { type Accepted, type Reporting, startReporting } from './reporting.ts'
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
  /** For those who have no time: orphaned jobs need not wait for their time-outs once the faults are over. */
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
  /** Requests beyond the first by which a receiver took in the same event again. */
  repeated: number
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
    const reportings = new Map<Site, Reporting>()
    for (const site of stage.sites) reportings.set(site, await report(stage, site, random, fault))

    await makeTrouble(plan, stage, { random, say, reportings })

    plan.progress('the faults are over; waiting until everything has come to rest')
    await Promise.all([...reportings.values()].map((reporting) => reporting.stop()))
    const sites = await Promise.all(stage.sites.map((site) => conclude(plan, site, reportings.get(site))))
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
  return startReporting({ partners, urls, engineToken, random: random.branch(site.name), ...pace, fault })
}

type Say = (what: string, where?: string) => void
type Doings = { random: Random; say: Say; reportings: Map<Site, Reporting> }

async function makeTrouble(plan: Plan, stage: Stage, { random, say, reportings }: Doings): Promise<void> {
  const servers = stage.sites.flatMap((site) => site.servers)
  const trouble = (name: string, rest: readonly [number, number], troubles: Troubles) =>
    startTroubling({ random: random.branch(name), restMilliseconds: rest, troubles, say: (what) => say(what, name) })
  const troublings = [
    ...stage.sites.map((site) => trouble(site.name, plan.databaseRestMilliseconds, site.troubles)),
    ...stage.partners.map((partner) => trouble(partner.name, [500, 4_000], receiverTroubles(partner))),
    trouble('names', [1_000, 5_000], nameTroubles(stage.names)),
    trouble('clocks', [1_000, 10_000], clockTroubles(servers)),
  ]
  const killing = startKilling({ random: random.branch('kills'), servers, kills: plan.kills, say })
  const telling = tell(plan, stage, killing, reportings)
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

/** Every few seconds, how far it is. */
function tell(plan: Plan, stage: Stage, killing: Killing, reportings: Map<Site, Reporting>): { stop(): void } {
  const tellOnce = () => {
    const accepted = [...reportings.values()].reduce((sum, reporting) => sum + reporting.accepted.length, 0)
    const received = stage.partners.reduce((sum, { receiver }) => sum + receiver.received().length, 0)
    const up = stage.sites.flatMap(({ servers }) => servers.map((server) => (server.isUp() ? '●' : '○'))).join('')
    plan.progress(
      `${killing.kills()} of ${plan.kills} kills · ${accepted} results accepted · ${received} requests arrived · ${up}`,
    )
  }
  const timer = setInterval(tellOnce, 5_000)
  return { stop: () => clearInterval(timer) }
}

async function conclude(plan: Plan, site: Site, reporting: Reporting | undefined): Promise<SiteOutcome> {
  if (!reporting) throw new Error('Nobody has reported')
  const { accepted, refusals } = reporting
  const first = await look(plan, site, accepted, 'at first')
  const last = first.exhausted === 0 ? first : await startOver(plan, site, accepted)
  last.lost.push(...(await missingByPolling(site, accepted)))
  return { name: site.name, accepted: accepted.length, repeated: repeats(site), refusals, first, last }
}

/** Those who were away are back, and the operator starts over what had ended in the dead-letter queue. */
async function startOver(plan: Plan, site: Site, accepted: Accepted[]): Promise<Findings> {
  for (const { kind, receiver } of site.partners) if (kind === 'absent') await receiver.start()
  await cli(['dead-letter', 'redrive', '--all', '--yes'], site.environment)
  return look(plan, site, accepted, 'finally')
}

async function look(plan: Plan, site: Site, accepted: Accepted[], when: 'at first' | 'finally'): Promise<Findings> {
  const left = await settle(site, plan)
  const findings = judge(accepted, await site.look(readEndings), when)
  // A job can also be left behind by a delivery that has come to its end.
  if (left > findings.stuck.length) findings.stuck.push(`${left} deliveries or jobs have not come to rest`)
  return findings
}

function repeats(site: Site): number {
  const taken = site.partners.flatMap(({ receiver }) =>
    receiver.received().filter(({ status }) => status !== null && status < 300),
  )
  return taken.length - new Set(taken.map(({ key }) => key)).size
}
