import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { describe, type TestContext, test } from 'node:test'
import { runCommand } from '../../sdk/src/cli/commands.ts'
import { type Listening, listen } from './receiving.ts'

const token = ['--token', 'listen_token']
const events = { 'content-type': 'text/event-stream' }
const ready = `event: ready\ndata: {"organization":"Acme","secret":"whsec_x","expiresAt":"2026-01-02T03:04:05.678Z","userAgent":"PartnerInterview/0"}\n\n`
const isThisTheApi = 'Is this the address of the Partner Interview API?'

describe('a server that answers 200 with something unexpected', () => {
  for (const body of ['<html></html>', 'null', '{}', '{"resultId":7}']) {
    test(`trigger explains ${body}`, async (t) => {
      const server = await startServer(t, (_, response) => response.end(body))
      const stderr = `${server.url} answered without a result ID. ${isThisTheApi}\n`
      assert.deepEqual(await runCommand(['trigger', '--server', server.url, ...token]), {
        status: 1,
        stdout: '',
        stderr,
      })
    })
  }

  test('listen explains a page instead of events', async (t) => {
    const server = await startServer(t, (_, response) =>
      response.setHeader('content-type', 'text/html').end('<html></html>'),
    )
    const stderr = `${server.url} answered without events. ${isThisTheApi}\n`
    const args = ['listen', '--print', '--server', server.url, ...token]
    assert.deepEqual(await runCommand(args), { status: 1, stdout: '', stderr })
  })

  test('listen explains an event it cannot read, and does not reconnect for it', async (t) => {
    let connections = 0
    const server = await startServer(t, (_, response) => {
      connections += 1
      response.writeHead(200, events).write(`${ready}event: result.completed\ndata: {"resultId"\n\n`)
    })
    const { status, stderr } = await runCommand(['listen', '--print', '--server', server.url, ...token])
    assert.deepEqual([status, connections], [1, 1])
    assert.match(stderr, /^Cannot handle an event: .*JSON.*\n$/)
  })
})

describe('a server that accepts the connection and then says nothing', () => {
  const silences: { command: string[]; headers: boolean; seconds: number; says: (url: string) => string }[] = [
    {
      command: ['trigger'],
      headers: false,
      seconds: 30,
      says: (url) => `Cannot reach ${url}: no answer within 30 seconds\n`,
    },
    {
      command: ['listen', '--print'],
      headers: false,
      seconds: 45,
      says: (url) => `Cannot reach ${url}: no answer within 45 seconds. Does a proxy buffer /listen/?\n`,
    },
    {
      command: ['listen', '--print'],
      headers: true,
      seconds: 45,
      says: (url) => `${url} sent no events within 45 seconds. Does a proxy buffer /listen/?\n`,
    },
  ]
  for (const { command, headers, seconds, says } of silences) {
    test(`${command[0]} gives up after ${seconds} seconds ${headers ? 'without an event' : 'without an answer'}`, async (t) => {
      t.mock.timers.enable({ apis: ['setTimeout'] })
      const server = await startServer(t, (_, response) => {
        if (headers) response.writeHead(200, events).write(': hello\n')
        // Again and again: the first byte starts the wait over.
        const clock = setInterval(() => t.mock.timers.tick(seconds * 1000), 20)
        response.on('close', () => clearInterval(clock))
      })
      const result = await runCommand([...command, '--server', server.url, ...token])
      assert.deepEqual(result, { status: 1, stdout: '', stderr: says(server.url) })
    })
  }
})

test('a receiver without TLS is not taken for one that is not running', async (t) => {
  const receiver = await startServer(t, () => {})
  const server = await startServer(t, (_, response) => {
    const sent = 'event: result.completed\ndata: {"resultId":"res_1"}\n\n'
    response.writeHead(200, events).end(`${ready}${sent}event: ended\ndata: {"error":"The end"}\n\n`)
  })
  const printed: string[] = []
  const terminal = { print: (line: string) => void printed.push(line), signal: new AbortController().signal }
  const forwardTo = receiver.url.replace('http:', 'https:')
  await runCommand(['listen', '--forward-to', forwardTo, '--server', server.url, ...token], terminal)
  const reason = 'TLS: the server does not speak TLS on this port. Try http:// instead.'
  assert.match(printed.at(-1) ?? '', new RegExp(`  no response  \\d+ ms\n {10}${reason}$`))
})

test('listen reconnects after a lost connection', async (t) => {
  const ended = `${ready}event: ended\ndata: {"error":"The listen token was revoked"}\n\n`
  let connections = 0
  const server = await startServer(t, (_, response) => {
    connections += 1
    response.writeHead(200, events)
    if (connections === 1) response.write(ready, () => response.destroy())
    else response.end(ended)
  })
  const printed: string[] = []
  const terminal = { print: (line: string) => void printed.push(line), signal: new AbortController().signal }
  const result = await runCommand(['listen', '--print', '--server', server.url, ...token], terminal)
  assert.deepEqual(result, { status: 1, stdout: '', stderr: 'The listen token was revoked.\n' })
  assert.deepEqual(printed.slice(-2), ['The connection was lost. Reconnecting…', 'Reconnected.'])
})

/** Until the test ends, however it ends: an open server would keep the process of all tests from ending. */
async function startServer(t: TestContext, handler: RequestListener): Promise<Listening> {
  const server = await listen(handler)
  t.after(server.close)
  return server
}
