import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Config } from '../server/config.ts'
import { eventually } from '../support/process.ts'
import { createRandom, type Random } from '../support/random.ts'
import { retryCommand } from './commands.ts'
import { configurationFaults, saveAgain } from './configurations.ts'
import { type Hostility, judgeHostility, startHostility } from './hostility.ts'
import {
  clockFaults,
  type Faults,
  injectFaults,
  mayAskForPause,
  nameFaults,
  normalBehavior,
  receiverFaults,
} from './injection.ts'
import { type Ending, type Findings, judge, readEndings } from './judge.ts'
import { type Killing, startKilling } from './kills.ts'
import { missingByPolling } from './polling.ts'
import { createOperator, type Operator } from './presses.ts'
import { type Reporting, startReporting } from './reporting.ts'
import { settle } from './settling.ts'
import type { Site } from './site.ts'
import { type Stage, setStage } from './stage.ts'

export type Plan = {
  seed: number
  /** The faults end with this many kills, or after this many minutes. */
  kills: number
  minutes: number
  /** They also go on until every site has accepted this many results, which takes a while on a busy machine. */
  minResults: number
  /** For all data and logs. */
  folder: string
  /** How many servers of each role on one PostgreSQL, and how many processes those with all roles have. */
  servers: Record<'api' | 'worker' | 'api,worker', number>
  processes: number
  /** Where those servers have their queue. */
  queue: Config['queue']['engine']
  /** The pause between faults of PostgreSQL. */
  databaseRestMilliseconds: readonly [number, number]
  retryDelaySeconds: number
  /** Skips the minute that a Retry waits once the faults are over. */
  hurry: boolean
  progress: (state: string) => void
}

export type Outcome = {
  sites: SiteOutcome[]
  /** What happened, and how often. */
  happened: Map<string, number>
  missing: string[]
  /** Problems that don't belong to a single result. */
  wrong: string[]
  passed: boolean
}

export type SiteOutcome = {
  name: Site['name']
  accepted: number
  hostileConnections: number
  /** How often a receiver accepted an event it had already accepted. */
  repeated: number
  /** Accepted Retries and redrives, including those after the faults. */
  restarted: number
  failures: Map<string, number>
  /** After the faults, once everything has settled; then after the dead letters were redriven. */
  first: Findings
  last: Findings
}

/** Starts everything, injects faults, waits until all deliveries have settled, and checks every single result. */
export async function run(plan: Plan): Promise<Outcome> {
  const wrong: string[] = []
  const happened = new Map<string, number>()
  const say: Say = (what, where = '') => {
    happened.set(what, (happened.get(what) ?? 0) + 1)
    appendFileSync(join(plan.folder, 'faults.log'), `${new Date().toISOString()} ${where}: ${what}\n`)
  }
  const reportProblem = (what: string) => {
    wrong.push(what)
    say(`WRONG: ${what}`)
  }

  plan.progress('starting PostgreSQL, the servers and the receivers')
  const over = new AbortController()
  const stage = await setStage({ ...plan, reportProblem, over })
  try {
    return await Promise.race([untilAborted(over.signal), perform()])
  } finally {
    over.abort()
    await stage.close()
  }

  async function perform(): Promise<Outcome> {
    const random = createRandom(String(plan.seed))
    const scenes: Scene[] = []
    for (const site of stage.sites) {
      scenes.push({
        site,
        reporting: await report(stage, site, random, reportProblem, over),
        operator: createOperator(site),
        hostility: startStrangers(plan, site, random, over),
      })
    }

    await runFaults(plan, stage, { random, say, scenes, over })

    plan.progress('the faults are over; waiting until everything has settled')
    await Promise.all(scenes.flatMap(({ reporting, hostility }) => [reporting.stop(), hostility.stop()]))
    wrong.push(...scenes.flatMap(({ hostility }) => judgeHostility(hostility.serverErrors)))
    const sites = await Promise.all(scenes.map((scene) => conclude(plan, scene)))
    wrong.push(...stage.names.leaks())
    const clean = sites.every(({ first, last }) =>
      [first, last].every((findings) => findings.stuck.length + findings.lost.length + findings.wrong.length === 0),
    )
    return { sites, happened, missing: stage.missing, wrong, passed: clean && wrong.length === 0 }
  }
}

async function untilAborted(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort')
  throw signal.reason
}

function report(
  { engineToken }: Stage,
  site: Site,
  random: Random,
  reportProblem: (what: string) => void,
  over: AbortController,
): Promise<Reporting> {
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
    reportProblem,
    over,
  })
}

function startStrangers({ seed }: Plan, { name, urls }: Site, random: Random, over: AbortController): Hostility {
  const pace = { strangers: 2, restMilliseconds: 200, over }
  return startHostility({ seed, urls, random: random.branch(`strangers at ${name}`), ...pace })
}

type Say = (what: string, where?: string) => void
/** A site with its reporters, its operator and its hostile strangers. */
type Scene = { site: Site; reporting: Reporting; operator: Operator; hostility: Hostility }
type Participants = { random: Random; say: Say; scenes: Scene[]; over: AbortController }

