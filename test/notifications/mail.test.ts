import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { seal } from '../../server/endpoints/secrets.ts'
import {
  channelStatus,
  claimMessage,
  createOutbox,
  type NewMail,
  type Outbox,
} from '../../server/notifications/outbox.ts'
import { controlCharacters } from '../../server/organizations/names.ts'
import { engines } from '../../support/engines.ts'
import { type MailServer, startMailing, startMailServer } from '../../support/mail-server.ts'
import { eventually } from '../../support/process.ts'
import { type Service, startService } from '../../support/service.ts'

for (const engine of engines) {
  describe(`mail on ${engine.name}`, () => {
    let service: Service
    let server: MailServer
    let outbox: Outbox
    let organizationId: string
    before(async () => {
      service = await startService(engine)
      outbox = createOutbox({ mailConfigured: true, secretsKey: service.secretsKey })
      organizationId = (await service.partner()).organizationId
    })
    after(() => service?.close())
    beforeEach(async () => {
      server = await startMailServer()
      await service.database.query(sql`delete from outbox`)
    })

    afterEach(() => server.close())

    const until = async (holds: () => Promise<boolean>) => assert.ok(await eventually(holds))
    const invitation = (to: string, organization = 'Acme'): NewMail => ({
      kind: 'invitation',
      to,
      organizationId,
      values: {
        organization,
        invitedBy: 'ada@acme.example',
        expiresAt: '2026-03-08T12:00:00.000Z',
        link: 'https://interviews.example/settings/join/abc?x=1&y=2',
      },
    })
    const waiting = async () => {
      const [row] = await service.database.query<{ count: number }>(sql`select count(*) from outbox`)
      return row?.count
    }
    const makeDue = () => service.database.query(sql`update outbox set due_at = now()`)

    test('a queued mail arrives once, as plain text and HTML, and leaves nothing behind', async (context) => {
      const sending = startMailing(service, server)
      context.after(() => sending.stop())
      assert.equal(await outbox.queueMail(service.database, invitation('bob@acme.example')), 'queued')
      await until(async () => (await waiting()) === 0)
      assert.equal(server.received.length, 1)
      const [mail] = server.received
      assert.deepEqual(mail?.to, ['bob@acme.example'])
      assert.equal(mail?.from, 'interviews@example.com')
      assert.equal(mail?.header('from'), 'Interviews <interviews@example.com>')
      assert.equal(mail?.header('subject'), 'Join Acme on Partner Interview')
      assert.equal(mail?.header('auto-submitted'), 'auto-generated')
      assert.match(
        mail?.text ?? '',
        /ada@acme\.example invited you to join Acme on .*\s+.* works once, until 2026-03-08 12:00 UTC\./,
      )
      assert.match(mail?.text ?? '', /https:\/\/interviews\.example\/settings\/join\/abc\?x=1&y=2/)
      assert.match(mail?.html ?? '', /href="https:\/\/interviews\.example\/settings\/join\/abc\?x=1&#38;y=2"/)
    })

    test('a mail of a transaction that fails is never sent', async () => {
      const failed = service.database.transaction(async (transaction) => {
        await outbox.queueMail(transaction, invitation('bob@acme.example'))
        throw new Error('no')
      })
      await assert.rejects(failed, /no/)
      assert.equal(await waiting(), 0)
    })

    test('without a mail server nothing is queued', async () => {
      const off = createOutbox({ mailConfigured: false, secretsKey: service.secretsKey })
      assert.equal(await off.queueMail(service.database, invitation('bob@acme.example')), 'off')
      assert.equal(await waiting(), 0)
    })

    test('the link in a waiting mail is encrypted', async () => {
      await outbox.queueMail(service.database, invitation('bob@acme.example'))
      const [row] = await service.database.query<{ text: string }>(sql`
        select outbox::text || encode(sealed_values, 'escape') as text from outbox`)
      assert.ok(row && !row.text.includes('join/abc'))
    })

    test('a mail that is rejected, or finds no server, is sent later', async (context) => {
      server.rejectWith = 451
      const sending = startMailing(service, server)
      context.after(() => sending.stop())
      await outbox.queueMail(service.database, invitation('bob@acme.example'))
      await until(async () => (await problem())?.status === 451)
      assert.deepEqual(await problem(), { problem: 'REJECTED', status: 451, tries: 1 })
      assert.equal(server.received.length, 0)

      const { port } = server
      await server.close()
      await makeDue()
      await until(async () => (await problem())?.problem === 'UNREACHABLE')

      server = await startMailServer({ port })
      await makeDue()
      await until(async () => server.received.length === 1)
      await until(async () => (await waiting()) === 0)

      async function problem() {
        const [row] = await service.database.query<{ problem: string; status: number | null; tries: number }>(sql`
          select s.problem, s.problem_status as status, o.tries from outbox_status s
          join outbox o on o.organization_id = s.organization_id and o.channel = s.channel`)
        return row
      }
    })

    test('several processes send each mail once', async (context) => {
      const senders = [1, 2, 3].map(() => startMailing(service, server))
      for (const sending of senders) context.after(() => sending.stop())
      for (let number = 1; number <= 20; number += 1) {
        await outbox.queueMail(service.database, invitation(`member-${number}@acme.example`))
      }
      await until(async () => (await waiting()) === 0)
      const recipients = server.received.flatMap(({ to }) => to)
      assert.equal(recipients.length, 20)
      assert.equal(new Set(recipients).size, 20)
    })

    test('the mail of a process that died is sent by another one', async (context) => {
      await outbox.queueMail(service.database, invitation('bob@acme.example'))
      assert.ok(await claimMessage(service.database, 'email'))
      assert.equal(await claimMessage(service.database, 'email'), null)
      const sending = startMailing(service, server)
      context.after(() => sending.stop())
      await makeDue()
      await until(async () => server.received.length === 1)
    })

    test('a name can add neither a header nor a recipient', async (context) => {
      const sending = startMailing(service, server)
      context.after(() => sending.stop())
      const names = [
        'Acme\r\nBcc: eve@evil.example\r\n\r\nHello',
        'Acme\nBcc: eve@evil.example',
        'Acme\u2028Bcc: eve@evil.example\u202egnol',
        'Acme\u0000\u0085Bcc: eve@evil.example',
        'Acme" <eve@evil.example>, "x',
        'Acme =?utf-8?q?=0d=0aBcc:_eve@evil.example?=',
        `${'Ünïcode 👩‍🚀 '.repeat(60)}\ud800`,
      ]
      for (const name of names) {
        const before = server.received.length
        await outbox.queueMail(service.database, invitation('bob@acme.example', name))
        await until(async () => server.received.length === before + 1)
        const mail = server.received.at(-1)
        assert.deepEqual(mail?.to, ['bob@acme.example'], name)
        const [head = ''] = mail?.raw.split('\r\n\r\n') ?? []
        assert.doesNotMatch(head, /^(bcc|cc):/im, name)
        assert.equal(mail?.header('to'), 'bob@acme.example')
        assert.doesNotMatch(mail?.header('subject') ?? '', controlCharacters)
      }
    })

    test('so many may wait and no more', async () => {
      const reset = (to: string): NewMail => ({
        kind: 'password_reset',
        to,
        organizationId: null,
        values: { link: 'https://interviews.example/reset/x', expiresAt: '2026-03-01T14:00:00.000Z' },
      })
      for (const expected of ['queued', 'queued', 'queued', 'full']) {
        assert.equal(await outbox.queueMail(service.database, reset('bob@acme.example')), expected)
      }
      assert.equal(await outbox.queueMail(service.database, reset('eve@acme.example')), 'queued')
      await service.database.query(sql`update outbox set expires_at = now()`)
      assert.equal(
        await outbox.queueMail(service.database, reset('bob@acme.example')),
        'queued',
        'expired mail waits no more',
      )
    })

    test('a mail that is rejected for good is given up at once, and the problem is kept', async (context) => {
      server.rejectWith = 550
      await outbox.queueMail(service.database, invitation('bob@acme.example'))
      const sending = startMailing(service, server)
      context.after(() => sending.stop())
      await until(async () => (await waiting()) === 0)
      const { problem } = await channelStatus(service.database, organizationId, 'email')
      assert.deepEqual([problem?.problem, problem?.status], ['REJECTED', 550])
      assert.equal(server.received.length, 0)
    })

    test('a mail that another version queued, without what the text needs, is given up at once', async (context) => {
      await outbox.queueMail(service.database, invitation('bob@acme.example'))
      const [queued] = await service.database.query<{ id: string }>(sql`select id from outbox`)
      assert.ok(queued)
      const values = JSON.stringify({ organization: 'Acme', invitedBy: 'ada@acme.example', link: 'https://x.example' })
      await service.database.query(sql`
        update outbox set sealed_values = ${seal(service.secretsKey, values, queued.id)} where id = ${queued.id}`)
      const sending = startMailing(service, server)
      context.after(() => sending.stop())
      await until(async () => (await waiting()) === 0)
      const { problem } = await channelStatus(service.database, organizationId, 'email')
      assert.equal(problem?.problem, 'NOT_RENDERED')
      assert.equal(server.received.length, 0)
    })

    test('a mail that SECRETS_KEY cannot decrypt is postponed with its problem, and delays no other', async (context) => {
      const lost = createOutbox({ mailConfigured: true, secretsKey: randomBytes(32) })
      await service.database.query(sql`delete from outbox_status`)
      await lost.queueMail(service.database, invitation('ada@acme.example'))
      await outbox.queueMail(service.database, invitation('bob@acme.example'))
      const sending = startMailing(service, server)
      context.after(() => sending.stop())
      await until(async () => (await waiting()) === 1)
      assert.deepEqual(
        server.received.map(({ to }) => to),
        [['bob@acme.example']],
      )
      await until(async () => {
        const { problem } = await channelStatus(service.database, organizationId, 'email')
        return problem?.problem === 'NOT_RENDERED'
      })
    })

    test('a mail is given up when the next try would come too late', async (context) => {
      server.rejectWith = 451
      await outbox.queueMail(service.database, invitation('bob@acme.example'))
      await service.database.query(sql`update outbox set expires_at = now() + interval '10 seconds'`)
      const sending = startMailing(service, server)
      context.after(() => sending.stop())
      await until(async () => (await waiting()) === 0)
      assert.equal(server.received.length, 0)
    })
  })
}
