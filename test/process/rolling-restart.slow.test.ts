import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { type Database, openPostgres } from '../../server/database/database.ts'
import { sharedPostgres } from '../../support/postgres.ts'
import {
  type Environment,
  eventually,
  type Folder,
  postgresEnvironment,
  type ServerProcess,
  startServer,
  temporaryFolder,
} from '../../support/process.ts'
import { type Receiver, startReceiver } from '../../support/receiver.ts'
import { startReporting } from './reporting.ts'

const metricsToken = 'what the scraper shows: thirty-two characters'

describe('two processes from one start', () => {
  let folder: Folder
  let receiver: Receiver
  let database: Database
  let environment: Environment
  let server: ServerProcess

  before(async () => {
    folder = await temporaryFolder()
    receiver = await startReceiver()
    const ca = join(folder.path, 'ca.pem')
    await writeFile(ca, receiver.ca)
    const url = await (await sharedPostgres()).createDatabase()
    database = openPostgres({ url, connections: 2 })
    environment = {
      ...postgresEnvironment(url),
      PROCESSES: '2',
      METRICS_TOKEN: metricsToken,
      DESTINATION_ALLOW_CIDRS: '127.0.0.0/8',
      DESTINATION_CA_FILE: ca,
    }
    server = await startServer(environment)
    await allServe()
  })
  after(async () => {
    await server?.kill()
    await receiver?.close()
    await database?.close()
    await folder?.[Symbol.asyncDispose]()
  })

  test('SIGUSR2 replaces them under load: no request fails, no delivery is lost, and no count falls', async () => {
    const reporter = await startReporting(server, environment, receiver)
    const pids = await pidsThatAnswer()
    const before = await answersCounted()
    const load = Array.from({ length: 4 }, () => keepAsking(server))
    const reporting = reporter.report(12)

    process.kill(Number(server.pid), 'SIGUSR2')
    await server.printed('all processes replaced')
    await reporting
    const asked = await Promise.all(load.map((client) => client.stop()))

    assert.ok(asked.every((answers) => answers > 0))
    const successors = await pidsThatAnswer()
    assert.ok(pids.isDisjointFrom(successors), 'all of them are new')
    const total = asked.reduce((sum, answers) => sum + answers, 0)
    assert.ok((await answersCounted()) >= before + total, 'what the old ones had counted stays')

    await eventually(async () => (await delivered()) === reporter.results.length)
    assert.equal(await delivered(), 12)
    const received = receiver.requests.map(({ headers }) => headers['x-service-idempotency-key'])
    assert.deepEqual(new Set(received), new Set(reporter.results))
    assert.equal(received.length, reporter.results.length, 'and none came twice')
  })

  test('one that dies is replaced, and counted', async () => {
    const [victim = Number.NaN] = await pidsThatAnswer()
    process.kill(victim, 'SIGKILL')
    await server.printed('process died; starting another')
    await eventually(async () => (await metric('interview_api_process_deaths_total')) === 1)
    await allServe()
    assert.ok(!(await pidsThatAnswer()).has(victim))
  })

  test('SIGTERM under load: every answer comes whole, and clients are told to look elsewhere', async () => {
    const load = Array.from({ length: 8 }, () => keepAsking(server))
    await Promise.all(load.map((client) => client.answered(5)))
    const left = load.map((client) => client.leaveWhenTold())
    server.signal('SIGTERM')
    await Promise.all(left)
    const { status, stderr } = await server.ended
    assert.equal(status, 0)
    assert.equal(stderr, '')
  })

  async function allServe(): Promise<void> {
    assert.ok(await eventually(async () => (await metric('interview_api_processes')) === 2))
  }

  async function delivered(): Promise<number> {
    const rows = await database.query(sql`select from deliveries where status = 'DELIVERED'`)
    return rows.length
  }

  async function answersCounted(): Promise<number> {
    return metric('interview_api_http_request_duration_seconds_count{method="GET",route="/healthz",status="200"}')
  }

  /** Of all processes together, whichever of them is asked. */
  async function metric(name: string): Promise<number> {
    const response = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })
    const lines = (await response.text()).split('\n')
    return Number(
      lines
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')
        .at(-1) ?? 0,
    )
  }

  /** The two processes that take connections, as often as one has to ask until both have answered. */
  async function pidsThatAnswer(): Promise<Set<number>> {
    const pids = new Set<number>()
    assert.ok(await eventually(async () => pids.add(await pidThatAnswers()).size === 2))
    return pids
  }

  /** From what it logs about it. */
  async function pidThatAnswers(): Promise<number> {
    const mark = `pid-${performance.now()}`
    const asked = request(`${server.url}/healthz`, { agent: false, headers: { 'x-request-id': mark } }).end()
    const [response] = await once(asked, 'response')
    response.resume()
    await server.printed(mark)
    const line =
      server
        .stdout()
        .split('\n')
        .find((line) => line.includes(mark)) ?? '{}'
    return JSON.parse(line).pid
  }
})

type Client = {
  answered(count: number): Promise<unknown>
  /** Goes on until an answer says that the connection will be closed. Throws if one of its requests fails, as does `stop`. */
  leaveWhenTold(): Promise<void>
  /** How many answers it got. */
  stop(): Promise<number>
}

/** Asks again and again, on one connection for as long as the server keeps it. */
function keepAsking({ url }: ServerProcess): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let answers = 0
  let stopping = false
  let told = false
  let leavesWhenTold = false

  async function loop(): Promise<void> {
    while (!stopping && !(told && leavesWhenTold)) {
      const asked = request(`${url}/healthz`, { agent }).end()
      const [response] = await once(asked, 'response')
      assert.equal(response.statusCode, 200)
      response.resume()
      await once(response, 'end')
      answers++
      told = response.headers.connection === 'close'
      // The processes that start meanwhile need the processor more.
      await setTimeout(2)
    }
  }
  const looping = loop().finally(() => agent.destroy())
  return {
    answered: (count) => eventually(async () => answers >= count),
    leaveWhenTold() {
      leavesWhenTold = true
      return looping
    },
    async stop() {
      stopping = true
      await looping
      return answers
    },
  }
}
