import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { createSignIn } from '../../server/auth/sign-in.ts'
import { DatabaseUnavailable } from '../../server/database/failures.ts'
import type { SessionList } from '../../server/http/settings/member-schemas.ts'
import type { Session } from '../../server/http/settings/schemas.ts'
import { engines } from '../../support/engines.ts'
import { assertRefused } from '../../support/error-responses.ts'
import { signInWhile } from '../../support/interrupted-sign-in.ts'
import { cookieIn, newMember, signedInMember, signIn, trySignIn, withCookie } from '../../support/members.ts'
import { apiUrl, appUrl, call, type Partner, type Service, startService } from '../../support/service.ts'

const secretsKey = randomBytes(32)
const wrong = 'Incorrect email or password'

for (const engine of engines) {
  describe(`signing in on ${engine.name}`, () => {
    let service: Service
    let partner: Partner
    before(async () => {
      service = await startService(engine, { secretsKey })
      partner = await service.partner({ name: 'Acme' })
    })
    after(() => service.close())

    test('an admin signs in and sees who they are and where they belong · SET-1', async () => {
      const other = await service.partner({ name: 'Beta' })
      const person = await newMember(service, 'admin', other.organizationId, partner.organizationId)
      const { body, status } = await trySignIn(service, { ...person, email: person.email.toUpperCase() })
      assert.equal(status, 200)
      assert.equal(body.user.email, person.email)
      assert.deepEqual(body.organizations, [
        { id: partner.organizationId, name: 'Acme', active: true, role: 'admin', secondFactorMissing: false },
        { id: other.organizationId, name: 'Beta', active: true, role: 'admin', secondFactorMissing: false },
      ])
      assert.equal(body.apiUrl, apiUrl)
      const again = await (await signIn(service, person)).call<Session>('GET', '/session')
      assert.deepEqual([again.status, again.body], [200, body])
    })

    test('the cookie is for this area alone, unreadable to scripts and sent over https only', async () => {
      const answer = await trySignIn(service, await newMember(service, 'viewer', partner.organizationId))
      const [line = '', ...others] = answer.headers.getSetCookie()
      assert.deepEqual(others, [])
      const attributes = line.split('; ').slice(1)
      assert.deepEqual(attributes.sort(), ['HttpOnly', 'Max-Age=604800', 'Path=/settings', 'SameSite=Lax', 'Secure'])
      assert.equal(answer.headers.get('cache-control'), 'no-store')
    })

    test('a wrong password and an unknown person get the same response · SET-1', async () => {
      const { email } = await newMember(service, 'admin', partner.organizationId)
      const attempts = [
        { email, password: 'not the password' },
        { email: 'nobody@example.com', password: 'correct horse battery' },
        { email: 'no address', password: 'correct horse battery' },
      ]
      for (const attempt of attempts) {
        const answer = await trySignIn(service, attempt)
        assertRefused(answer, 401, wrong)
        assert.deepEqual(answer.headers.getSetCookie(), [])
      }
    })

    test('a sign-in without a password gets a 400 that says so', async () => {
      const headers = { origin: appUrl }
      const missing = await call(service.url, 'POST', '/settings/api/sign-in', headers, { email: 'a@example.com' })
      assertRefused(missing, 400, 'password is required')
    })

    test('without a session, or with a broken or forged one, the only response is “Sign in first” · SET-1', async () => {
      const { cookie } = await signedInMember(service, 'admin', partner.organizationId)
      const [name = '', value = ''] = cookie.split('=')
      const forged = decodeURIComponent(value).replace(/\..*/, '.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=')
      const cookies = ['', 'x', '%', `${name}=`, `${name}=%00`, `${name}=${encodeURIComponent(forged)}`]
      for (const sent of cookies) {
        assertRefused(await withCookie(service, sent).call('GET', '/session'), 401, 'Sign in first')
      }
      assertRefused(await call(service.url, 'GET', '/settings/api/session', {}), 401, 'Sign in first')
    })

    test('signing out ends the session for good', async () => {
      const person = await signedInMember(service, 'admin', partner.organizationId)
      const other = await signIn(service, person)
      const out = await person.call('POST', '/sign-out')
      assert.equal(out.status, 204)
      assert.equal(cookieIn(out), '', 'the browser is told to forget the cookie')
      assertRefused(await person.call('GET', '/session'), 401, 'Sign in first')
      assert.equal((await other.call('GET', '/session')).status, 200, 'another browser stays signed in')
    })

    test('a session is over after seven days without a visit, and renewed by one a day later', async () => {
      const person = await signedInMember(service, 'admin', partner.organizationId)
      const endsIn = (interval: string) =>
        service.database.query(sql`
          update sessions set expires_at = now() + ${interval}::text::interval
          where user_id = (select id from users where email = ${person.email})`)
      const fresh = await person.call('GET', '/session')
      assert.deepEqual(fresh.headers.getSetCookie(), [])

      await endsIn('5 days 23 hours')
      const renewed = await person.call('GET', '/session')
      assert.match(renewed.headers.getSetCookie().join(), /Max-Age=604800/)
      assert.equal(cookieIn(renewed), person.cookie)
      const [stored] = await service.database.query<{ days: number }>(sql`
        select round(extract(epoch from expires_at - now()) / 86400)::int as days from sessions
        where user_id = (select id from users where email = ${person.email})`)
      assert.equal(stored?.days, 7)

      await endsIn('-1 second')
      assertRefused(await person.call('GET', '/session'), 401, 'Sign in first')
    })

    test('attempts on one account are limited, even from many addresses', async () => {
      const person = await newMember(service, 'admin', partner.organizationId)
      const attempt = (password: string, number: number) =>
        trySignIn(service, { ...person, password }, { 'x-forwarded-for': `198.51.100.${number}` })
      await service.database.query(sql`delete from sign_in_attempts`)
      assertRefused(await attempt('not the password', 1), 401, wrong)
      await service.database.query(sql`update sign_in_attempts set tried = 99`)
      assertRefused(await attempt('not the password', 2), 401, wrong)
      const refused = await attempt(person.password, 3)
      assertRefused(refused, 429, 'Too many attempts. Try again later')
      assert.equal(refused.headers.get('retry-after'), '900')
      service.time.now = new Date(service.time.now.getTime() + 15 * 60_000)
      assert.equal((await attempt(person.password, 3)).status, 200)
    })

    test('a stranger locks nobody out: rejected attempts don’t count, and the owner can sign in · ROB-4', async () => {
      const person = await newMember(service, 'admin', partner.organizationId)
      const stranger = { 'x-forwarded-for': '198.51.100.66' }
      const guess = (email: string) => trySignIn(service, { email, password: 'not the password' }, stranger)
      await service.database.query(sql`delete from sign_in_attempts`)
      const answers = []
      for (let count = 0; count < 12; count++) answers.push((await guess(person.email)).status)
      assert.deepEqual(answers, [...Array(10).fill(401), 429, 429])
      assert.equal((await trySignIn(service, person, { 'x-forwarded-for': '198.51.100.67' })).status, 200)

      // Refused by the address alone: neither the account nor the table feels it.
      for (let count = 0; count < 80; count++) await guess(`nobody-${count}@example.com`)
      const [table] = await service.database.query<{ rows: number }>(sql`select count(*) as rows from sign_in_attempts`)
      assert.ok((table?.rows ?? 0) <= 2 * 50 + 3, `${table?.rows} rows`)
    })

    test('a flood of guesses is turned away, and nobody waits long where they have signed in before · ROB-1 ROB-4', async () => {
      const person = await newMember(service, 'admin', partner.organizationId)
      const from = (address: string) => ({ 'x-forwarded-for': address })
      const home = from('2001:db8:2:1::5')
      assert.equal((await trySignIn(service, person, home)).status, 200)
      const outcomes: number[] = []
      const guess = async (number: number) => {
        const guessed = { email: `nobody-${number}@example.com`, password: 'not the password' }
        const answer = await trySignIn(service, guessed, from(`203.0.113.${number}`))
        if (answer.status === 429) assert.equal(answer.headers.get('retry-after'), '5')
        outcomes.push(answer.status)
      }
      const flood = Array.from({ length: 60 }, (_, number) => guess(number))
      await Promise.race(flood)
      assert.equal((await trySignIn(service, person, home)).status, 200)
      await Promise.all(flood)
      assert.deepEqual(new Set(outcomes), new Set([401, 429]))
      const checked = outcomes.filter((status) => status === 401).length
      assert.ok(checked < 30, `${checked} guesses were checked`)
    })

    test('attempts from elsewhere lock nobody out of a place where they have signed in before · ROB-4', async () => {
      const person = await newMember(service, 'admin', partner.organizationId)
      const from = (address: string) => ({ 'x-forwarded-for': address })
      const home = from('2001:db8:1:1::5')
      assert.equal((await trySignIn(service, person, home)).status, 200)
      await service.database.query(sql`delete from sign_in_attempts`)
      const guess = { ...person, password: 'not the password' }
      assertRefused(await trySignIn(service, guess, from('198.51.100.1')), 401, wrong)
      await service.database.query(sql`update sign_in_attempts set tried = 100`)
      assertRefused(await trySignIn(service, person, from('198.51.100.2')), 429, 'Too many attempts. Try again later')
      assert.equal((await trySignIn(service, person, home)).status, 200)
      assertRefused(await trySignIn(service, guess, home), 401, wrong)
    })

    test('a clock that was set back locks nobody out for longer', async () => {
      const person = await newMember(service, 'admin', partner.organizationId)
      const guess = { ...person, password: 'not the password' }
      await service.database.query(sql`delete from sign_in_attempts`)
      const now = service.time.now
      service.time.now = new Date(now.getTime() + 60 * 60_000)
      for (let count = 0; count < 10; count++) await trySignIn(service, guess)
      assert.equal((await trySignIn(service, person)).status, 429)
      service.time.now = now
      assert.equal((await trySignIn(service, person)).status, 200)
    })

    test('the right password resets the count of wrong ones', async () => {
      const person = await newMember(service, 'admin', partner.organizationId)
      const mistype = () => trySignIn(service, { ...person, password: 'not the password' })
      assert.equal((await mistype()).status, 401)
      await service.database.query(sql`update sign_in_attempts set tried = 9`)
      assert.equal((await trySignIn(service, person)).status, 200)
      for (let count = 0; count < 2; count++) assert.equal((await mistype()).status, 401)
    })

    test('attempts from one place are limited, even on many accounts and with successful ones in between', async () => {
      const own = await newMember(service, 'admin', partner.organizationId)
      const from = { 'x-forwarded-for': '2001:db8:7:7::1' }
      await service.database.query(sql`delete from sign_in_attempts`)
      await trySignIn(service, { email: 'somebody@example.com', password: 'x' }, from)
      await service.database.query(sql`update sign_in_attempts set tried = 49`)
      assert.equal((await trySignIn(service, own, from)).status, 200)
      const neighbour = { 'x-forwarded-for': '2001:db8:7:7:ffff::2' }
      assertRefused(await trySignIn(service, { email: 'a@example.com', password: 'x' }, neighbour), 401, wrong)
      const refused = await trySignIn(service, { email: 'b@example.com', password: 'x' }, from)
      assertRefused(refused, 429, 'Too many attempts. Try again later')
      const elsewhere = { 'x-forwarded-for': '2001:db8:7:8::1' }
      assertRefused(await trySignIn(service, { email: 'b@example.com', password: 'x' }, elsewhere), 401, wrong)
    })

    test('a home with many IPv6 networks has four times the attempts of one, and no more · ROB-4', async () => {
      const person = await newMember(service, 'admin', partner.organizationId)
      const from = (address: string) => ({ 'x-forwarded-for': address })
      const guess = (name: string, address: string) =>
        trySignIn(service, { email: `${name}@example.com`, password: 'x' }, from(address))
      await service.database.query(sql`delete from sign_in_attempts`)
      assertRefused(await guess('a', '2001:db8:7:700::1'), 401, wrong)
      await service.database.query(sql`update sign_in_attempts set tried = 199`)
      assert.equal((await trySignIn(service, person, from('2001:db8:7:701::1'))).status, 200)
      assertRefused(await guess('b', '2001:db8:7:7fe::1'), 401, wrong)
      assertRefused(await guess('c', '2001:db8:7:7ff::1'), 429, 'Too many attempts. Try again later')
      assertRefused(await guess('c', '2001:db8:7:800::1'), 401, wrong)
    })

    const forms: Record<string, [entry: (port: number) => string, stored: string]> = {
      'an IPv4 address with a port': [(port) => `198.51.100.8:${port}`, '198.51.100.8'],
      'an IPv6 address with a port': [(port) => `[2001:db8:9::1]:${port}`, '2001:db8:9::1'],
      'an IPv6 address in brackets': [(port) => `[2001:db8:9::${port}]`, '2001:db8:9::3'],
      'something else': [(port) => `client-${port}`, 'unknown'],
      'an address with a port, before a trusted proxy with one': [
        (port) => `198.51.100.9:${port}, 127.0.0.1:${port}`,
        '198.51.100.9',
      ],
    }
    for (const [form, [entry, stored]] of Object.entries(forms)) {
      test(`a proxy that reports a client as ${form} doesn’t make each connection a network · ROB-4`, async () => {
        const person = await newMember(service, 'admin', partner.organizationId)
        const from = (port: number) => ({ 'x-forwarded-for': entry(port) })
        await service.database.query(sql`delete from sign_in_attempts`)
        assertRefused(await trySignIn(service, { email: 'a@example.com', password: 'x' }, from(1)), 401, wrong)
        await service.database.query(sql`update sign_in_attempts set tried = 50`)
        const refused = await trySignIn(service, { email: 'b@example.com', password: 'x' }, from(2))
        assertRefused(refused, 429, 'Too many attempts. Try again later')
        await service.database.query(sql`delete from sign_in_attempts`)

        const { cookie } = withCookie(service, cookieIn(await trySignIn(service, person, from(3))))
        const sessions = await call<SessionList>(service.url, 'GET', '/settings/api/sessions', { cookie })
        assert.deepEqual(
          sessions.body.data.map(({ address }) => address),
          [stored],
        )
        await call(service.url, 'GET', '/v1/templates', { 'x-service-api-key': partner.key, ...from(3) })
        const [key] = await service.database.query<{ address: string }>(sql`
          select last_used_address as address from api_keys where id = ${partner.keyId}`)
        assert.equal(key?.address, stored)
        await service.database.query(sql`update rate_windows set used = 0, minute = 0`)
      })
    }

    test('a new password needs the current one, and ends every other session', async () => {
      const here = await signedInMember(service, 'viewer', partner.organizationId)
      const elsewhere = await signIn(service, here)
      const next = 'another horse 🐎 battery'
      const change = (current: string, wanted = next) => here.call('POST', '/password', { current, next: wanted })
      assertRefused(await change('not the password'), 400, 'Incorrect current password')
      assertRefused(await change(here.password, 'too short'), 400, 'next must be at least 12 characters')
      const weak = 'The new password is too common. Choose one that is hard to guess'
      assertRefused(await change(here.password, 'password1234'), 400, weak)
      assert.equal((await change(here.password)).status, 204)
      assert.equal((await here.call('GET', '/session')).status, 200)
      assertRefused(await elsewhere.call('GET', '/session'), 401, 'Sign in first')
      assertRefused(await trySignIn(service, here), 401, wrong)
      await signIn(service, { ...here, password: next })
    })

    test('a sign-in in progress with the old password fails when the password changes', async () => {
      const person = await signedInMember(service, 'viewer', partner.organizationId)
      const next = 'another horse battery'
      const begun = await signInWhile(service, person, () =>
        person.call('POST', '/password', { current: person.password, next }),
      )
      assert.equal(begun.outcome, 'wrong')
      assert.equal((await person.call<SessionList>('GET', '/sessions')).body.data.length, 1)
      await signIn(service, { ...person, password: next })
    })

    test('a change from another page is refused, also with the cookie', async () => {
      const { cookie } = await signedInMember(service, 'admin', partner.organizationId)
      const signOut = (headers: Record<string, string>) =>
        call(service.url, 'POST', '/settings/api/sign-out', { cookie, ...headers })
      const foreign = [{}, { origin: 'https://evil.example' }, { origin: 'null' }, { origin: `${appUrl}.evil.example` }]
      for (const headers of foreign) {
        assertRefused(await signOut(headers), 403, 'This request must come from the settings page')
      }
      const own = await newMember(service, 'admin', partner.organizationId)
      const elsewhere = { origin: 'https://evil.example' }
      assertRefused(await trySignIn(service, own, elsewhere), 403, 'This request must come from the settings page')
      assert.equal((await signOut({ origin: service.url })).status, 204, 'the address it was asked under is ours too')
    })

    test('a database outage is reported as such, never as a failed sign-in or a sign-out that worked', async () => {
      const person = await signedInMember(service, 'admin', partner.organizationId)
      const away = async () => {
        throw new DatabaseUnavailable('away')
      }
      const clock = () => service.time.now
      const database = { ...service.database, execute: away }
      const device = { address: '198.51.100.7', userAgent: 'test' }
      const signIn = createSignIn({ database, secretsKeys: { current: secretsKey, previous: null }, appUrl, clock })
      await assert.rejects(signIn.begin({ ...person, device }), DatabaseUnavailable)
      await assert.rejects(signIn.session(person.cookie, device.address), DatabaseUnavailable)
      await assert.rejects(signIn.end(person.cookie), DatabaseUnavailable)
      assert.equal((await person.call('GET', '/session')).status, 200)
    })

    test('neither passwords nor session tokens are in the log or readable in the database', async () => {
      const person = await signedInMember(service, 'admin', partner.organizationId)
      const token = decodeURIComponent(person.cookie.split('=')[1] ?? '')
      const rows = await service.database.query<{ password: string }>(sql`select password from accounts`)
      for (const secret of [person.password, token, token.split('.')[0] ?? '', ...rows.map((row) => row.password)]) {
        assert.ok(secret.length > 10)
        assert.ok(!service.logged().includes(secret))
      }
      assert.ok(rows.every(({ password }) => !password.includes(person.password)))
    })
  })
}
