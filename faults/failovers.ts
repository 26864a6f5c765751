import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { openPostgres } from '../server/database/database.ts'
import { migrate } from '../server/database/migrate.ts'
import { newKeys } from '../support/keys.ts'
import { type PostgresPair, startPair, type WayToFail, waysToFail } from '../support/postgres-pair.ts'
import type { Environment } from '../support/process.ts'
import { createRandom } from '../support/random.ts'
import { createAuthority } from '../support/tls.ts'
import { type Availability, watchAvailability } from './availability.ts'
import { type Findings, judge, readEndings } from './judge.ts'
import { startNames } from './names.ts'
import { createPartners } from './partners.ts'
import { missingByPolling } from './polling.ts'
import { startReporting } from './reporting.ts'
import { settle } from './settling.ts'
import type { Site } from './site.ts'
import { preloadEnvironment, supervise } from './supervised.ts'

export type FailoverPlan = {
  seed: string
  failovers: number
  /** For logs. */
  folder: string
  /** How long the primary is gone before the standby is promoted. */
  promoteAfterMilliseconds: readonly [number, number]
  /** How long everything runs undisturbed between two failovers. */
  restMilliseconds: readonly [number, number]
  reporters: number
  progress: (state: string) => void
  /** Called with a server's environment while the last failed server is still down. */
  whileAlone?: (environment: Environment) => Promise<void>
}

/** Times are in milliseconds after the primary failed. */
export type Failover = { how: WayToFail; promoted: number; servedAgain: number; unserved: number }

export type FailoverOutcome = {
  failovers: Failover[]
  accepted: number
  delivered: number
  /** How often a receiver got an event it had already accepted. */
  repeated: number
  failures: Map<string, number>
  findings: Findings
  wrong: string[]
}

const databaseName = 'interviews'

/** Fails over under load, again and again, and checks what became of every accepted result. */
export async function runFailovers(plan: FailoverPlan): Promise<FailoverOutcome> {
  const { folder, progress } = plan
  const random = createRandom(plan.seed)
  const wrong: string[] = []
  const reportProblem = (what: string) => wrong.push(what)
  const over = new AbortController()
  await using stack = new AsyncDisposableStack()
  // Whatever happens, nobody waits for results to be accepted after this.
  stack.defer(() => over.abort())

  progress('starting a primary, its standby, two servers and three receivers')
  const pair = await startPair()
  stack.defer(() => pair.close())
  const databaseUrl = await pair.createDatabase(databaseName)
  const { site, environment, keys } = await openSite({ pair, databaseUrl, folder, reportProblem, over, stack })

  const { partners, urls } = site
  const reporting = await startReporting({
    partners,
    urls,
    random: random.branch('reporting'),
    reporters: plan.reporters,
    engineToken: environment.ENGINE_TOKEN ?? '',
    restMilliseconds: 100,
    brokenImages: 0,
    reportProblem,
    over,
  })
  const availability = watchAvailability({ urls, keys })
  stack.defer(() => availability.stop())

  const failovers: Failover[] = []
  while (failovers.length < plan.failovers) {
    const before = reporting.accepted.length
    await setTimeout(random.between(...plan.restMilliseconds))
    await until(() => reporting.accepted.length > before, over.signal)
    const how = waysToFail[failovers.length % waysToFail.length] ?? 'killed'
    const isLast = failovers.length + 1 === plan.failovers
    const promoteAfter = random.between(...plan.promoteAfterMilliseconds)
    const failover = await failOver({ pair, availability, over }, how, promoteAfter)
    failovers.push(failover)
    progress(`${describe(failovers.length, failover)}; ${reporting.accepted.length} results accepted`)
    if (isLast) await plan.whileAlone?.(environment)
    await pair.rebuild()
  }
  await reporting.stop()
  over.signal.throwIfAborted()
  await availability.stop()

  progress('waiting until everything has settled')
  await settle(site, { hurry: false, progress })
  const { accepted, failures } = reporting
  const endings = await site.inspect(readEndings)
  const evidence = { accepted, endings, presses: new Map(), disturbances: site.disturbances }
  const findings = judge(evidence, 'finally')
  findings.lost.push(...(await missingByPolling(site, accepted)))
  const received = partners.flatMap(({ receiver }) => receiver.received().map(({ key }) => key))
  return {
    failovers,
    accepted: accepted.length,
    delivered: findings.delivered,
    repeated: received.length - new Set(received).size,
    failures,
    findings,
    wrong,
  }
}

