import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMailer, type MailServer } from '../../server/notifications/mailer.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { createAuthority } from '../../support/tls.ts'

const mail = { id: 'msg_1', to: 'bob@acme.example', subject: 'S', text: 'T', html: '<p>T</p>' }
const settings = { host: '127.0.0.1', login: null, from: { name: '', address: 'interviews@example.com' } }
const login = { user: 'interviews', password: 'right' }

async function failureOf(server: { port: number }, options: Pick<MailServer, 'encryption'> & Partial<MailServer>) {
  const result = await createMailer({ ...settings, port: server.port, ...options }).send(mail)
  assert.ok(result.outcome === 'failed')
  const { problem, status, isFinal, detail } = result
  assert.notEqual(detail, '')
  return { problem, status, isFinal }
}

test('a certificate that nobody trusts is a TLS problem', async (context) => {
  const server = await startMailServer({ tls: createAuthority().issue({ names: ['127.0.0.1'] }) })
  context.after(() => server.close())
  assert.deepEqual(await failureOf(server, { encryption: 'tls' }), { problem: 'TLS', status: null, isFinal: false })
})

test('TLS from the start with a server that greets in plain text is a TLS problem', async (context) => {
  const server = await startMailServer()
  context.after(() => server.close())
  const result = await createMailer({ ...settings, port: server.port, encryption: 'tls' }).send(mail)
  assert.ok(result.outcome === 'failed' && result.problem === 'TLS')
  assert.match(result.detail, /does not speak TLS on this port\. Use smtp:/)
})

test('a password is not sent to a server that cannot encrypt', async (context) => {
  const server = await startMailServer({ login })
  context.after(() => server.close())
  assert.equal((await failureOf(server, { encryption: 'starttls', login })).problem, 'TLS')
})

test('a login that is rejected is a problem of its own', async (context) => {
  const server = await startMailServer({ login })
  context.after(() => server.close())
  const wrong = { encryption: 'either', login: { ...login, password: 'wrong' } } as const
  assert.deepEqual(await failureOf(server, wrong), { problem: 'LOGIN_REJECTED', status: 535, isFinal: false })
  const right = createMailer({ ...settings, port: server.port, encryption: 'either', login })
  assert.deepEqual(await right.send(mail), { outcome: 'sent' })
  assert.equal(server.received[0]?.header('message-id'), '<msg_1@example.com>')
})

test('a server that is away cannot be reached', async () => {
  const server = await startMailServer()
  await server.close()
  const failure = { problem: 'UNREACHABLE', status: null, isFinal: false }
  assert.deepEqual(await failureOf(server, { encryption: 'either' }), failure)
})

test('a recipient that is rejected for good is final, one that is rejected for now is not', async (context) => {
  const server = await startMailServer()
  context.after(() => server.close())
  server.rejectWith = 550
  assert.deepEqual(await failureOf(server, { encryption: 'either' }), {
    problem: 'REJECTED',
    status: 550,
    isFinal: true,
  })
  server.rejectWith = 450
  assert.equal((await failureOf(server, { encryption: 'either' })).isFinal, false)
})

test('a sender that is rejected is not final, though the server says so about the recipient', async (context) => {
  const server = await startMailServer()
  context.after(() => server.close())
  for (const [status, text, isFinal] of [
    [554, '5.7.1 Relay access denied', false],
    [550, '5.7.1 Sender address rejected: not owned by user', false],
    [530, '5.7.0 Authentication required', false],
    [554, 'Relay access denied', false],
    [550, '5.1.1 User unknown', true],
    [552, '5.2.2 Mailbox full', true],
  ] as const) {
    Object.assign(server, { rejectWith: status, rejectionText: text })
    assert.equal((await failureOf(server, { encryption: 'either' })).isFinal, isFinal, `${status} ${text}`)
  }
})

test('a mail that was reported as late does not arrive after all', async () => {
  const server = await startMailServer()
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  server.holdRecipients = held
  const mailer = createMailer({ ...settings, port: server.port, encryption: 'either' }, { deadline: 300 })
  const result = await mailer.send(mail)
  assert.ok(result.outcome === 'failed')
  assert.deepEqual([result.problem, result.isFinal], ['TIMEOUT', false])
  release()
  // Waits until the server is done with all connections.
  await server.close()
  assert.deepEqual(server.received, [])
})

test('a server that has got a mail has five minutes to accept it', async (context) => {
  const server = await startMailServer()
  context.after(() => server.close())
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  server.beforeAccepting = () => {
    arrive()
    return held
  }
  const set = context.mock.method(globalThis, 'setTimeout')
  const clear = context.mock.method(globalThis, 'clearTimeout')
  const longTimers = () => {
    const cleared = new Set(clear.mock.calls.map(({ arguments: [timer] }) => timer))
    const left = set.mock.calls.filter(({ result }) => !cleared.has(result))
    return left.map(({ arguments: [, delay = 0] }) => delay).filter((delay) => delay >= 10_000)
  }
  const sending = createMailer({ ...settings, port: server.port, encryption: 'either' }).send(mail)
  await arrived
  assert.deepEqual(longTimers(), [300_000])
  release()
  assert.deepEqual(await sending, { outcome: 'sent' })
  assert.deepEqual(longTimers(), [])
})
