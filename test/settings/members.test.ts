import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { ActivityPage } from '../../server/http/settings/schemas.ts'
import type { Member } from '../../server/organizations/members.ts'
import { type Commands, commandsOf } from '../../support/commands.ts'
import { engines } from '../../support/engines.ts'
import { assertRefused } from '../../support/error-responses.ts'
import { type SignedInMember, signedInMember, signIn, trySignIn } from '../../support/members.ts'
import { type Partner, type Service, startService } from '../../support/service.ts'

const password = 'a password of their own'

for (const engine of engines) {
  describe(`members and the command line on ${engine.name}`, () => {
    let service: Service
    let partner: Partner
    let other: Partner
    let admin: SignedInMember
    let commands: Commands
    before(async () => {
      service = await startService(engine)
      partner = await service.partner({ name: 'Acme' })
      other = await service.partner({ name: 'Beta' })
      admin = await signedInMember(service, 'admin', partner.organizationId)
      commands = commandsOf(service)
    })
    after(() => service.close())

    const add = (email: string, role: string, { organizationId }: Partner, ...more: string[]) =>
      commands.json('member', 'add', '--organization', organizationId, '--email', email, '--role', role, ...more)
    const activity = async () => {
      const { body } = await admin.call<ActivityPage>('GET', `/organizations/${partner.organizationId}/activity`)
      return body.data.map(({ actor, action, subject, detail }) => [actor, action, subject, detail])
    }

    test('somebody new gets a password that is shown once, and signs in with it · SET-1', async () => {
      const added = await add(' Ada@Example.com ', 'viewer', partner, '--name', 'Ada')
      const made = String(added.password)
      assert.match(made, /^[\w-]{24}$/)
      assert.deepEqual(added, {
        email: 'ada@example.com',
        role: 'viewer',
        organizationId: partner.organizationId,
        password: made,
      })
      const { body } = await trySignIn(service, { email: 'ada@example.com', password: made })
      assert.deepEqual(body.user, { email: 'ada@example.com', name: 'Ada', secondFactor: false })
      const recorded = await activity()
      assert.deepEqual(recorded[0], ['command line', 'member.added', 'ada@example.com', 'viewer'])
      assert.ok(!JSON.stringify(recorded).includes(made))
      const text = await commands.run(
        ...['member', 'add', '--organization', partner.organizationId, '--email', 'text@example.com'],
        ...['--role', 'admin'],
      )
      assert.match(
        text.stdout,
        /^text@example.com is now an admin of org_\w+\.\n\nPassword: [\w-]{24}\n\nCopy it now\. You won't see it again\.\n$/,
      )
    })

    test('whoever is known already is let into another organization with the password they have', async () => {
      const first = await add('eve@example.com', 'admin', partner, '--password', password)
      assert.deepEqual(Object.keys(first), ['email', 'role', 'organizationId'], 'a given password is not repeated')
      const eve = await signIn(service, { email: 'eve@example.com', password })
      const second = await add('EVE@example.com', 'viewer', other)
      const { organizationId } = other
      const otherOrganizations = ['Acme']
      assert.deepEqual(second, { email: 'eve@example.com', role: 'viewer', organizationId, otherOrganizations })
      const repeated = [
        'member',
        'add',
        '--organization',
        organizationId,
        '--email',
        'eve@example.com',
        '--role',
        'viewer',
      ]
      const { stdout } = await commands.run(...repeated)
      assert.match(
        stdout,
        /is now a viewer of org_\w+\.\n\nThe account existed: eve@example.com is also a member of Acme\./,
      )
      const { body } = await eve.call<{ organizations: { name: string; role: string }[] }>('GET', '/session')
      assert.deepEqual(
        body.organizations.map(({ name, role }) => [name, role]),
        [
          ['Acme', 'admin'],
          ['Beta', 'viewer'],
        ],
      )
      const list = await commands.json<{ data: Member[] }>('member', 'list', '--organization', other.organizationId)
      assert.deepEqual(list, {
        data: [
          {
            id: list.data[0]?.id,
            email: 'eve@example.com',
            name: 'eve@example.com',
            role: 'viewer',
            organizationId: other.organizationId,
            createdAt: list.data[0]?.createdAt,
            lastSignInAt: list.data[0]?.lastSignInAt,
            secondFactor: false,
          },
        ],
        nextCursor: null,
      })
      const again = ['member', 'add', '--organization', other.organizationId, '--email', 'eve@example.com']
      assert.match(await commands.error(...again, '--role', 'admin', '--password', password), /already has an account/)
      await add('eve@example.com', 'admin', other)
      const keys = await eve.call('GET', `/organizations/${other.organizationId}/keys`)
      assert.equal(keys.status, 200, 'adding a member again gives another role')
    })

    test('whoever is removed is out at once, and signed out when nothing is left', async () => {
      for (const organization of [partner, other]) {
        const given = organization === partner ? ['--password', password] : []
        await add('mal@example.com', 'admin', organization, ...given)
      }
      const mal = await signIn(service, { email: 'mal@example.com', password })
      const remove = ({ organizationId }: Partner) =>
        commands.json('member', 'remove', '--organization', organizationId, '--email', 'Mal@example.com')
      assert.deepEqual(await remove(partner), {
        email: 'mal@example.com',
        role: 'admin',
        organizationId: partner.organizationId,
      })
      const keys = await mal.call('GET', `/organizations/${partner.organizationId}/keys`)
      assertRefused(keys, 404, 'Organization not found')
      assert.equal((await mal.call('GET', '/session')).status, 200)
      await remove(other)
      assertRefused(await mal.call('GET', '/session'), 401, 'Sign in first')
      assert.deepEqual((await activity())[0], ['command line', 'member.removed', 'mal@example.com', null])
      const gone = ['member', 'remove', '--organization', other.organizationId, '--email', 'mal@example.com']
      assert.match(await commands.error(...gone), /is not a member of/)
    })

    test('another password ends the sessions, and is in the activity without itself', async () => {
      await add('pat@example.com', 'viewer', partner, '--password', password)
      const pat = await signIn(service, { email: 'pat@example.com', password })
      const made = await commands.json('member', 'set-password', '--email', 'PAT@example.com')
      assert.deepEqual(made, { email: 'pat@example.com', password: made.password })
      assertRefused(await pat.call('GET', '/session'), 401, 'Sign in first')
      assert.equal((await trySignIn(service, pat)).status, 401)
      await signIn(service, { email: 'pat@example.com', password: String(made.password) })
      const recorded = await activity()
      assert.deepEqual(recorded[0], ['command line', 'member.password_set', 'pat@example.com', null])
      assert.ok(!JSON.stringify(recorded).includes(String(made.password)))
    })

    test('what is wrong is said, and nothing is changed', async () => {
      const wanted = ['member', 'add', '--organization', partner.organizationId]
      const before = await activity()
      const faults: [args: string[], message: RegExp][] = [
        [[...wanted, '--email', 'nobody', '--role', 'admin'], /--email must be an email address/],
        [[...wanted, '--email', 'jürgen@example.com', '--role', 'admin'], /--email must be an email address/],
        [[...wanted, '--email', 'a@example.com', '--role', 'owner'], /--role must be one of admin, viewer/],
        [[...wanted, '--email', 'a@example.com', '--role', 'admin', '--password', 'short'], /12 to 128 characters/],
        [
          ['member', 'add', '--organization', 'org_x', '--email', 'a@example.com', '--role', 'admin'],
          /no organization org_x/,
        ],
        [['member', 'list', '--organization', 'org_x'], /no organization org_x/],
        [['member', 'set-password', '--email', 'a@example.com'], /Nobody signs in as a@example.com/],
      ]
      for (const [args, message] of faults) assert.match(await commands.error(...args), message)
      assert.deepEqual(await activity(), before)
    })

    test('what is changed by the command line is in the activity, too · SET-6', async () => {
      const here = ['--organization', partner.organizationId]
      const { id } = await commands.json('key', 'create', ...here, '--label', 'ATS', '--scopes', 'results:read')
      await commands.json('key', 'revoke', '--id', String(id))
      await commands.json('webhook', 'set', ...here, '--url', 'https://127.0.0.1:8443/hook?token=hidden')
      for (const change of ['disable', 'enable', 'rotate', 'remove']) await commands.json('webhook', change, ...here)
      const recorded = (await activity()).slice(0, 7).reverse()
      const host = '127.0.0.1:8443'
      assert.deepEqual(recorded, [
        ['command line', 'key.created', `ATS (${id})`, 'results:read'],
        ['command line', 'key.revoked', `ATS (${id})`, null],
        ['command line', 'webhook.saved', host, null],
        ['command line', 'webhook.disabled', host, null],
        ['command line', 'webhook.enabled', host, null],
        ['command line', 'webhook.secret_changed', host, null],
        ['command line', 'webhook.removed', host, null],
      ])
    })
  })
}
