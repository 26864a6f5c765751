import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { json } from 'node:stream/consumers'
import { before, describe, test } from 'node:test'
import { openPostgres } from '../../server/database/database.ts'
import { newKey } from '../../support/keys.ts'
import { sharedPostgres } from '../../support/postgres.ts'
import {
  type Environment,
  eventually,
  postgresEnvironment,
  runServer,
  type ServerProcess,
  startServer,
  temporaryFolder,
} from '../../support/process.ts'

const body = JSON.stringify({ title: 'Backend engineer', description: 'Half of this comes before the signal.' })

describe('a stopping server', () => {
  let environment: Environment
  let key: string

  before(async () => {
    const url = await (await sharedPostgres()).createDatabase()
    environment = postgresEnvironment(url)
    await using first = await startServer(environment)
    const database = openPostgres({ url, connections: 1 })
    key = await newKey(database)
    await database.close()
    assert.equal((await first.stop()).status, 0)
  })

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    test(`${signal}: a request in flight gets its complete response, new ones are refused, and it exits with 0`, async () => {
      await using server = await startServer(environment)
      const { post, pending } = await startRequest(server)

      server.signal(signal)
      await untilRefused(server)
      post.end(body.slice(20))

      const response = await pending
      assert.equal(response.statusCode, 201)
      assert.partialDeepStrictEqual(await json(response), JSON.parse(body))
      const { status, stderr } = await server.ended
      assert.equal(status, 0)
      assert.equal(stderr, '')
      assert.match(server.stdout(), /"msg":"stopped"\}\n$/)
    })
  }

  test('SIGTERM right as it starts to listen: it shuts down cleanly and exits with 0', async () => {
    await using folder = await temporaryFolder()
    const { status, stdout, stderr } = await runServer({ DATA_DIR: folder.path }, { stopAt: 'listening on' })
    assert.deepEqual([status, stderr], [0, ''])
    assert.match(stdout, /"msg":"stopped"\}\n$/)
  })

  test('STOP_DELAY_SECONDS: load balancers see that it is not ready, and requests are still served', async () => {
    await using server = await startServer({ ...environment, STOP_DELAY_SECONDS: '60' })
    server.signal('SIGTERM')
    assert.ok(await eventually(async () => (await fetch(`${server.url}/readyz`)).status === 503))
    const response = await fetch(`${server.url}/v1/templates`, { headers: { 'x-service-api-key': key } })
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('connection'), 'close')
  })

  test('a drain that takes longer than ten seconds, the default limit of Fastify, is a clean shutdown', async () => {
    await using server = await startServer({ ...environment, STOP_DELAY_SECONDS: '11' })
    const { status, stdout, stderr } = await server.stop()
    assert.deepEqual([status, stderr], [0, ''])
    assert.match(stdout, /"msg":"stopped"\}\n$/)
  })

  test('a second signal ends it immediately, even with work in flight', async () => {
    await using server = await startServer(environment)
    const { pending } = await startRequest(server)
    const broken = assert.rejects(pending)

    server.signal('SIGTERM')
    await untilRefused(server)
    server.signal('SIGTERM')

    assert.equal((await server.ended).status, 1)
    await broken
  })

  test('an idle connection does not delay it', async () => {
    await using server = await startServer(environment)
    const agent = new Agent({ keepAlive: true })
    const asked = request(`${server.url}/healthz`, { agent }).end()
    const [response] = await once(asked, 'response')
    response.resume()
    await once(response, 'end')
    const idle = connect(server.port, '127.0.0.1')
    await once(idle, 'connect')

    assert.equal((await server.stop()).status, 0)
    agent.destroy()
    idle.destroy()
  })

  /** Sends the headers and the first bytes. The server has responded with 100, so it is handling the request. */
  async function startRequest(
    server: ServerProcess,
  ): Promise<{ post: ClientRequest; pending: Promise<IncomingMessage> }> {
    const post = request(`${server.url}/v1/templates`, {
      method: 'POST',
      headers: {
        'x-service-api-key': key,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        expect: '100-continue',
      },
    })
    const pending = once(post, 'response').then(([response]) => response)
    post.flushHeaders()
    await once(post, 'continue')
    post.write(body.slice(0, 20))
    return { post, pending }
  }
})

async function untilRefused({ port }: ServerProcess): Promise<void> {
  const refused = await eventually(async () => {
    const socket = connect(port, '127.0.0.1')
    const code = await once(socket, 'connect').then(
      () => '',
      (error) => error.code,
    )
    socket.destroy()
    return code === 'ECONNREFUSED'
  })
  assert.ok(refused, 'it still accepts connections')
}
