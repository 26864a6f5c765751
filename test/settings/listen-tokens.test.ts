import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { ListenToken, ListenTokenPage, MintedListenToken } from '../../server/http/settings/listen-schemas.ts'
import type { ActivityPage } from '../../server/http/settings/schemas.ts'
import { maxListenTokens } from '../../server/listeners/listen-tokens.ts'
import { commandsOf } from '../../support/commands.ts'
import { engines } from '../../support/engines.ts'
import { assertRefused } from '../../support/error-responses.ts'
import { openListener } from '../../support/listener.ts'
import { type SignedInMember, signedInMember } from '../../support/members.ts'
import { eventually } from '../../support/process.ts'
import { apiUrl, type Service, startService } from '../../support/service.ts'

for (const engine of engines) {
  describe(`listen tokens on ${engine.name}`, () => {
    let service: Service
    let organizationId: string
    let admin: SignedInMember
    let path: string
    before(async () => {
      service = await startService(engine)
      organizationId = (await service.partner()).organizationId
      admin = await signedInMember(service, 'admin', organizationId)
      path = `/organizations/${organizationId}/listen-tokens`
    })
    after(() => service?.close())

    test('a token made in the settings works at once, is shown once, and ends when revoked', async () => {
      const { status, body: made } = await admin.call<MintedListenToken>('POST', path)
      assert.equal(status, 201)
      assert.match(made.token, /^listen_[\w-]{43}$/)
      assert.match(made.secret, /^whsec_[\w-]{43}$/)
      assert.equal(Date.parse(made.expiresAt) - service.time.now.getTime(), 24 * 3_600_000)
      const listener = await openListener(service.url, made.token)
      assert.partialDeepStrictEqual(await listener.message('ready'), { organization: 'Acme', secret: made.secret })

      const now = service.time.now.toISOString()
      const listed = await admin.call<ListenTokenPage>('GET', path)
      const { id, expiresAt } = made
      const shown = { id, createdBy: admin.email, createdAt: now, expiresAt, lastUsedAt: now, revokedAt: null }
      assert.deepEqual(listed.body, { enabled: true, serverUrl: apiUrl, data: [shown], nextCursor: null })
      assert.ok(!listed.text.includes(made.token) && !listed.text.includes(made.secret))
      assert.ok(!service.logged().includes(made.token))

      const revoked = await admin.call<ListenToken>('POST', `${path}/${id}/revocation`)
      assert.deepEqual(revoked.body, { ...shown, revokedAt: now })
      assert.deepEqual((await admin.call<ListenToken>('POST', `${path}/${id}/revocation`)).body, revoked.body)
      await listener.ended
      assertRefused(await admin.call('POST', `${path}/ltk_x/revocation`), 404, 'Listen token not found')
      const activity = await admin.call<ActivityPage>('GET', `/organizations/${organizationId}/activity`)
      assert.deepEqual(
        activity.body.data.slice(0, 2).map(({ actor, action, subject }) => [actor, action, subject]),
        [
          [admin.email, 'listen_token.revoked', id],
          [admin.email, 'listen_token.created', id],
        ],
      )
    })

    test('a token is in use for as long as somebody listens with it', async () => {
      const { body: made } = await admin.call<MintedListenToken>('POST', path)
      const listener = await openListener(service.url, made.token)
      await listener.message('ready')
      service.time.now = new Date(service.time.now.getTime() + 90_000)
      const lastUsedAt = async () => {
        const { data } = (await admin.call<ListenTokenPage>('GET', path)).body
        return data.find(({ id }) => id === made.id)?.lastUsedAt
      }
      assert.ok(await eventually(async () => (await lastUsedAt()) === service.time.now.toISOString()))
      await listener.leave()
    })

    test('the command line does the same', async () => {
      const commands = commandsOf(service)
      const made = await commands.json<MintedListenToken>('listen-token', 'create', '--organization', organizationId)
      assert.deepEqual(Object.keys(made), ['id', 'token', 'secret', 'expiresAt'])
      const listener = await openListener(service.url, made.token)
      await listener.leave()
      const listed = await commands.json<ListenTokenPage>('listen-token', 'list', '--organization', organizationId)
      assert.deepEqual([listed.data[0]?.id, listed.data[0]?.createdBy], [made.id, 'command line'])
      const one = ['--organization', organizationId, '--limit', '1']
      const list = async (...args: string[]) => (await commands.run('listen-token', 'list', ...args)).stdout
      const first = await commands.json<ListenTokenPage>('listen-token', 'list', ...one)
      const second = await commands.json<ListenTokenPage>(
        'listen-token',
        'list',
        ...one,
        '--cursor',
        `${first.nextCursor}`,
      )
      assert.deepEqual([first.data[0]?.id, second.data[0]?.id], [made.id, listed.data[1]?.id])
      assert.ok((await list(...one)).endsWith(`\n\nThere are more. Next page: --cursor ${first.nextCursor}\n`))
      const empty = (await service.partner()).organizationId
      assert.equal(await list('--organization', empty), 'No listen tokens yet.\n')
      const wrongCursor = await commands.error('listen-token', 'list', ...one, '--cursor', 'x')
      assert.equal(wrongCursor, '--cursor must be a value printed with an earlier page')
      const revoked = await commands.json<ListenToken>('listen-token', 'revoke', '--id', made.id)
      assert.equal(revoked.id, made.id)
      assert.notEqual(revoked.revokedAt, null)
      assert.equal(await commands.error('listen-token', 'revoke', '--id', 'ltk_x'), 'There is no listen token ltk_x')
      assert.match(await commands.error('listen-token', 'create', '--organization', 'org_x'), /org_x/)
      const { stdout } = await commands.run('listen-token', 'create', '--organization', organizationId)
      assert.match(
        stdout,
        /Token: +listen_[\w-]{43}\nSigning secret: whsec_.*\n\nCopy them now\. You won't see them again\./,
      )
      assert.match(await list('--organization', organizationId), /revoked/)
    })

    test('an organization has at most 20 in use, not counting expired ones · ROB-4', async () => {
      const crowded = (await service.partner()).organizationId
      const owner = await signedInMember(service, 'admin', crowded)
      const make = () => owner.call<MintedListenToken>('POST', `/organizations/${crowded}/listen-tokens`)
      const made = await Promise.all(Array.from({ length: maxListenTokens + 2 }, make))
      assert.equal(made.filter(({ status }) => status === 409).length, 2)
      const text = 'An organization has at most 20 listen tokens in use. Revoke one first'
      assertRefused(await make(), 409, text)
      service.time.now = new Date(service.time.now.getTime() + 24 * 3_600_000)
      const again = await signedInMember(service, 'admin', crowded)
      assert.equal((await again.call('POST', `/organizations/${crowded}/listen-tokens`)).status, 201)
    })

    test('with LISTEN=false the list says so, and none can be made', async () => {
      const off = await startService(engine, { listen: false })
      try {
        const { organizationId } = await off.partner()
        const owner = await signedInMember(off, 'admin', organizationId)
        const tokens = `/organizations/${organizationId}/listen-tokens`
        assert.equal((await owner.call<ListenTokenPage>('GET', tokens)).body.enabled, false)
        assertRefused(await owner.call('POST', tokens), 404, 'Listening is turned off on this server')
      } finally {
        await off.close()
      }
    })
  })
}
