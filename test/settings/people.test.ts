import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import type {
  InvitationLink,
  MemberList,
  OpenInvitation,
  ResetLink,
  SessionList,
} from '../../server/http/settings/member-schemas.ts'
import type { ActivityPage, Session } from '../../server/http/settings/schemas.ts'
import { type Commands, commandsOf } from '../../support/commands.ts'
import { engines } from '../../support/engines.ts'
import { assertRefused } from '../../support/error-responses.ts'
import { type MailServer, startMailing, startMailServer } from '../../support/mail-server.ts'
import {
  cookieIn,
  newMember,
  type SignedInMember,
  signedInMember,
  signIn,
  trySignIn,
  withCookie,
} from '../../support/members.ts'
import { eventually } from '../../support/process.ts'
import { type ApiResponse, appUrl, call, type Partner, type Service, startService } from '../../support/service.ts'

const password = 'a password of their own'
const invalid = 'This link has expired or was already used. Ask for a new one'

function tokenIn({ url }: InvitationLink): string {
  assert.ok(url)
  return new URL(url).hash.slice(1)
}

for (const engine of engines) {
  describe(`members in the settings area on ${engine.name}`, () => {
    let service: Service
    let partner: Partner
    let other: Partner
    let admin: SignedInMember
    let commands: Commands
    let count = 0
    before(async () => {
      service = await startService(engine)
      partner = await service.partner({ name: 'Acme' })
      other = await service.partner({ name: 'Beta' })
      admin = await signedInMember(service, 'admin', partner.organizationId)
      commands = commandsOf(service)
    })
    after(() => service.close())

    const here = (path: string) => `/organizations/${partner.organizationId}${path}`
    const anyone = <Body>(path: string, body: unknown, cookie = '') =>
      call<Body>(service.url, 'POST', `/settings/api${path}`, { origin: appUrl, ...(cookie && { cookie }) }, body)
    const someone = () => `invited.${++count}@example.com`
    const members = async () => (await admin.call<MemberList>('GET', here('/members'))).body
    const memberOf = async (email: string) => (await members()).data.find((one) => one.email === email)
    const idOf = async ({ email }: { email: string }) => (await memberOf(email))?.id ?? ''
    const lastChange = async (who = admin, { organizationId } = partner) => {
      const { body } = await who.call<ActivityPage>('GET', `/organizations/${organizationId}/activity`)
      const [last] = body.data
      return [last?.actor, last?.action, last?.subject, last?.detail]
    }
    const invite = async (email: string, role = 'viewer', by = admin) => {
      const made = await by.call<InvitationLink>('POST', here('/member-invitations'), { email, role })
      assert.equal(made.status, 201, made.text)
      return { ...made.body, token: tokenIn(made.body) }
    }
    const accept = (token: string, account: unknown = { name: 'Somebody', password }) =>
      anyone('/invitation/acceptance', { token, account })
    const later = async (minutes: number, work: () => Promise<void>) => {
      const { now } = service.time
      service.time.now = new Date(now.getTime() + minutes * 60_000)
      try {
        await work()
      } finally {
        service.time.now = now
      }
    }

    test('somebody is invited by a link, chooses a password and is in · SET-9', async () => {
      const email = someone()
      const { url, token, invitation } = await invite(email.toUpperCase())
      assert.ok(url?.startsWith(`${appUrl}/settings/invitation#`))
      assert.deepEqual([invitation.email, invitation.role], [email, 'viewer'])
      assert.deepEqual(await lastChange(), [admin.email, 'member.invited', email, 'viewer'])
      const { body } = await anyone<OpenInvitation>('/invitation', { token })
      assert.deepEqual(body, { organization: 'Acme', email, role: 'viewer', signedIn: false })
      assertRefused(await accept(token, { name: 'Ada', password: 'password1234' }), 400, /too common/)
      const joined = await accept(token, { name: ' Ada ', password })
      assert.equal(joined.status, 204, joined.text)
      const ada = withCookie(service, cookieIn(joined))
      const session = await ada.call<Session>('GET', '/session')
      assert.deepEqual(session.body.user, { email, name: 'Ada', secondFactor: false })
      assert.deepEqual(await lastChange(), [email, 'member.joined', email, 'viewer'])
      assert.equal((await ada.call('GET', here('/deliveries'))).status, 200)
      const listed = await memberOf(email)
      assert.equal(listed?.role, 'viewer')
      assert.match(listed?.lastSignInAt ?? '', /^\d{4}-/)
      assert.deepEqual((await members()).invitations, [])
      assertRefused(await accept(token), 410, invalid)
      assertRefused(await anyone('/invitation', { token }), 410, invalid)
    })

    test('a link is stored as a hash, and its token is in no log and no list', async () => {
      const { token } = await invite(someone())
      const id = await idOf(await newMember(service, 'viewer', partner.organizationId))
      const reset = await admin.call<ResetLink>('POST', here(`/members/${id}/password-resets`))
      const resetToken = new URL(reset.body.url).hash.slice(1)
      const stored = JSON.stringify([
        await service.database.query(sql`select * from member_invitations`),
        await service.database.query(sql`select * from password_resets`),
        await service.database.query(sql`select * from activity`),
        await members(),
      ])
      for (const secret of [token, resetToken]) {
        assert.equal(secret.length, 43)
        assert.ok(!stored.includes(secret) && !service.logged().includes(secret))
      }
    })

    test('of two who follow one link at once, one gets in', async () => {
      const email = someone()
      const { token } = await invite(email)
      const answers = await Promise.all([accept(token), accept(token), accept(token)])
      assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 410, 410])
      assert.equal((await members()).data.filter((one) => one.email === email).length, 1)
    })

    test('a link ends after seven days, when it is sent again, and when it is withdrawn', async () => {
      const { token, invitation } = await invite(someone())
      await later(7 * 24 * 60, async () => assertRefused(await accept(token), 410, invalid))
      const renewed = await admin.call<InvitationLink>('POST', here(`/member-invitations/${invitation.id}/links`))
      assert.equal(renewed.status, 201, renewed.text)
      assert.deepEqual((await lastChange()).slice(0, 3), [admin.email, 'member.invitation_renewed', invitation.email])
      assertRefused(await accept(token), 410, invalid)
      const next = tokenIn(renewed.body)
      assert.equal((await anyone('/invitation', { token: next })).status, 200)
      const again = await invite(invitation.email, 'admin')
      assertRefused(await accept(next), 410, invalid)
      assert.equal((await admin.call('DELETE', here(`/member-invitations/${invitation.id}`))).status, 204)
      assertRefused(await accept(again.token), 410, invalid)
      assertRefused(
        await admin.call('DELETE', here(`/member-invitations/${invitation.id}`)),
        404,
        'Invitation not found',
      )
    })

    test('half a character is no part of a name', async () => {
      const { token } = await invite('half@example.com')
      const account = { name: 'Ada \ud83d', password: 'correct horse battery' }
      const fault = 'account.name must be text without control characters or unpaired surrogates'
      assertRefused(await anyone('/invitation/acceptance', { token, account }), 400, fault)
    })

    test('a link accepts only so many passwords: each costs a hash', async () => {
      const person = await signedInMember(service, 'viewer', other.organizationId)
      const { token } = await invite(person.email)
      for (let count = 0; count < 20; count += 1) assert.equal((await accept(token)).status, 409)
      assert.equal((await accept(token)).status, 429)
    })

    test('who has an account accepts with it: the link alone opens nothing', async () => {
      const person = await signedInMember(service, 'viewer', other.organizationId)
      const { token } = await invite(person.email, 'admin')
      const taken = 'This address already has an account. Sign in with it to accept'
      assertRefused(await accept(token), 409, taken)
      assertRefused(await anyone('/invitation/acceptance', { token }), 409, taken)
      assertRefused(await anyone('/invitation/acceptance', { token }, admin.cookie), 409, taken)
      const seenBy = async (cookie: string) => (await anyone<OpenInvitation>('/invitation', { token }, cookie)).body
      assert.deepEqual([(await seenBy(admin.cookie)).signedIn, (await seenBy(person.cookie)).signedIn], [false, true])
      const joined = await anyone('/invitation/acceptance', { token }, person.cookie)
      assert.equal(joined.status, 204, joined.text)
      const { body } = await person.call<Session>('GET', '/session')
      assert.deepEqual(
        body.organizations.map(({ name, role }) => [name, role]),
        [
          ['Acme', 'admin'],
          ['Beta', 'viewer'],
        ],
      )
      const twice = await admin.call('POST', here('/member-invitations'), { email: person.email, role: 'viewer' })
      assertRefused(twice, 409, 'This person is already a member')
      const wrong = await admin.call('POST', here('/member-invitations'), { email: 'nobody', role: 'viewer' })
      assertRefused(wrong, 400, 'email must be an email address such as ada@example.com')
    })

    test('a role changes at once, and an admin can lose it', async () => {
      const person = await signedInMember(service, 'viewer', partner.organizationId)
      const id = await idOf(person)
      assert.equal((await person.call('GET', here('/keys'))).status, 403)
      assert.equal((await admin.call('PATCH', here(`/members/${id}`), { role: 'admin' })).status, 204)
      assert.equal((await person.call('GET', here('/keys'))).status, 200)
      assert.deepEqual(await lastChange(), [admin.email, 'member.role_changed', person.email, 'admin'])
      assert.equal((await admin.call('PATCH', here(`/members/${id}`), { role: 'viewer' })).status, 204)
      assert.equal((await person.call('GET', here('/keys'))).status, 403)
      assert.equal((await admin.call('DELETE', here(`/members/${id}`))).status, 204)
      assertRefused(await person.call('GET', '/session'), 401, 'Sign in first')
      assertRefused(await admin.call('DELETE', here(`/members/${id}`)), 404, 'Member not found')
    })

    test('the last admin stays one, also when two leave at once · SET-9', async () => {
      const place = await service.partner({ name: 'Gamma' })
      const one = await signedInMember(service, 'admin', place.organizationId)
      const two = await signedInMember(service, 'admin', place.organizationId)
      const there = `/organizations/${place.organizationId}/members`
      const { body } = await one.call<MemberList>('GET', there)
      const idIn = (person: SignedInMember) => body.data.find(({ email }) => email === person.email)?.id
      const answers = await Promise.all([
        one.call('DELETE', `${there}/${idIn(one)}`),
        two.call('PATCH', `${there}/${idIn(two)}`, { role: 'viewer' }),
      ])
      const statuses = answers.map(({ status }) => status)
      assert.deepEqual(statuses.toSorted(), [204, 409], answers.map(({ text }) => text).join())
      const last = statuses[0] === 204 ? two : one
      const refusal = 'An organization needs at least one admin. Make someone else an admin first'
      assertRefused(await last.call('DELETE', `${there}/${idIn(last)}`), 409, refusal)
      assertRefused(await last.call('PATCH', `${there}/${idIn(last)}`, { role: 'viewer' }), 409, refusal)
      const named = ['--organization', place.organizationId, '--email', last.email]
      assert.match(await commands.error('member', 'remove', ...named), /is the only admin/)
      assert.match(await commands.error('member', 'role', ...named, '--role', 'viewer'), /is the only admin/)
      assert.match(await commands.error('member', 'add', ...named, '--role', 'viewer'), /is the only admin/)
    })

    test('sessions are listed with device and address, and ended one by one or all others', async () => {
      const person = await newMember(service, 'viewer', partner.organizationId)
      const from = async (address: string, agent: string) =>
        withCookie(
          service,
          cookieIn(await trySignIn(service, person, { 'x-forwarded-for': address, 'user-agent': agent })),
        )
      const first = await from('198.51.100.1', 'First Browser')
      const second = await from('198.51.100.2', 'Second Browser')
      const third = await from('198.51.100.3', 'x'.repeat(500))
      const list = async () => (await first.call<SessionList>('GET', '/sessions')).body.data
      const seen = (await list()).map(({ address, userAgent, current }) => [address, userAgent?.length, current])
      assert.deepEqual(seen.toSorted(), [
        ['198.51.100.1', 13, true],
        ['198.51.100.2', 14, false],
        ['198.51.100.3', 300, false],
      ])
      const secondId = (await list()).find(({ userAgent }) => userAgent === 'Second Browser')?.id
      assertRefused(await admin.call('DELETE', `/sessions/${secondId}`), 404, 'Session not found')
      assert.equal((await first.call('DELETE', `/sessions/${secondId}`)).status, 204)
      assertRefused(await second.call('GET', '/session'), 401, 'Sign in first')
      assert.deepEqual((await first.call('DELETE', '/sessions')).body, { ended: 1 })
      assertRefused(await third.call('GET', '/session'), 401, 'Sign in first')
      assert.equal((await list()).length, 1)
      await later(2, async () => {
        await first.call('GET', '/session')
        assert.equal((await list())[0]?.lastSeenAt, service.time.now.toISOString())
      })
      const id = await idOf(person)
      assert.deepEqual((await admin.call('POST', here(`/members/${id}/sign-out`))).body, { ended: 1 })
      assertRefused(await first.call('GET', '/session'), 401, 'Sign in first')
      assert.deepEqual(await lastChange(), [admin.email, 'member.signed_out', person.email, '1 session'])
    })

    test('an admin makes a reset link, which works once, for two hours, and ends every session', async () => {
      const person = await signedInMember(service, 'viewer', partner.organizationId)
      const id = await idOf(person)
      const link = async () => {
        const { body, status } = await admin.call<ResetLink>('POST', here(`/members/${id}/password-resets`))
        assert.equal(status, 201)
        return new URL(body.url).hash.slice(1)
      }
      const reset = (token: string, next = 'quite another horse') =>
        anyone('/password-reset', { token, password: next })
      const [first, second] = [await link(), await link()]
      assert.deepEqual((await lastChange()).slice(0, 3), [admin.email, 'member.reset_link_created', person.email])
      await later(120, async () => assertRefused(await reset(first), 410, invalid))
      assertRefused(await reset(first, 'password1234'), 400, /too common/)
      const answers = await Promise.all([reset(first), reset(first), reset(first)])
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [204, 410, 410])
      assertRefused(await reset(second), 410, invalid)
      assertRefused(await person.call('GET', '/session'), 401, 'Sign in first')
      await signIn(service, { email: person.email, password: 'quite another horse' })
      const named = ['--organization', partner.organizationId, '--email', person.email]
      const made = await commands.json<{ url: string }>('member', 'reset-link', ...named)
      assert.equal((await reset(new URL(made.url).hash.slice(1))).status, 204)
    })

    test('no admin gets into another organization by resetting a shared member', async () => {
      const person = await signedInMember(service, 'viewer', partner.organizationId, other.organizationId)
      const id = await idOf(person)
      const refusal = /belongs to organizations you don’t manage/
      assertRefused(await admin.call('POST', here(`/members/${id}/password-resets`)), 403, refusal)
      assertRefused(await admin.call('DELETE', here(`/members/${id}/second-factor`)), 403, refusal)
      const both = await signedInMember(service, 'admin', partner.organizationId, other.organizationId)
      assert.equal((await both.call('POST', here(`/members/${id}/password-resets`))).status, 201)
    })

    test('a reset link ends when its member joins another organization', async () => {
      const person = await signedInMember(service, 'viewer', partner.organizationId)
      const { body } = await admin.call<ResetLink>('POST', here(`/members/${await idOf(person)}/password-resets`))
      await commands.json(
        'member',
        'add',
        '--organization',
        other.organizationId,
        '--email',
        person.email,
        '--role',
        'viewer',
      )
      const token = new URL(body.url).hash.slice(1)
      assertRefused(await anyone('/password-reset', { token, password: 'quite another horse' }), 410, invalid)
    })

    test('without mail, whoever forgot the password is told to ask an admin', async () => {
      const { body } = await call<{ mail: boolean }>(service.url, 'GET', '/settings/api/sign-in', {})
      assert.deepEqual(body, { mail: false })
      const refused = await anyone('/password-resets', { email: admin.email })
      assertRefused(refused, 409, 'This server sends no email. Ask an admin for a reset link')
    })
  })

  describe(`members and mail on ${engine.name}`, () => {
    let service: Service
    let partner: Partner
    let admin: SignedInMember
    let mail: MailServer
    let sending: ReturnType<typeof startMailing>
    before(async () => {
      service = await startService(engine, { mailConfigured: true })
      mail = await startMailServer()
      sending = startMailing(service, mail)
      partner = await service.partner({ name: 'Acme' })
      admin = await signedInMember(service, 'admin', partner.organizationId)
    })
    after(async () => {
      await sending.stop()
      await mail.close()
      await service.close()
    })

    /** The link in the next email to this address. */
    async function linkFor(address: string): Promise<string> {
      assert.ok(await eventually(async () => mail.received.some(({ to }) => to.includes(address))), 'no email came')
      const index = mail.received.findIndex(({ to }) => to.includes(address))
      const [received] = mail.received.splice(index, 1)
      return /https:\/\/\S+#[\w-]{43}/.exec(received?.text ?? '')?.[0] ?? ''
    }

    const forgot = (email: string, address = '198.51.100.1'): Promise<ApiResponse> =>
      call(
        service.url,
        'POST',
        '/settings/api/password-resets',
        { origin: appUrl, 'x-forwarded-for': address },
        { email },
      )

    test('an invitation is mailed, and only its recipient gets the link · SET-9', async () => {
      const path = `/organizations/${partner.organizationId}/member-invitations`
      const invited = await admin.call<InvitationLink>('POST', path, { email: 'new@example.com', role: 'viewer' })
      assert.equal(invited.body.url, null)
      const token = new URL(await linkFor('new@example.com')).hash.slice(1)
      assert.ok(!invited.text.includes(token))
      const renewed = await admin.call<InvitationLink>('POST', `${path}/${invited.body.invitation.id}/links`)
      assert.equal(renewed.body.url, null)
      assert.notEqual(new URL(await linkFor('new@example.com')).hash.slice(1), token)
    })

    test('a forgotten password is reset by mail, and the answer tells nobody who has an account · SET-9', async () => {
      const known = await forgot(admin.email.toUpperCase())
      const unknown = await forgot('nobody@example.com')
      assert.deepEqual([known.status, known.text], [202, ''])
      assert.deepEqual([unknown.status, unknown.text], [202, ''])
      const token = new URL(await linkFor(admin.email)).hash.slice(1)
      assert.deepEqual(
        mail.received.filter(({ to }) => to.includes('nobody@example.com')),
        [],
      )
      const reset = { token, password: 'quite another horse' }
      const done = await call(service.url, 'POST', '/settings/api/password-reset', { origin: appUrl }, reset)
      assert.equal(done.status, 204, done.text)
      await signIn(service, { email: admin.email, password: 'quite another horse' })
    })

    test('asking for links is throttled by network, and the owner can still ask from elsewhere · ROB-4', async () => {
      const { email } = await newMember(service, 'viewer', partner.organizationId)
      for (let asked = 0; asked < 10; asked += 1) assert.equal((await forgot(email, '198.51.100.9')).status, 202)
      assertRefused(await forgot(email, '198.51.100.9'), 429, 'Too many attempts. Try again later')
      assert.equal((await forgot(email, '198.51.100.10')).status, 202)
    })
  })
}