async function runFaults(plan: Plan, stage: Stage, { random, say, scenes, over }: Participants): Promise<void> {
  const servers = stage.sites.flatMap((site) => site.servers)
  const inject = (name: string, rest: readonly [number, number], faults: Faults) =>
    injectFaults({ random: random.branch(name), restMilliseconds: rest, faults, say: (what) => say(what, name), over })
  const injections = [
    ...scenes.flatMap(({ site, operator }) => [
      inject(site.name, plan.databaseRestMilliseconds, recordingDisturbances(site)),
      inject(`operator of ${site.name}`, [500, 3_000], operator.faults),
      ...site.partners.map((partner) =>
        inject(`webhook of ${partner.name}`, [500, 5_000], configurationFaults(site, partner)),
      ),
    ]),
    ...stage.partners.map((partner) => inject(partner.name, [500, 4_000], receiverFaults(partner))),
    inject('names', [1_000, 5_000], nameFaults(stage.names)),
    inject('clocks', [1_000, 10_000], clockFaults(servers)),
  ]
  const killing = startKilling({ random: random.branch('kills'), servers, kills: plan.kills, say, over })
  const progress = startProgress(plan, stage, killing, scenes)
  const enough = new AbortController()
  const tooLate = setTimeout(plan.minutes * 60_000, null, { signal: enough.signal }).catch(() => {})
  await Promise.race([killing.done, tooLate])
  enough.abort()
  killing.stop()
  await killing.done
  await eventually(async () => scenes.every(({ reporting }) => reporting.accepted.length >= plan.minResults))
  await Promise.all(injections.map((injection) => injection.stop()))
  progress.stop()

  stage.names.lie(null)
  for (const server of servers) server.shiftClock(0)
  for (const partner of stage.partners) partner.receiver.behave(normalBehavior(partner))
  await Promise.all(servers.map((server) => server.up()))
  for (const site of stage.sites) {
    for (const partner of site.partners) if (mayAskForPause(partner)) await saveAgain(site, partner)
  }
}

/** A site's faults, which record when they happened. */
function recordingDisturbances({ faults, disturbances }: Site): Faults {
  return faults.map(([name, fault]) => [
    name,
    async (random) => {
      const from = Date.now()
      await fault(random)
      disturbances.push({ from, to: Date.now() })
    },
  ])
}

/** Reports progress every few seconds. */
function startProgress(plan: Plan, stage: Stage, killing: Killing, scenes: readonly Scene[]): { stop(): void } {
  const report = () => {
    const accepted = scenes.reduce((sum, { reporting }) => sum + reporting.accepted.length, 0)
    const received = stage.partners.reduce((sum, { receiver }) => sum + receiver.received().length, 0)
    const up = stage.sites.flatMap(({ servers }) => servers.map((server) => (server.isUp() ? '●' : '○'))).join('')
    plan.progress(
      `${killing.kills()} of ${plan.kills} kills · ${accepted} results accepted · ${received} requests arrived · ${up}`,
    )
  }
  const timer = setInterval(report, 5_000)
  return { stop: () => clearInterval(timer) }
}

async function conclude(plan: Plan, scene: Scene): Promise<SiteOutcome> {
  const { site, operator } = scene
  const { accepted, failures } = scene.reporting
  const first = await inspect(plan, scene, 'at first')
  const failed = first.endings.filter(({ reason }) => reason === 'RECEIVES_EXHAUSTED' || reason === 'WEBHOOK_DISABLED')
  const last = failed.length === 0 ? first : await retryFailed(plan, scene, failed)
  last.findings.lost.push(...(await missingByPolling(site, accepted)))
  const restarted = [...operator.presses.values()].reduce((sum, press) => sum + press.accepted, 0)
  return {
    name: site.name,
    accepted: accepted.length,
    repeated: repeats(site),
    restarted,
    failures,
    hostileConnections: scene.hostility.connections(),
    first: first.findings,
    last: last.findings,
  }
}

/**
 * The absent receivers come back. The operator redrives the dead letters, and retries the deliveries that failed while a
 * webhook was disabled.
 */
async function retryFailed(plan: Plan, scene: Scene, failed: Ending[]): Promise<Inspection> {
  const { site, operator } = scene
  for (const { kind, receiver } of site.partners) if (kind === 'absent') await receiver.start()
  const dead = failed.filter(({ reason }) => reason === 'RECEIVES_EXHAUSTED')
  const { redriven } = await retryCommand(site, ['dead-letter', 'redrive', '--all', '--yes'])
  for (const { deliveryId } of dead) operator.count(deliveryId, 'done')
  for (const { deliveryId, reason } of failed) if (reason === 'WEBHOOK_DISABLED') await operator.retry(deliveryId)
  const inspection = await inspect(plan, scene, 'finally')
  if (redriven !== dead.length)
    inspection.findings.wrong.push(`${redriven} of ${dead.length} dead letters were redriven`)
  return inspection
}

type Inspection = { findings: Findings; endings: Ending[] }

async function inspect(
  plan: Plan,
  { site, reporting, operator }: Scene,
  when: 'at first' | 'finally',
): Promise<Inspection> {
  const left = await settle(site, plan)
  const endings = await site.inspect(readEndings)
  const { accepted } = reporting
  const findings = judge({ accepted, endings, presses: operator.presses, disturbances: site.disturbances }, when)
  // A job can also be left without a delivery.
  if (left > findings.stuck.length) findings.stuck.push(`${left} deliveries or jobs have not settled`)
  return { findings, endings }
}

function repeats(site: Site): number {
  const accepted = site.partners.flatMap(({ receiver }) =>
    receiver.received().filter(({ status }) => status !== null && status < 300),
  )
  return accepted.length - new Set(accepted.map(({ key }) => key)).size
}
