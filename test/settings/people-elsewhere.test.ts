import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import type { InvitationLink, MemberList, OpenInvitation } from '../../server/http/settings/member-schemas.ts'
import { type Commands, commandsOf } from '../../support/commands.ts'
import { engines } from '../../support/engines.ts'
import { assertRefused } from '../../support/error-responses.ts'
import { cookieIn, newMember, type SignedInMember, signedInMember, signIn, withCookie } from '../../support/members.ts'
import { raceOnLock } from '../../support/race-on-lock.ts'
import { appUrl, call, type Partner, type Service, startService } from '../../support/service.ts'

const password = 'a password of their own'
const taken = 'This address already has an account. Sign in with it to accept'

for (const engine of engines) {
  describe(`people of several organizations on ${engine.name}`, () => {
    let service: Service
    let [acme, beta]: Partner[] = []
    let admin: SignedInMember
    let betaAdmin: SignedInMember
    let commands: Commands
    before(async () => {
      service = await startService(engine)
      acme = await service.partner({ name: 'Acme' })
      beta = await service.partner({ name: 'Beta' })
      admin = await signedInMember(service, 'admin', idOf(acme))
      betaAdmin = await signedInMember(service, 'admin', idOf(beta))
      commands = commandsOf(service)
    })
    after(() => service.close())

    const idOf = (partner: Partner | undefined) => partner?.organizationId ?? ''
    const at = (partner: Partner | undefined, path: string) => `/organizations/${idOf(partner)}${path}`
    const anyone = <Body>(path: string, body: unknown, cookie = '') =>
      call<Body>(service.url, 'POST', `/settings/api${path}`, { origin: appUrl, ...(cookie && { cookie }) }, body)
    const invite = async (email: string, by = admin, to = acme) => {
      const { status, body, text } = await by.call<InvitationLink>('POST', at(to, '/member-invitations'), {
        email,
        role: 'viewer',
      })
      assert.equal(status, 201, text)
      return new URL(body.url ?? '').hash.slice(1)
    }
    const accept = (token: string, account: unknown = { name: 'Somebody', password }) =>
      anyone('/invitation/acceptance', { token, account })
    const memberIn = async (partner: Partner | undefined, by: SignedInMember, email: string) => {
      const { body } = await by.call<MemberList>('GET', at(partner, '/members'))
      return body.data.find((member) => member.email === email)
    }

    test('an invitation tells nobody whether its address has an account', async () => {
      const { email } = await newMember(service, 'viewer', idOf(beta))
      const tokens = [await invite(email), await invite('unused@example.com')]
      const both = <Result>(look: (token: string) => Promise<Result>) => Promise.all(tokens.map(look))
      const [known, unknown] = await both((token) => anyone<OpenInvitation>('/invitation', { token }))
      assert.deepEqual({ ...known?.body, email: '' }, { ...unknown?.body, email: '' })
      for (const look of [{ account: { name: 'Somebody', password: 'password1234' } }, {}]) {
        const [one, two] = await both((token) => anyone('/invitation/acceptance', { token, ...look }))
        assert.deepEqual([one?.status, one?.text], [two?.status, two?.text])
      }
    })

    test('of two invitations for somebody new that are accepted at once, one makes the account', async () => {
      const email = 'twice@example.com'
      const tokens = [await invite(email), await invite(email, betaAdmin, beta)]
      const requests = () => tokens.map((token) => accept(token))
      const hold = sql`lock table users in share row exclusive mode`
      const answers =
        engine.name === 'embedded' ? await Promise.all(requests()) : await raceOnLock(service.database, hold, requests)
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [204, 409])
      const [late] = answers.flatMap(({ status }, index) => (status === 409 ? [tokens[index]] : []))
      const { cookie } = await signIn(service, { email, password })
      assert.equal((await anyone('/invitation/acceptance', { token: late }, cookie)).status, 204, 'it is still open')
    })

    test('of two commands that add somebody new at once, the second says that it has to be repeated', async () => {
      if (engine.name === 'embedded') return // has a single connection
      const args = (partner: Partner | undefined) => [
        ...['member', 'add', '--organization', idOf(partner), '--email', 'added.twice@example.com'],
        ...['--role', 'viewer', '--json'],
      ]
      const hold = sql`lock table users in share row exclusive mode`
      const requests = () => [commands.run(...args(acme)), commands.run(...args(beta))]
      const results = await raceOnLock(service.database, hold, requests)
      assert.deepEqual(results.map(({ status }) => status).toSorted(), [0, 1])
      assert.match(results.map(({ stdout }) => stdout).join(), /Someone just created an account for/)
    })

    test('an admin cannot sign anyone out of organizations that they do not manage', async () => {
      const person = await signedInMember(service, 'viewer', idOf(acme), idOf(beta))
      const member = await memberIn(acme, admin, person.email)
      const path = at(acme, `/members/${member?.id}/sign-out`)
      assertRefused(await admin.call('POST', path), 403, /belongs to organizations you don’t manage/)
      assert.equal((await person.call('GET', '/session')).status, 200)
      const both = await signedInMember(service, 'admin', idOf(acme), idOf(beta))
      assert.deepEqual((await both.call('POST', path)).body, { ended: 1 })
      assertRefused(await person.call('GET', '/session'), 401, 'Sign in first')
    })

    test('an admin who only views the other organization manages nobody there', async () => {
      const person = await signedInMember(service, 'viewer', idOf(acme), idOf(beta))
      const visitor = await signedInMember(service, 'admin', idOf(acme))
      await commands.json('member', 'add', '--organization', idOf(beta), '--email', visitor.email, '--role', 'viewer')
      const path = at(acme, `/members/${(await memberIn(acme, admin, person.email))?.id}`)
      for (const [method, action] of [
        ['POST', '/sign-out'],
        ['POST', '/password-resets'],
        ['DELETE', '/second-factor'],
      ] as const) {
        assertRefused(await visitor.call(method, path + action), 403, /belongs to organizations you don’t manage/)
      }
    })

    test('the last sign-in is one that led to this organization', async () => {
      const person = await signedInMember(service, 'viewer', idOf(acme), idOf(beta))
      assert.equal((await person.call('GET', at(acme, '/deliveries'))).status, 200)
      assert.match((await memberIn(acme, admin, person.email))?.lastSignInAt ?? '', /^\d{4}-/)
      assert.equal((await memberIn(beta, betaAdmin, person.email))?.lastSignInAt, null)
    })

    test('a link opens an account that single sign-on left behind, unless it leads anywhere', async () => {
      const account = async (email: string) => {
        const person = await newMember(service, 'viewer', idOf(beta))
        await service.database.query(sql`update users set email = ${email} where email = ${person.email}`)
        await service.database.query(
          sql`delete from accounts a using users u where u.id = a.user_id and u.email = ${email}`,
        )
      }
      await account('still.there@example.com')
      assertRefused(await accept(await invite('still.there@example.com')), 409, taken)
      await account('left@example.com')
      const { id } = (await memberIn(beta, betaAdmin, 'left@example.com')) ?? {}
      assert.equal((await betaAdmin.call('DELETE', at(beta, `/members/${id}`))).status, 204)
      const joined = await accept(await invite('left@example.com'), { name: 'Back Again', password })
      assert.equal(joined.status, 204, joined.text)
      const back = withCookie(service, cookieIn(joined))
      assert.equal((await back.call('GET', at(acme, '/deliveries'))).status, 200)
      assert.equal((await memberIn(acme, admin, 'left@example.com'))?.name, 'Back Again')
    })
  })

  describe(`invitations by mail from several organizations on ${engine.name}`, () => {
    let service: Service
    before(async () => {
      service = await startService(engine, { mailConfigured: true })
    })
    after(() => service.close())

    const inviterOf = async (name: string) => {
      const { organizationId } = await service.partner({ name })
      const admin = await signedInMember(service, 'admin', organizationId)
      const path = `/organizations/${organizationId}/member-invitations`
      const invite = (email: string) => admin.call<InvitationLink>('POST', path, { email, role: 'viewer' })
      const newLink = (id: string) => admin.call('POST', `${path}/${id}/links`)
      return { organizationId, invite, newLink }
    }

    test('one organization cannot use up the invitations of another', async () => {
      const [one, other] = [await inviterOf('Acme'), await inviterOf('Beta')]
      for (let sent = 0; sent < 10; sent += 1) assert.equal((await one.invite('ada@example.com')).status, 201)
      assertRefused(await one.invite('ada@example.com'), 429, 'Too many attempts. Try again later')
      assert.equal((await other.invite('ada@example.com')).status, 201)
    })

    test('while too many emails wait, nobody is invited and the links already sent keep working', async () => {
      const { organizationId, invite, newLink } = await inviterOf('Crowded')
      const { body } = await invite('ada@example.com')
      const stored = () =>
        service.database.query(sql`
        select i.*, (select count(*) from activity where organization_id = ${organizationId}) as changes
        from member_invitations i where organization_id = ${organizationId}`)
      const before = await stored()
      assert.equal(before.length, 1)
      await service.database.query(sql`
        insert into outbox (id, channel, kind, organization_id, recipient, sealed_values, bucket, in_order, expires_at)
        select 'msg_waiting' || n, 'email', 'invitation', ${organizationId}, 'x@example.com', '', 
          'email invitation ' || ${organizationId}, false, now() + interval '1 hour' from generate_series(1, 200) n`)
      for (const refused of [
        await newLink(body.invitation.id),
        await invite('ada@example.com'),
        await invite('grace@example.com'),
      ]) {
        assertRefused(refused, 429, /Too many invitations are waiting to be emailed, so nothing was changed/)
      }
      assert.deepEqual(await stored(), before)
    })
  })
}
