import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import packageFile from '../../package.json' with { type: 'json' }
import { verify } from '../../sdk/src/verify.ts'
import { image, scoring } from '../../support/deliveries.ts'
import { sharedPostgres } from '../../support/postgres.ts'
import {
  cli,
  type Environment,
  eventually,
  type Folder,
  freePort,
  likelyFreePort,
  postgresEnvironment,
  type RunningCommand,
  type ServerProcess,
  startCommand,
  startServer,
  temporaryFolder,
} from '../../support/process.ts'
import { call, send } from '../../support/service.ts'
import { listen as listenTo } from './receiving.ts'

const program = join(import.meta.dirname, '..', '..', 'sdk', 'src', 'cli', 'main.ts')

describe('listen and trigger on the embedded database', () => {
  let folder: Folder
  let environment: Environment
  let server: ServerProcess
  let organizationId: string
  let key: string
  let token: string
  before(async () => {
    folder = await temporaryFolder()
    environment = { DATA_DIR: join(folder.path, 'data'), PORT: String(await freePort()) }
    server = await startServer(environment)
    await server.printed('Password')
    organizationId = /org_\w{26}/.exec(server.stdout())?.[0] ?? ''
    key = /service_live_[\w.-]+/.exec(server.stdout())?.[0] ?? ''
    token = String((await cli(['listen-token', 'create', '--organization', organizationId], environment)).token)
  })
  after(async () => {
    await server?.kill()
    await folder?.[Symbol.asyncDispose]()
  })

  const listen = (...args: string[]) => startCommand([program, 'listen', '--server', server.url, ...args], withToken())
  const trigger = (...args: string[]) =>
    startCommand([program, 'trigger', '--server', server.url, ...args], withToken())
  const withToken = () => ({ PARTNER_INTERVIEW_TOKEN: token })

  async function invite(email: string): Promise<string> {
    const headers = { 'x-service-api-key': key }
    const template = { title: 'Backend engineer', description: 'Services.', externalPostingId: 'job-4711' }
    const { body } = await call<{ id: string }>(server.url, 'POST', '/v1/templates', headers, template)
    const candidate = { email, firstName: 'Ada\u009b', lastName: 'Lovelace' }
    const invitation = { templateId: body.id, candidate }
    const invited = await call<{ id: string }>(server.url, 'POST', '/v1/interview-invitations', headers, invitation)
    return invited.body.id
  }

  const complete = (invitationId: string) => cli(['sandbox', 'complete', '--invitation', invitationId], environment)

  test('events are forwarded as a delivery sends them, signed with the secret that listen prints · SIG-1', async () => {
    await using receiver = await startReceiver()
    await using listening = listen('--forward-to', receiver.url)
    await listening.printed('Forwarding to')
    const secret = /Signing secret: (whsec_\S+)/.exec(listening.stdout())?.[1] ?? ''

    const triggered = await trigger().ended
    const sampleId = /^Sent (sample_\w+) to everyone who listens\.\n$/.exec(triggered.stdout)?.[1]
    assert.ok(sampleId, triggered.stderr)
    await receiver.received(1)
    const { resultId } = await complete(await invite('forwarded@example.com'))
    const [sample, real] = await receiver.received(2)
    assert.ok(sample && real)
    for (const [request, id] of [[sample, sampleId] as const, [real, resultId] as const]) {
      const verification = await verify(request.body, request.headers, secret)
      assert.ok(verification.ok, JSON.stringify(verification))
      assert.equal(verification.event.resultId, id)
      const { host: _, connection: _kept, 'content-length': length, ...headers } = request.headers
      assert.deepEqual(headers, {
        'content-type': 'application/json',
        'user-agent': `PartnerInterview/${packageFile.version}`,
        'x-service-event': 'result.completed',
        'x-service-event-id': `external_result_completed_${id}`,
        'x-service-idempotency-key': id,
        'x-service-signature': request.headers['x-service-signature'],
      })
      assert.equal(Number(length), request.body.length)
    }
    await listening.printed(
      new RegExp(`^\\d\\d:\\d\\d:\\d\\d  result.completed  ${sampleId} \\(sample\\)  200  \\d+ ms$`, 'm'),
    )
    await listening.printed(new RegExp(`^\\d\\d:\\d\\d:\\d\\d  result.completed  ${resultId}  200  \\d+ ms$`, 'm'))
    const stopped = await listening.interrupt()
    assert.deepEqual([stopped.status, stopped.stderr], [0, ''])
  })

  test('--print shows the event, with a short picture and nothing that a terminal would act on', async () => {
    await using listening = listen('--print')
    await listening.printed('Printing events')
    const { resultId } = await complete(await invite('printed@example.com'))
    await listening.printed(/"duration": \d+/)
    assert.match(listening.stdout(), new RegExp(`"resultId": "${resultId}"`))
    assert.match(listening.stdout(), /"firstName": "Ada\\u009b"/)
    assert.match(listening.stdout(), /"dataBase64": "\/9j\/\S{12}… \(\d+ characters\)"/)
  })

  test('it reconnects after a restart of the server, and continues where it was', async () => {
    await using receiver = await startReceiver()
    await using listening = listen('--forward-to', receiver.url)
    await listening.printed('Forwarding to')
    const ids: unknown[] = []
    ids.push((await complete(await invite('first@example.com'))).resultId)
    await receiver.received(1)
    const [second, third] = [await invite('second@example.com'), await invite('third@example.com')]
    const stopped = await server.stop()
    assert.equal(stopped.status, 0, 'a listener does not keep the server from stopping')
    await listening.printed('Reconnecting…')
    ids.push((await complete(second)).resultId)
    server = await startServer(environment)
    await listening.printed('Reconnected.')
    ids.push((await complete(third)).resultId)
    const received = await receiver.received(3)
    assert.deepEqual(
      received.map(({ headers }) => headers['x-service-idempotency-key']),
      ids,
    )
  })

  test('a receiver that is down or rejects the signature is explained, and listening goes on', async () => {
    await using receiver = await startReceiver({ status: 401 })
    await using rejected = listen('--forward-to', receiver.url)
    await using unheard = listen('--forward-to', `http://127.0.0.1:${likelyFreePort()}/`)
    await Promise.all([rejected.printed('Forwarding to'), unheard.printed('Forwarding to')])
    await trigger().ended
    await rejected.printed(/\(sample\) {2}401 {2}\d+ ms\n +Does your receiver use the signing secret above\?/)
    await unheard.printed(/no response .*\n +NETWORK: connection refused, .*\. Is your receiver running\?/)
    await trigger().ended
    await unheard.printed(/(no response[\s\S]*){2}/)
  })

  test('what keeps it from listening is explained', async () => {
    const nowhere = `http://127.0.0.1:${likelyFreePort()}`
    const failed = async (command: RunningCommand) => {
      const { status, stdout, stderr } = await command.ended
      assert.equal(stdout, '')
      return [status, stderr]
    }
    const wrong = `listen_${'x'.repeat(43)}`
    const advice = 'An admin creates one in the settings, under Listen.'
    for (const start of [(...args: string[]) => listen('--print', ...args), trigger]) {
      assert.deepEqual(await failed(start('--server', nowhere)), [
        1,
        `Cannot reach ${nowhere}: connection refused, so nothing is listening there (ECONNREFUSED)\n`,
      ])
      assert.deepEqual(await failed(start('--token', wrong)), [
        1,
        `${server.url} answered 401: Invalid listen token. ${advice}\n`,
      ])
      assert.deepEqual(await failed(start('--server', `${server.url}/elsewhere`)), [
        1,
        `${server.url}/elsewhere answered 404. Is this the address of the Partner Interview API?\n`,
      ])
      assert.deepEqual(await failed(start('--server', 'localhost:3000')), [
        2,
        '--server must start with http:// or https://, not localhost:3000\n',
      ])
    }
    const missing = await startCommand([program, 'trigger', '--server', server.url]).ended
    assert.match(missing.stderr, /^The listen token is missing\. Pass --token or set PARTNER_INTERVIEW_TOKEN\. /)
    const pasted = await startCommand([program, 'trigger', '--server', server.url, '--token', 'listen_…']).ended
    assert.match(pasted.stderr, /^This is not a listen token: /)
    assert.deepEqual(await failed(listen('--forward-to', 'localhost:4000')), [
      2,
      '--forward-to must start with http:// or https://, not localhost:4000\n',
    ])
    const [both] = [await listen('--print', '--forward-to', 'http://localhost:4000').ended]
    assert.match(both.stderr, /^Pass either --forward-to or --print\.\n\nUsage: partner-interview listen/)
  })

  test('it stops when its token is revoked', async () => {
    const made = await cli(['listen-token', 'create', '--organization', organizationId], environment)
    await using listening = listen('--print', '--token', String(made.token))
    await listening.printed('Printing events')
    await cli(['listen-token', 'revoke', '--id', String(made.id)], environment)
    const { status, stderr } = await listening.ended
    assert.deepEqual([status, stderr], [1, 'The listen token was revoked. Create a new one.\n'])
  })
})

