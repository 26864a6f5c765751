import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import sql from 'sql-template-tag'
import { openPostgres } from '../../server/database/database.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { sharedPostgres } from '../../support/postgres.ts'
import {
  cli,
  type Environment,
  eventually,
  postgresEnvironment,
  runCli,
  startServer,
  temporaryFolder,
} from '../../support/process.ts'
import { startReceiver } from '../../support/receiver.ts'
import { createAuthority } from '../../support/tls.ts'
import { startReporting } from './reporting.ts'

const login = { user: 'interviews', password: 'p@ss/w:rd' }

test('a mail server that hangs delays no delivery, and two processes then send every email once · SET-8', async () => {
  await using folder = await temporaryFolder()
  const authority = createAuthority()
  const receiver = await startReceiver({ names: ['localhost'], authority })
  const ca = join(folder.path, 'ca.pem')
  await writeFile(ca, authority.ca)
  const hanging = await acceptAndSayNothing()
  const { port } = hanging
  const smtp = join(folder.path, 'smtp')
  await writeFile(smtp, `smtps://${login.user}:${encodeURIComponent(login.password)}@localhost:${port}\n`)
  const url = await (await sharedPostgres()).createDatabase()
  const environment: Environment = {
    ...postgresEnvironment(url),
    DESTINATION_ALLOW_CIDRS: '127.0.0.0/8',
    DESTINATION_CA_FILE: ca,
    NODE_EXTRA_CA_CERTS: ca,
    WEBHOOK_RETRY_DELAY_SECONDS: '0',
    SWEEP_INTERVAL_SECONDS: '1',
    SMTP_URL_FILE: smtp,
    MAIL_FROM: 'Interviews <interviews@example.com>',
  }
  const database = openPostgres({ url, connections: 1 })
  const servers = [await startServer(environment), await startServer(environment)]
  try {
    const [first] = servers
    assert.ok(first)
    const reporter = await startReporting(first, environment, receiver)
    for (const email of ['ada@acme.example', 'bob@acme.example']) {
      const member = ['member', 'add', '--organization', reporter.organizationId, '--email', email, '--role', 'admin']
      await cli(member, environment)
    }

    receiver.answer({ status: 500 })
    await reporter.report(1)
    assert.ok(await eventually(async () => hanging.connections() > 0), 'someone tries to send the alert')
    receiver.answer({ status: 200 })
    await reporter.report(3)
    const delivered = async () => {
      const [row] = await database.query<{ count: number }>(
        sql`select count(*) from deliveries where status = 'DELIVERED'`,
      )
      return row?.count ?? 0
    }
    assert.ok(await eventually(async () => (await delivered()) >= 3))
    const waiting = async () => {
      const [row] = await database.query<{ count: number }>(sql`select count(*) from outbox`)
      return row?.count
    }
    assert.ok(await eventually(async () => (await waiting()) === 4), 'failing and recovered, for both admins')
    await hanging.close()

    const server = await startMailServer({ port, tls: authority.issue({ names: ['localhost'] }), login })
    try {
      // What is being tried times out first; after that it need not wait for its next turn.
      const sent = await eventually(async () => {
        await database.query(sql`
          update outbox set due_at = now() where tries > 0 and due_at < now() + interval '60 seconds'`)
        return (await waiting()) === 0
      })
      assert.ok(sent)
      const subjects = server.received.map(({ to, header }) => `${to} ${header('subject')}`).sort()
      assert.deepEqual(subjects, [
        'ada@acme.example Webhook failing: Acme',
        'ada@acme.example Webhook recovered: Acme',
        'bob@acme.example Webhook failing: Acme',
        'bob@acme.example Webhook recovered: Acme',
      ])

      const tested = await cli(['mail', 'test', '--to', 'eve@acme.example'], environment)
      assert.deepEqual(tested, { sent: true, to: 'eve@acme.example', server: `localhost:${port}` })
      assert.equal(server.received.at(-1)?.header('subject'), 'Test message')
      assert.deepEqual(await cli(['mail', 'status'], environment), { configured: true, waiting: 0 })

      await writeFile(smtp, `smtps://${login.user}:wrong@localhost:${port}`)
      const refused = await runCli(['mail', 'test', '--to', 'eve@acme.example'], environment)
      assert.equal(refused.status, 1)
      assert.match(refused.stderr, /localhost:\d+ did not take the email: Invalid login/)
      assert.doesNotMatch(refused.stderr, /wrong@|p@ss/)
    } finally {
      await server.close()
    }
    for (const server of servers) assert.doesNotMatch(server.stdout() + server.stderr(), /p@ss|p%40ss/)
  } finally {
    for (const server of servers) await server.kill()
    await database.close()
    await hanging.close()
    await receiver.close()
  }
})

test('without SMTP_URL, mail commands say what to set', async () => {
  const url = await (await sharedPostgres()).createDatabase()
  const { status, stderr } = await runCli(['mail', 'test', '--to', 'a@example.com'], postgresEnvironment(url))
  assert.equal(status, 1)
  assert.match(stderr, /Email is not set up\. Set SMTP_URL and MAIL_FROM/)
})

/** A server that accepts connections and never speaks. */
async function acceptAndSayNothing(): Promise<{ port: number; connections(): number; close(): Promise<void> }> {
  const sockets = new Set<Socket>()
  let count = 0
  const server: Server = createServer((socket) => {
    count += 1
    sockets.add(socket.on('error', () => {}))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  return {
    port: address.port,
    connections: () => count,
    async close() {
      if (!server.listening) return
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}
