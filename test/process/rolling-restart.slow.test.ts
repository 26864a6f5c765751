import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { type DeliverySite, openDeliverySite } from '../../support/delivery-site.ts'
import { type Environment, eventually, type ServerProcess, startServer } from '../../support/process.ts'
import { startReporting } from './reporting.ts'

const metricsToken = 'what the scraper shows: thirty-two characters'

describe('two processes under one supervisor', () => {
  let site: DeliverySite
  let environment: Environment
  let server: ServerProcess

  before(async () => {
    site = await openDeliverySite()
    environment = { ...site.environment, PROCESSES: '2', METRICS_TOKEN: metricsToken }
    server = await startServer(environment)
    await allServe()
  })
  after(async () => {
    await server?.kill()
    await site?.close()
  })

  test('SIGUSR2 replaces them under load: no request fails, no delivery is lost, and no counter decreases', async () => {
    const reporter = await startReporting(server, environment, site.receiver)
    const pids = await respondingPids()
    const before = await countedResponses()
    const load = Array.from({ length: 4 }, () => sendContinuously(server))
    const reporting = reporter.report(12)

    process.kill(Number(server.pid), 'SIGUSR2')
    await server.printed('all processes replaced')
    await reporting
    const counts = await Promise.all(load.map((client) => client.stop()))

    assert.ok(counts.every((count) => count > 0))
    const successors = await respondingPids()
    assert.ok(pids.isDisjointFrom(successors), 'not all of them are new')
    const total = counts.reduce((sum, count) => sum + count, 0)
    // The last counts of a process may be read after it has exited.
    const isComplete = await eventually(async () => (await countedResponses()) >= before + total)
    assert.ok(isComplete, 'counts of the old processes are missing')

    await eventually(async () => (await delivered()) === reporter.results.length)
    assert.equal(await delivered(), 12)
    const received = site.receiver.requests.map(({ headers }) => headers['x-service-idempotency-key'])
    assert.deepEqual(new Set(received), new Set(reporter.results))
    assert.equal(received.length, reporter.results.length, 'some came twice')
  })

  test('one that dies is replaced and counted', async () => {
    const [victim = Number.NaN] = await respondingPids()
    process.kill(victim, 'SIGKILL')
    await server.printed('process died; starting another')
    assert.ok(await eventually(async () => (await metric('interview_api_process_deaths_total')) === 1))
    await allServe()
    assert.ok(!(await respondingPids()).has(victim))
  })

  test('SIGTERM under load: every response is complete, and clients are told to close their connections', async () => {
    const load = Array.from({ length: 8 }, () => sendContinuously(server))
    await Promise.all(load.map((client) => client.responses(5)))
    const left = load.map((client) => client.runUntilClose())
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
    const rows = await site.database.query(sql`select from deliveries where status = 'DELIVERED'`)
    return rows.length
  }

  async function countedResponses(): Promise<number> {
    return metric('interview_api_http_request_duration_seconds_count{method="GET",route="/healthz",status="200"}')
  }

  /** Across all processes, whichever of them handles the scrape. */
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

  /** The two processes that accept connections. Asks until both have responded. */
  async function respondingPids(): Promise<Set<number>> {
    const pids = new Set<number>()
    assert.ok(await eventually(async () => pids.add(await respondingPid()).size === 2))
    return pids
  }

  /** Read from its log. */
  async function respondingPid(): Promise<number> {
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
  /** Waits for this many responses. */
  responses(count: number): Promise<unknown>
  /** Runs until a response announces that the connection will be closed. Like `stop`, throws if a request failed. */
  runUntilClose(): Promise<void>
  /** Returns the number of responses. */
  stop(): Promise<number>
}

/** Sends requests continuously, on one connection for as long as the server keeps it open. */
function sendContinuously({ url }: ServerProcess): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let count = 0
  let stopping = false
  let closeAnnounced = false
  let stopsOnClose = false

  async function loop(): Promise<void> {
    while (!stopping && !(closeAnnounced && stopsOnClose)) {
      const asked = request(`${url}/healthz`, { agent }).end()
      const [response] = await once(asked, 'response')
      assert.equal(response.statusCode, 200)
      response.resume()
      await once(response, 'end')
      count++
      closeAnnounced = response.headers.connection === 'close'
      // The starting processes need the CPU more.
      await setTimeout(2)
    }
  }
  const looping = loop().finally(() => agent.destroy())
  return {
    responses: (expected) => eventually(async () => count >= expected),
    runUntilClose() {
      stopsOnClose = true
      return looping
    },
    async stop() {
      stopping = true
      await looping
      return count
    },
  }
}