/** Two servers with all roles that know both database servers, and three healthy receivers. */
async function openSite(options: {
  pair: PostgresPair
  databaseUrl: string
  folder: string
  reportProblem: (what: string) => void
  over: AbortController
  stack: AsyncDisposableStack
}): Promise<{ site: Site; environment: Environment; keys: string[] }> {
  const { pair, databaseUrl, folder, reportProblem, over, stack } = options
  const authority = createAuthority()
  const authorityFile = join(folder, 'authority.pem')
  await writeFile(authorityFile, authority.ca)
  const secretsKey = randomBytes(32)

  const inspect: Site['inspect'] = async (work) => {
    const database = openPostgres({ url: pair.primaryUrl(databaseName), connections: 2 })
    return work(database).finally(() => database.close())
  }
  const { partners, keys } = await inspect(async (database) => {
    await migrate(database)
    const kinds = ['steady', 'steady', 'steady'] as const
    const partners = await createPartners(database, { kinds, site: 'failover', authority, folder, secretsKey })
    return { partners, keys: await newKeys(database, 60) }
  })
  for (const { receiver } of partners) {
    stack.defer(() => receiver.kill())
    await receiver.start()
  }
  const names = await startNames({ misnamed: 'nobody.test', port: partners[0]?.receiver.port ?? 0 })
  stack.defer(() => names.close())

  const environment: Environment = {
    DATABASE_URL: databaseUrl,
    APP_URL: 'https://interviews.test',
    ENGINE_TOKEN: randomBytes(32).toString('hex'),
    SECRETS_KEY: secretsKey.toString('base64'),
    DESTINATION_ALLOW_CIDRS: '127.0.0.1/32',
    DESTINATION_CA_FILE: authorityFile,
    WEBHOOK_RETRY_DELAY_SECONDS: '1',
    SWEEP_INTERVAL_SECONDS: '2',
    LOG_LEVEL: 'warn',
    ...preloadEnvironment({ clock: '', nameServer: names.address }),
  }
  const start = (name: string) =>
    supervise({ name, environment, nameServer: names.address, folder, reportProblem, over })
  const servers = await Promise.all([start('first'), start('second')])
  const close = async () => {
    await Promise.all(servers.map((server) => server.stop()))
  }
  stack.defer(close)
  const site: Site = {
    name: 'PostgreSQL',
    partners,
    servers,
    urls: servers.map(({ url }) => url),
    inspect,
    close,
    command: async () => {
      throw new Error('Nobody gives commands during a failover')
    },
    faults: [],
    disturbances: [],
    over,
  }
  return { site, environment, keys }
}

async function failOver(
  { pair, availability, over }: { pair: PostgresPair; availability: Availability; over: AbortController },
  how: WayToFail,
  promoteAfter: number,
): Promise<Failover> {
  const failedAt = performance.now()
  await pair.failPrimary(how)
  await setTimeout(promoteAfter)
  await pair.promoteStandby()
  const promoted = performance.now() - failedAt
  await until(() => availability.servedSince(failedAt + promoted), over.signal)
  return { how, promoted, ...availability.gapAfter(failedAt) }
}

/** Waits for something that takes a while on a busy machine. */
async function until(holds: () => boolean, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + 5 * 60_000
  while (!holds()) {
    signal.throwIfAborted()
    if (performance.now() > deadline) throw new Error('The service did not recover within five minutes')
    await setTimeout(20)
  }
}

function describe(number: number, { how, promoted, servedAgain }: Failover): string {
  const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`
  return `failover ${number}: ${how}, standby promoted after ${seconds(promoted)}, served again after ${seconds(servedAgain)}`
}
