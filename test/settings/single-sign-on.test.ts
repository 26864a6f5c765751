import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import sql from 'sql-template-tag'
import { admitToOrganization } from '../../server/auth/sign-on-member.ts'
import { sealedSignOn, signOnSecret } from '../../server/auth/sign-on-settings.ts'
import { createUnseal } from '../../server/endpoints/secrets.ts'
import { reencryptSecrets } from '../../server/endpoints/secrets-key.ts'
import type { InvitationLink, SecondFactorStart, SessionList } from '../../server/http/settings/member-schemas.ts'
import type { ActivityPage, Session } from '../../server/http/settings/schemas.ts'
import type { CurrentSignOn, SignOnRedirect } from '../../server/http/settings/signon-schemas.ts'
import { createDestinationGuard } from '../../server/outbound/destination.ts'
import { type Commands, commandsOf } from '../../support/commands.ts'
import { engines } from '../../support/engines.ts'
import { assertRefused } from '../../support/error-responses.ts'
import {
  cookieIn,
  newMember,
  type SignedInMember,
  signedInMember,
  signIn,
  trySignIn,
  withCookie,
} from '../../support/members.ts'
import { oneTimeCode } from '../../support/one-time-codes.ts'
import { raceOnLock } from '../../support/race-on-lock.ts'
import { type Receiver, startReceiver } from '../../support/receiver.ts'
import { appUrl, call, type Partner, type Service, startService } from '../../support/service.ts'

const clientSecret = 'the client secret of Acme'

/** A provider that can be told to lie. */
async function startLiar() {
  const receiver = await startReceiver({ names: ['127.0.0.1'] })
  const issuer = receiver
    .url('')
    .replace(/\/$/, '')
    .replace(/\/\/[^:]+:/, '//127.0.0.1:')
  const keys = await generateKeyPair('ES256')
  const jwk = { ...(await exportJWK(keys.publicKey)), alg: 'ES256', kid: 'one' }
  const lies = {
    document: {} as Record<string, unknown>,
    claims: {} as JWTPayload,
    sign: null as null | ((claims: JWTPayload) => Promise<string>),
    tokenStatus: 200,
  }
  receiver.answer(async ({ url }) => {
    const json = (body: unknown, status = 200) => ({
      status,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (url.startsWith('/.well-known/')) {
      return json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        ...lies.document,
      })
    }
    if (url.startsWith('/keys')) return json({ keys: [jwk] })
    if (url.startsWith('/token')) {
      const claims = { iss: issuer, aud: 'acme', sub: 'somebody', ...lies.claims }
      const sign =
        lies.sign ??
        ((payload: JWTPayload) =>
          new SignJWT(payload)
            .setProtectedHeader({ alg: 'ES256', kid: 'one' })
            .setIssuedAt()
            .setExpirationTime(payload.exp ?? '5m')
            .sign(keys.privateKey))
      return json({ id_token: await sign(claims), access_token: 'x', token_type: 'Bearer' }, lies.tokenStatus)
    }
    return json({}, 404)
  })
  const reset = () => Object.assign(lies, { document: {}, claims: {}, sign: null, tokenStatus: 200 })
  return { receiver, issuer, lies, reset }
}

