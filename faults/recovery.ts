/**
 * Measures how soon everything is delivered after a crash: a single process on PostgreSQL, under load, is killed ten
 * times and restarted immediately. `--seed 42` repeats the choices of an earlier run; `--kills 10` sets how often.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openPostgres } from '../server/database/database.ts'
import { migrate } from '../server/database/migrate.ts'
import { startPostgres } from '../support/postgres.ts'
import { createRandom } from '../support/random.ts'
import { createAuthority } from '../support/tls.ts'
import { type Ending, readEndings } from './judge.ts'
import { startNames } from './names.ts'
import { createPartners, type Partner } from './partners.ts'
import type { Received } from './receiver.ts'
import { type Accepted, startReporting } from './reporting.ts'
import { supervise } from './supervised.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(randomInt(1_000_000)) },
    kills: { type: 'string', default: '10' },
    reporters: { type: 'string', default: '8' },
  },
})
const [kills, reporters] = [Number(values.kills), Number(values.reporters)]
const maxSeconds = 15
// The slow receiver's response time, and the time to record it on a busy machine.
const slowMilliseconds = 3_000
const recordedMilliseconds = 2_000
const timeout = 3 * 60_000

const random = createRandom(values.seed)
const folder = await mkdtemp(join(tmpdir(), 'recovery-'))
const wrong: string[] = []
const over = new AbortController()
await using stack = new AsyncDisposableStack()
// Last, when nothing writes logs there anymore.
stack.defer(async () => {
  if (wrong.length === 0) await rm(folder, { recursive: true, force: true, maxRetries: 20 })
})

const postgres = await startPostgres({ durable: true })
stack.defer(() => postgres.close())
const databaseUrl = await postgres.createDatabase()
const database = openPostgres({ url: databaseUrl, connections: 1 })
stack.defer(() => database.close())
await migrate(database)

const authority = createAuthority()
const authorityFile = join(folder, 'authority.pem')
await writeFile(authorityFile, authority.ca)
const secretsKey = randomBytes(32)
const engineToken = randomBytes(32).toString('hex')
const kinds = ['steady', 'steady', 'steady', 'steady'] as const
const partners = await createPartners(database, { kinds, site: 'recovery', authority, folder, secretsKey })
const [slow] = partners
if (!slow) throw new Error('There is no slow partner')
slow.receiver.behave({ name: 'responds', status: 200, after: slowMilliseconds })
for (const { receiver } of partners) {
  stack.defer(() => receiver.kill())
  await receiver.start()
}
const names = await startNames({ misnamed: 'nobody.test', port: slow.receiver.port })
stack.defer(() => names.close())

const server = await supervise({
  name: 'server',
  environment: {
    DATABASE_URL: databaseUrl,
    APP_URL: 'https://interviews.test',
    ENGINE_TOKEN: engineToken,
    SECRETS_KEY: secretsKey.toString('base64'),
    DESTINATION_ALLOW_CIDRS: '127.0.0.1/32',
    DESTINATION_CA_FILE: authorityFile,
    LOG_LEVEL: 'warn',
  },
  nameServer: names.address,
  folder,
  reportProblem: (what) => wrong.push(what),
  over,
})
stack.defer(() => server.stop())

const reporting = await startReporting({
  partners,
  urls: [server.url],
  engineToken,
  random: random.branch('reporting'),
  reporters,
  restMilliseconds: 50,
  brokenImages: 0,
  reportProblem: (what) => wrong.push(what),
  over,
})

const killedAt: number[] = []
while (killedAt.length < kills) {
  await server.up()
  await setTimeout(random.between(500, 3_500))
  killedAt.push(Date.now())
  await server.kill(random)
  console.log(`kill ${killedAt.length} of ${kills}; ${reporting.accepted.length} results accepted so far`)
}
await server.up()
const restartedAt = Date.now()
await reporting.stop()
over.signal.throwIfAborted()
const { accepted } = reporting

const deadline = Date.now() + timeout
let arrivals = firstArrivals(partners)
while (accepted.some(({ resultId }) => !arrivals.has(resultId)) && Date.now() < deadline) {
  await setTimeout(100)
  arrivals = firstArrivals(partners)
}
await untilSettled(deadline)
const endings = await readEndings(database)

const requests = partners.flatMap(({ receiver }) => receiver.received())
const lost = accepted.filter(({ resultId }) => !arrivals.has(resultId))
const lastArrival = Math.max(...accepted.map(({ resultId }) => arrivals.get(resultId) ?? Number.POSITIVE_INFINITY))
const seconds = (lastArrival - restartedAt) / 1000
const unexplained = unexplainedRepeats(slow.receiver.received(), killedAt)
wrong.push(
  ...lost.map(({ resultId, partner }) => `${resultId} of ${partner.name} never arrived`),
  ...unexplained.map((key) => `${key} was sent to the slow receiver again, but no kill explains it`),
  ...endings.filter(({ status }) => status !== 'DELIVERED').map(describe),
  ...beyondHistory(accepted, endings, requests),
)
if (seconds > maxSeconds) wrong.push(`the last event arrived ${seconds.toFixed(1)} s after the last restart`)

console.log(`
| | |
|---|---:|
| kills | ${killedAt.length} |
| results accepted | ${accepted.length.toLocaleString('en')} |
| last event arrived after the last restart | ${seconds.toFixed(1)} s (limit: ${maxSeconds} s) |
| last event arrived after the last kill | ${((lastArrival - (killedAt.at(-1) ?? 0)) / 1000).toFixed(1)} s |
| requests | ${requests.length.toLocaleString('en')} |
| of these, repeats | ${(requests.length - new Set(requests.map(({ key }) => key)).size).toLocaleString('en')} |
| repeats at the slow receiver that no kill explains | ${unexplained.length} |
| lost | ${lost.length} |
`)
if (wrong.length === 0) console.log('Passed.')
else {
  console.log(`${wrong.slice(0, 20).join('\n')}\n\nFAILED. The logs are in ${folder}`)
  process.exitCode = 1
}

function firstArrivals(partners: readonly Partner[]): Map<string, number> {
  const arrivals = new Map<string, number>()
  for (const { receiver } of partners) {
    for (const { key, at } of receiver.received()) if (!arrivals.has(key)) arrivals.set(key, at)
  }
  return arrivals
}

/** Events that arrived may be sent again if their worker died before it recorded them. */
async function untilSettled(deadline: number): Promise<void> {
  while (Date.now() < deadline) {
    const endings = await readEndings(database)
    if (endings.every(({ status, hasJob }) => status !== 'PENDING' && !hasJob)) return
    await setTimeout(500)
  }
}

/** A repeat is explained if the worker was killed before it could record the response. */
function unexplainedRepeats(received: readonly Received[], killedAt: readonly number[]): string[] {
  return [...Map.groupBy(received, ({ key }) => key)].flatMap(([key, requests]) =>
    requests
      .slice(0, -1)
      .filter(({ at }) => !killedAt.some((kill) => at <= kill && kill <= at + slowMilliseconds + recordedMilliseconds))
      .map(() => key),
  )
}

function beyondHistory(
  accepted: readonly Accepted[],
  endings: readonly Ending[],
  requests: readonly Received[],
): string[] {
  const byResult = new Map(endings.map((ending) => [ending.resultId, ending]))
  const sent = Map.groupBy(requests, ({ key }) => key)
  return accepted.flatMap(({ resultId }) => {
    const [count, recorded] = [sent.get(resultId)?.length ?? 0, byResult.get(resultId)?.history.length ?? 0]
    return count > recorded ? [`${resultId}: ${count} requests, but the history has ${recorded} attempts`] : []
  })
}

function describe({ resultId, status, reason, round, history }: Ending): string {
  return `${resultId} is ${status}, ${reason}, in round ${round} after ${history.length} attempts`
}