describe('listen on PostgreSQL with two servers', () => {
  test('an event that one server handles reaches a listener on the other', async () => {
    const url = await (await sharedPostgres()).createDatabase()
    const environment = postgresEnvironment(url)
    await using one = await startServer(environment)
    await using other = await startServer(environment)
    const { id } = await cli(['organization', 'create', '--name', 'Acme'], environment)
    const organization = ['--organization', String(id)]
    const scopes = ['--scopes', 'templates:write,invitations:write']
    const { key } = await cli(['key', 'create', ...organization, '--label', 'ATS', ...scopes], environment)
    const { token } = await cli(['listen-token', 'create', ...organization], environment)
    await using receiver = await startReceiver()
    const args = ['--server', other.url, '--token', String(token), '--forward-to', receiver.url]
    await using listening = startCommand([program, 'listen', ...args])
    await listening.printed('Forwarding to')

    const headers = { 'x-service-api-key': String(key) }
    const template = await call<{ id: string }>(one.url, 'POST', '/v1/templates', headers, {
      title: 'Backend engineer',
      description: 'Services.',
    })
    const invited = await call<{ interview: { id: string } }>(one.url, 'POST', '/v1/interview-invitations', headers, {
      templateId: template.body.id,
      candidate: { email: 'ada@example.com', firstName: 'Ada' },
    })
    const engine = { authorization: `Bearer ${environment.ENGINE_TOKEN}` }
    const interview = `/internal/v1/interviews/${invited.body.interview.id}`
    const picture = { ...engine, 'content-type': 'image/jpeg' }
    await send(one.url, 'PUT', `${interview}/thumbnail`, picture, new Uint8Array(image))
    const { body } = await call<{ resultId: string }>(one.url, 'PUT', `${interview}/result`, engine, { scoring })
    const [request] = await receiver.received(1)
    assert.equal(request?.headers['x-service-idempotency-key'], body.resultId)
  })
})