for (const engine of engines) {
  describe(`single sign-on on ${engine.name}`, () => {
    let liar: Awaited<ReturnType<typeof startLiar>>
    let receiver: Receiver
    let service: Service
    let partner: Partner
    let admin: SignedInMember
    let commands: Commands
    before(async () => {
      liar = await startLiar()
      receiver = liar.receiver
      const guard = createDestinationGuard({ resolve: async () => [], allowCidrs: ['127.0.0.0/8'] })
      service = await startService(engine, { guard, destinationCa: receiver.ca, secretsKey: randomBytes(32) })
      partner = await service.partner({ name: 'Acme' })
      admin = await signedInMember(service, 'admin', partner.organizationId)
      commands = commandsOf(service)
    })
    after(async () => {
      await service.close()
      await receiver.close()
    })

    const here = (path: string) => `/organizations/${partner.organizationId}${path}`
    const settings = (changes: object = {}) => ({
      issuer: liar.issuer,
      clientId: 'acme',
      clientSecret,
      domain: 'acme.example',
      ...changes,
    })
    const save = (changes: object = {}) => admin.call<CurrentSignOn>('PUT', here('/single-sign-on'), settings(changes))
    const confirm = (domain = 'acme.example') =>
      commands.json('organization', 'confirm-domain', '--id', partner.organizationId, '--domain', domain)
    const start = (email: string, next?: string) => {
      const body = { email, ...(next && { next }) }
      return call<SignOnRedirect>(service.url, 'POST', '/settings/api/single-sign-on', { origin: appUrl }, body)
    }
    const comeBack = (cookie: string, query: Record<string, string>) =>
      fetch(`${service.url}/settings/api/single-sign-on/callback?${new URLSearchParams(query)}`, {
        headers: { cookie },
        redirect: 'manual',
      })

    async function signOn(email: string, changes: JWTPayload = {}) {
      const begun = await start(email)
      assert.equal(begun.status, 200, begun.text)
      const url = new URL(begun.body.url)
      const nonce = url.searchParams.get('nonce') ?? ''
      liar.lies.claims = { email, nonce, ...changes }
      const answer = await comeBack(cookieIn(begun), { code: 'x', state: url.searchParams.get('state') ?? '' })
      return { location: answer.headers.get('location'), cookie: cookieOf(answer), answer }
    }
    const cookieOf = (answer: Response) =>
      answer.headers
        .getSetCookie()
        .map((line) => line.split(';')[0] ?? '')
        .find((pair) => pair.includes('session_token='))

    /** A member of Acme with an address in its domain. */
    async function colleague() {
      const person = await newMember(service, 'viewer', partner.organizationId)
      const email = `colleague.${randomBytes(4).toString('hex')}@acme.example`
      await service.database.query(sql`update users set email = ${email} where email = ${person.email}`)
      return { ...person, email }
    }

    test('an admin sets it up; nobody uses it before the operator confirms the domain · SET-10', async () => {
      liar.reset()
      const saved = await save()
      assert.equal(saved.status, 200, saved.text)
      assert.deepEqual(saved.body, {
        settings: { issuer: liar.issuer, clientId: 'acme', domain: 'acme.example', domainConfirmedAt: null },
        redirectUri: `${appUrl}/settings/api/single-sign-on/callback`,
      })
      const { body } = await admin.call<ActivityPage>('GET', here('/activity'))
      assert.deepEqual([body.data[0]?.action, body.data[0]?.subject], ['single_sign_on.saved', 'acme.example'])
      const refusal = 'There is no single sign-on for this address. Sign in with your password'
      assertRefused(await start('a@acme.example'), 404, refusal)
      await confirm()
      assert.equal((await start('a@ACME.example')).status, 200)
      assertRefused(await start('a@other.example'), 404, refusal)
      const stored = JSON.stringify(await service.database.query(sql`select * from single_sign_on`))
      assert.ok(!stored.includes(clientSecret) && !service.logged().includes(clientSecret))

      const second = await service.partner({ name: 'Squatter' })
      const squatter = await signedInMember(service, 'admin', second.organizationId)
      await squatter.call('PUT', `/organizations/${second.organizationId}/single-sign-on`, settings())
      const args = ['organization', 'confirm-domain', '--id', second.organizationId, '--domain', 'acme.example']
      assert.match(await commands.error(...args), /Another organization already uses/)
    })

    test('a member signs on, and the session is good for that organization only · SET-10', async () => {
      liar.reset()
      await save()
      await confirm()
      const other = await service.partner({ name: 'Beta' })
      const person = await colleague()
      await service.database.query(sql`
        insert into members (organization_id, user_id, role, created_at)
        select ${other.organizationId}, id, 'admin', now() from users where email = ${person.email}`)
      const { location, cookie } = await signOn(person.email)
      assert.equal(location, '/settings')
      const session = withCookie(service, cookie ?? '')
      const { body } = await session.call<Session>('GET', '/session')
      assert.deepEqual([body.singleSignOn, body.organizations.map(({ name }) => name)], [true, ['Acme']])
      assert.equal((await session.call('GET', here('/deliveries'))).status, 200)
      assertRefused(
        await session.call('GET', `/organizations/${other.organizationId}/deliveries`),
        404,
        'Organization not found',
      )
      const [user] = await service.database.query<{ id: string }>(sql`
        update members m set role = 'admin' from users u where u.id = m.user_id and u.email = ${person.email} returning u.id`)
      const elsewhere = await session.call('POST', here(`/members/${user?.id}/password-resets`))
      assertRefused(elsewhere, 403, /organizations you don’t manage/)
      const password = await trySignIn(service, person)
      assert.equal((await session.call<SessionList>('GET', '/sessions')).body.data.length, 1, 'only their own')
      assert.deepEqual((await session.call('DELETE', '/sessions')).body, { ended: 0 })
      assert.equal((await withCookie(service, cookieIn(password)).call('GET', '/session')).status, 200)
      assert.equal((await admin.call('DELETE', here('/single-sign-on'))).status, 204)
      assertRefused(await session.call('GET', '/session'), 401, 'Sign in first')
    })

    test('who is invited joins by signing on; who is not, or has an account elsewhere, is refused', async () => {
      liar.reset()
      await save()
      await confirm()
      const stranger = await signOn('stranger@acme.example')
      assert.deepEqual([stranger.location, stranger.cookie], ['/settings/sign-in?refused=not_member', undefined])
      const invited = await admin.call<InvitationLink>('POST', here('/member-invitations'), {
        email: 'new@acme.example',
        role: 'viewer',
      })
      assert.equal(invited.status, 201, invited.text)
      const { cookie } = await signOn('new@acme.example', { name: 'New Colleague' })
      const { body } = await withCookie(service, cookie ?? '').call<Session>('GET', '/session')
      assert.deepEqual(body.user, { email: 'new@acme.example', name: 'New Colleague', secondFactor: false })
      assert.equal((await trySignIn(service, { email: 'new@acme.example', password: '' })).status, 400)

      const place = await service.partner({ name: 'Elsewhere' })
      const planted = await newMember(service, 'viewer', place.organizationId)
      const email = 'planted@acme.example'
      await service.database.query(sql`update users set email = ${email} where email = ${planted.email}`)
      await admin.call('POST', here('/member-invitations'), { email, role: 'admin' })
      assert.equal((await signOn(email)).location, '/settings/sign-in?refused=not_member')
    })

    test('a provider’s session cannot weaken the second factor that protects other organizations', async () => {
      liar.reset()
      await save()
      await confirm()
      const person = await colleague()
      const owner = await signIn(service, person)
      const { body } = await owner.call<SecondFactorStart>('POST', '/second-factor', { password: person.password })
      const code = oneTimeCode(body.secret)
      assert.equal((await owner.call('POST', '/second-factor/confirmation', { code })).status, 204)
      const session = withCookie(service, (await signOn(person.email)).cookie ?? '')
      for (const path of ['/second-factor/removal', '/second-factor/recovery-codes']) {
        const refused = await session.call('POST', path, { password: person.password })
        assertRefused(refused, 403, /Sign in with your password/)
      }
      assert.equal((await trySignIn(service, person)).status, 202, 'a code is still asked for')
    })

    test('who was removed and is invited again joins again by signing on', async () => {
      liar.reset()
      await save()
      await confirm()
      const email = 'again@acme.example'
      const invite = () => admin.call('POST', here('/member-invitations'), { email, role: 'viewer' })
      for (const time of ['first', 'second']) {
        assert.equal((await invite()).status, 201)
        const { location, cookie } = await signOn(email, { name: 'Nu\u0000ll' })
        assert.equal(location, '/settings', time)
        const { body } = await withCookie(service, cookie ?? '').call<Session>('GET', '/session')
        assert.equal(body.user.name, email, 'a name with control characters is not used')
        const [user] = await service.database.query<{ id: string }>(sql`select id from users where email = ${email}`)
        assert.equal((await admin.call('DELETE', here(`/members/${user?.id}`))).status, 204)
      }
    })

    test('somebody new who signs on twice at once is let in twice', async () => {
      if (engine.name === 'embedded') return // has a single connection
      const { organizationId } = partner
      const email = 'eager@acme.example'
      await admin.call('POST', here('/member-invitations'), { email, role: 'viewer' })
      const { database, time } = service
      const admit = () =>
        database.transaction((transaction) =>
          admitToOrganization(transaction, { organizationId, email, name: null }, time.now),
        )
      const hold = sql`select from member_invitations where email = ${email} for update`
      const [one, two] = await raceOnLock(database, hold, () => [admit(), admit()])
      assert.ok(one)
      assert.equal(one, two)
    })

    test('saving counts as a check, so that nobody probes other hosts with it · ROB-4', async () => {
      liar.reset()
      await service.database.query(sql`
        insert into check_windows (organization_id, minute, used)
        values (${partner.organizationId}, floor(extract(epoch from now()) / 60)::bigint + 1, 30)
        on conflict (organization_id) do update set minute = excluded.minute, used = excluded.used`)
      assertRefused(await save(), 429, 'Too many checks. Try again later')
      await service.database.query(sql`delete from check_windows`)
    })

    test('another domain is refused, whatever the provider says · SET-10', async () => {
      liar.reset()
      await save()
      await confirm()
      const { location } = await signOn('a@acme.example', { email: admin.email })
      assert.equal(location, '/settings/sign-in?refused=wrong_domain')
      const sub = await signOn('a@acme.example', { email: 'a@evil.acme.example' })
      assert.equal(sub.location, '/settings/sign-in?refused=wrong_domain')
    })

    test('a token that is forged, old, for someone else, or unverified is refused', async () => {
      liar.reset()
      await save()
      await confirm()
      const person = await colleague()
      const failed = '/settings/sign-in?refused=failed'
      const wrongClaims: JWTPayload[] = [
        { nonce: 'another' },
        { aud: 'another client' },
        { aud: ['acme', 'another'], azp: 'another' },
        { iss: 'https://evil.example' },
        { exp: Math.floor(Date.now() / 1000) - 3_600 },
        { email_verified: false },
      ]
      for (const changes of wrongClaims) {
        assert.equal((await signOn(person.email, changes)).location, failed, JSON.stringify(changes))
      }
      liar.lies.sign = (claims) =>
        new SignJWT(claims)
          .setProtectedHeader({ alg: 'HS256' })
          .setIssuedAt()
          .setExpirationTime('5m')
          .sign(new TextEncoder().encode(clientSecret))
      assert.equal((await signOn(person.email)).location, failed)
      const { privateKey } = await generateKeyPair('ES256')
      liar.lies.sign = (claims) =>
        new SignJWT(claims)
          .setProtectedHeader({ alg: 'ES256', kid: 'one' })
          .setIssuedAt()
          .setExpirationTime('5m')
          .sign(privateKey)
      assert.equal((await signOn(person.email)).location, failed)
      liar.reset()
      liar.lies.tokenStatus = 400
      assert.equal((await signOn(person.email)).location, failed)
      liar.reset()
      assert.equal((await signOn(person.email)).location, '/settings')
    })

    test('the answer must come back to the browser that asked, in time, and leads nowhere else', async () => {
      liar.reset()
      await save()
      await confirm()
      const person = await colleague()
      const begun = await start(person.email, 'https://evil.example/')
      const url = new URL(begun.body.url)
      const state = url.searchParams.get('state') ?? ''
      liar.lies.claims = { email: person.email, nonce: url.searchParams.get('nonce') ?? '' }
      const expired = '/settings/sign-in?refused=expired'
      assert.equal((await comeBack('', { code: 'x', state })).headers.get('location'), expired)
      assert.equal((await comeBack(cookieIn(begun), { code: 'x', state: 'other' })).headers.get('location'), expired)
      assert.equal((await comeBack('settings.sign_on=AAAA', { code: 'x', state })).headers.get('location'), expired)
      const { now } = service.time
      service.time.now = new Date(now.getTime() + 10 * 60_000)
      assert.equal((await comeBack(cookieIn(begun), { code: 'x', state })).headers.get('location'), expired)
      service.time.now = now
      const done = await comeBack(cookieIn(begun), { code: 'x', state })
      assert.equal(done.headers.get('location'), '/settings')
    })

    test('the client secret survives a change of SECRETS_KEY · ROB-5', async () => {
      liar.reset()
      await save()
      const { database, secretsKey } = service
      const keys = { current: randomBytes(32), previous: secretsKey }
      await reencryptSecrets(database, keys, sealedSignOn)
      const unseal = createUnseal({ current: keys.current, previous: null })
      assert.equal(await signOnSecret(database, partner.organizationId, unseal), clientSecret)
      await reencryptSecrets(database, { current: secretsKey, previous: keys.current }, sealedSignOn)
    })

    test('one network cannot make the service ask a provider without end · ROB-4', async () => {
      await service.database.query(sql`delete from sign_in_attempts`)
      assertRefused(await start('a@other.example'), 404, /no single sign-on/)
      await service.database.query(sql`update sign_in_attempts set tried = 200`)
      assertRefused(await start('a@other.example'), 429, 'Too many attempts. Try again later')
      const back = await comeBack('', { code: 'x', state: 'x' })
      assert.equal(back.headers.get('location'), '/settings/sign-in?refused=throttled')
      await service.database.query(sql`delete from sign_in_attempts`)
    })

    test('a provider that cannot be used is not saved, and the reason is said', async () => {
      liar.reset()
      const prefix = 'This identity provider can’t be used: '
      const before = await admin.call('GET', here('/single-sign-on'))
      assertRefused(await save({ issuer: 'https://10.0.0.7' }), 422, new RegExp(`${prefix}10\\.0\\.0\\.7 is`))
      assertRefused(await save({ issuer: `${liar.issuer}/` }), 422, /it calls itself/)
      liar.lies.document = { token_endpoint: 'http://127.0.0.1/token' }
      assertRefused(await save(), 422, /lacks an https address/)
      liar.lies.document = { padding: 'x'.repeat(300_000) }
      assertRefused(await save(), 422, /more than 256 KiB/)
      liar.lies.document = { issuer: 'https://x.example/'.padEnd(200_000, 'x') }
      const long = await save()
      assertRefused(long, 422, /it calls itself https:\/\/x\.example\/x+… instead of/)
      assert.ok(long.text.length < 1_000)
      liar.lies.document = { token_endpoint: 'https://x.example/'.padEnd(200_000, 'x') }
      assertRefused(await save(), 422, /lacks an https address/)
      assert.ok(!service.logged().includes('x'.repeat(1_000)))
      liar.reset()
      assertRefused(await save({ issuer: 'http://id.example.com' }), 400, /issuer must be an https:\/\/ URL/)
      assertRefused(await save({ domain: 'exämple.de' }), 400, /domain must be a domain such as example\.com/)
      assertRefused(await save({ domain: 'acme' }), 400, /domain/)
      assert.deepEqual((await admin.call('GET', here('/single-sign-on'))).body, before.body)
      assert.equal((await save()).status, 200)
      assertRefused(
        await save({ clientId: 'another', clientSecret: undefined }),
        400,
        'clientSecret is required for a new issuer or client',
      )
      assert.equal((await save({ clientSecret: undefined })).status, 200)
      const moved = await save({ clientSecret: undefined, domain: 'other.example' })
      assert.equal(moved.body.settings?.domainConfirmedAt, null)
    })
  })
}