for (const stream of ['stdout', 'stderr'] as const) {
  test(`a command whose ${stream} nobody reads anymore ends quietly`, async () => {
    const args = stream === 'stdout' ? ['verify-signature', '--help'] : ['unknown']
    const child = spawn(process.execPath, [program, ...args])
    child[stream].destroy()
    const other = stream === 'stdout' ? child.stderr : child.stdout
    const [[status], output] = await Promise.all([once(child, 'close'), other.toArray()])
    assert.deepEqual([status, output.join('')], [stream === 'stdout' ? 0 : 2, ''])
  })
}

test('listen stops when nobody reads its output anymore, as with | head', async () => {
  const ready = { organization: 'Acme', secret: 'whsec_x', expiresAt: '2026-01-02T03:04:05.678Z' }
  const server = await listenTo((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`event: ready\ndata: ${JSON.stringify(ready)}\n\n`)
    const missing = JSON.stringify({ resultId: 'res_1', detail: 'no picture' })
    const timer = setInterval(() => response.write(`event: skipped\ndata: ${missing}\n\n`), 20)
    response.on('close', () => clearInterval(timer))
  })
  const child = spawn(process.execPath, [program, 'listen', '--print', '--server', server.url, '--token', 'x'])
  await once(child.stdout, 'data')
  child.stdout.destroy()
  const [[status], stderr] = await Promise.all([once(child, 'close'), child.stderr.toArray()])
  assert.deepEqual([status, stderr.join('')], [0, ''])
  await server.close()
})

type Received = { headers: IncomingHttpHeaders & Record<string, string>; body: Buffer }

/** A receiver on plain HTTP, as on a developer's machine. */
async function startReceiver({ status = 200 } = {}) {
  const requests: Received[] = []
  const server = await listenTo(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    requests.push({ headers: request.headers as Received['headers'], body })
    response.writeHead(status).end()
  })
  return {
    url: `${server.url}/webhooks/interviews`,
    async received(count: number): Promise<Received[]> {
      await eventually(async () => requests.length >= count)
      assert.equal(requests.length, count)
      return requests
    },
    [Symbol.asyncDispose]: server.close,
  }
}
