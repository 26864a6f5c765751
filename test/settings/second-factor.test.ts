import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { reencryptSecondFactors } from '../../server/auth/reencrypt.ts'
import { createSignIn } from '../../server/auth/sign-in.ts'
import type { SecretsKeys } from '../../server/endpoints/secrets.ts'
import type {
  MemberList,
  RecoveryCodes,
  SecondFactorStart,
  SessionList,
} from '../../server/http/settings/member-schemas.ts'
import type { ActivityPage, Session } from '../../server/http/settings/schemas.ts'
import { commandsOf } from '../../support/commands.ts'
import { engines } from '../../support/engines.ts'
import { assertRefused } from '../../support/error-responses.ts'
import { signInWhile } from '../../support/interrupted-sign-in.ts'
import { cookieIn, type SignedInMember, signedInMember, signIn, trySignIn, withCookie } from '../../support/members.ts'
import { oneTimeCode } from '../../support/one-time-codes.ts'
import { raceOnLock } from '../../support/race-on-lock.ts'
import { appUrl, call, type Partner, type Service, startService } from '../../support/service.ts'

const wrong = 'That code isn’t right, or was used already'

for (const engine of engines) {
  describe(`two-step verification on ${engine.name}`, () => {
    let service: Service
    let partner: Partner
    before(async () => {
      service = await startService(engine, { secretsKey: randomBytes(32) })
      partner = await service.partner({ name: 'Acme' })
    })
    after(() => service.close())

    const lockOf = ({ email }: SignedInMember) => sql`select from users where email = ${email} for update`
    const forgetAttempts = () => service.database.query(sql`delete from sign_in_attempts`)
    const here = (path: string) => `/organizations/${partner.organizationId}${path}`
    const enter = (challenge: string, code: string, address = '198.51.100.1') => {
      const headers = { origin: appUrl, cookie: challenge, 'x-forwarded-for': address }
      return call<Session>(service.url, 'POST', '/settings/api/sign-in/code', headers, { code })
    }

    async function start(person: SignedInMember): Promise<SecondFactorStart> {
      const started = await person.call<SecondFactorStart>('POST', '/second-factor', { password: person.password })
      assert.equal(started.status, 201, started.text)
      return started.body
    }

    /** Someone whose second factor is on, signed in. */
    async function protectedMember(role: 'admin' | 'viewer' = 'viewer') {
      const person = await signedInMember(service, role, partner.organizationId)
      const started = await start(person)
      const confirmed = await person.call('POST', '/second-factor/confirmation', { code: oneTimeCode(started.secret) })
      assert.equal(confirmed.status, 204, confirmed.text)
      await forgetAttempts()
      return { ...person, ...withCookie(service, cookieIn(confirmed)), ...started }
    }

    async function challenge(person: { email: string; password: string }): Promise<string> {
      const answer = await trySignIn(service, person)
      assert.deepEqual([answer.status, answer.body], [202, { codeNeeded: true }])
      const cookie = cookieIn(answer)
      assert.ok(!cookie.includes('session_token'))
      return cookie
    }

    test('it is set up with the password and a code, and from then on asked for · SET-10', async () => {
      const person = await signedInMember(service, 'viewer', partner.organizationId)
      const elsewhere = await person.call('POST', '/second-factor', { password: 'not the password' })
      assertRefused(elsewhere, 400, 'Incorrect current password')
      const { uri, secret, recoveryCodes } = await start(person)
      assert.match(uri, /^otpauth:\/\/totp\/Partner%20Interview:person/)
      assert.equal(new Set(recoveryCodes).size, 10)
      assert.equal((await trySignIn(service, person)).status, 200, 'not in force before a code is confirmed')
      const mistyped = await person.call('POST', '/second-factor/confirmation', { code: '000000' })
      assertRefused(mistyped, 400, /That code isn’t right/)
      const confirmed = await person.call('POST', '/second-factor/confirmation', { code: oneTimeCode(secret) })
      assert.equal(confirmed.status, 204, confirmed.text)
      const session = await withCookie(service, cookieIn(confirmed)).call<Session>('GET', '/session')
      assert.equal(session.body.user.secondFactor, true)

      const waiting = await challenge(person)
      assertRefused(await withCookie(service, waiting).call('GET', '/session'), 401, 'Sign in first')
      assertRefused(await enter(waiting, '000000'), 401, wrong)
      const done = await enter(waiting, oneTimeCode(secret, 1))
      assert.equal(done.status, 200, done.text)
      assert.equal((await withCookie(service, cookieIn(done)).call('GET', '/session')).status, 200)
      assertRefused(await enter(waiting, oneTimeCode(secret, 1)), 401, /Start again/)
    })

    test('turning it on signs its owner out everywhere else', async () => {
      const admin = await signedInMember(service, 'admin', partner.organizationId)
      const person = await signedInMember(service, 'viewer', partner.organizationId)
      const elsewhere = await signIn(service, person)
      const { secret } = await start(person)
      assert.equal((await elsewhere.call('GET', '/session')).status, 200)
      const confirmed = await person.call('POST', '/second-factor/confirmation', { code: oneTimeCode(secret) })
      assertRefused(await elsewhere.call('GET', '/session'), 401, 'Sign in first')
      const here = withCookie(service, cookieIn(confirmed))
      assert.equal((await here.call<SessionList>('GET', '/sessions')).body.data.length, 1)
      const { body } = await admin.call<ActivityPage>('GET', `/organizations/${partner.organizationId}/activity`)
      const recorded = body.data.filter(({ actor }) => actor === person.email)
      assert.deepEqual(
        recorded.map(({ action, detail }) => [action, detail]),
        [
          ['member.signed_out', '1 session'],
          ['member.second_factor_on', null],
        ],
      )
    })

    test('a sign-in under way while it is turned on needs the code', async () => {
      const person = await signedInMember(service, 'viewer', partner.organizationId)
      const { secret } = await start(person)
      let cookie = ''
      const begun = await signInWhile(service, person, async () => {
        cookie = cookieIn(await person.call('POST', '/second-factor/confirmation', { code: oneTimeCode(secret) }))
      })
      assert.equal(begun.outcome, 'code_needed')
      const here = withCookie(service, cookie)
      assert.equal((await here.call<SessionList>('GET', '/sessions')).body.data.length, 1)
    })

    test('of two confirmations at once, one counts', async () => {
      if (engine.name === 'embedded') return // has a single connection
      const admin = await signedInMember(service, 'admin', partner.organizationId)
      const person = await signedInMember(service, 'viewer', partner.organizationId)
      const { secret } = await start(person)
      const confirm = (code: string) => person.call('POST', '/second-factor/confirmation', { code })
      const answers = await raceOnLock(service.database, lockOf(person), () => [
        confirm(oneTimeCode(secret)),
        confirm(oneTimeCode(secret, 1)),
      ])
      const [won, lost] = answers.toSorted((one, other) => one.status - other.status)
      assert.ok(won && lost)
      assert.deepEqual([won.status, lost.status], [204, 400])
      assert.equal((await withCookie(service, cookieIn(won)).call('GET', '/session')).status, 200)
      const { body } = await admin.call<ActivityPage>('GET', here('/activity'))
      const recorded = body.data.filter(({ actor }) => actor === person.email).map(({ action }) => action)
      assert.deepEqual(recorded, ['member.second_factor_on'])
      await forgetAttempts()
    })

    test('a setup that is replaced while its code is checked does not turn on the other one', async () => {
      if (engine.name === 'embedded') return // has a single connection
      const person = await signedInMember(service, 'viewer', partner.organizationId)
      const { secret } = await start(person)
      const [confirmed, replaced] = await raceOnLock(service.database, lockOf(person), () => [
        person.call('POST', '/second-factor/confirmation', { code: oneTimeCode(secret) }),
        person.call('POST', '/second-factor', { password: person.password }),
      ])
      const isOn = confirmed?.status === 204
      assert.deepEqual([confirmed?.status, replaced?.status], isOn ? [204, 400] : [400, 201])
      if (isOn) assert.equal((await enter(await challenge(person), oneTimeCode(secret, 1))).status, 200)
      else assert.equal((await trySignIn(service, person)).status, 200)
      await forgetAttempts()
    })

    test('the code that turned it on is used up', async () => {
      const person = await signedInMember(service, 'viewer', partner.organizationId)
      const { secret } = await start(person)
      const code = oneTimeCode(secret)
      assert.equal((await person.call('POST', '/second-factor/confirmation', { code })).status, 204)
      assertRefused(await enter(await challenge(person), code), 401, wrong)
      await forgetAttempts()
    })

    test('a code works once, also in another sign-in', async () => {
      const person = await protectedMember()
      const code = oneTimeCode(person.secret, 1)
      const [one, two] = [await challenge(person), await challenge(person)]
      const answers = await Promise.all([enter(one, code), enter(two, code)])
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 401])
    })

    test('a recovery code works once, and new ones replace the old', async () => {
      const person = await protectedMember()
      const [first = '', second = ''] = person.recoveryCodes
      assert.equal((await enter(await challenge(person), first)).status, 200)
      await service.database.query(sql`delete from sign_in_attempts`)
      assertRefused(await enter(await challenge(person), first), 401, wrong)
      const refused = await person.call('POST', '/second-factor/recovery-codes', { password: 'not the password' })
      assertRefused(refused, 400, 'Incorrect current password')
      const renewed = await person.call<RecoveryCodes>('POST', '/second-factor/recovery-codes', {
        password: person.password,
      })
      assert.equal(renewed.status, 201, renewed.text)
      assertRefused(await enter(await challenge(person), second), 401, wrong)
      await forgetAttempts()
      assert.equal((await enter(await challenge(person), renewed.body.recoveryCodes[0] ?? '')).status, 200)
    })

    test('codes cannot be guessed without end, and no stranger locks the owner out · ROB-4', async () => {
      const person = await protectedMember()
      const guess = async (address: string) => enter(await challenge(person), '000001', address)
      const answers = []
      for (let tried = 0; tried < 6; tried += 1) answers.push((await guess('203.0.113.5')).status)
      assert.deepEqual(answers, [401, 401, 401, 401, 401, 429])
      const done = await enter(await challenge(person), oneTimeCode(person.secret, 1), '198.51.100.1')
      assert.equal(done.status, 200, done.text)
      const one = await challenge(person)
      for (let tried = 0; tried < 5; tried += 1) await enter(one, `11111${tried}`, `203.0.113.${50 + tried}`)
      assertRefused(await enter(one, '111119', '203.0.113.77'), 401, /Start again/)
    })

    test('it is turned off with the password, and each change is in the activity', async () => {
      const admin = await signedInMember(service, 'admin', partner.organizationId)
      const person = await protectedMember()
      const { body: list } = await admin.call<MemberList>('GET', here('/members'))
      assert.equal(list.data.find(({ email }) => email === person.email)?.secondFactor, true)
      assertRefused(
        await person.call('POST', '/second-factor', { password: person.password }),
        409,
        'Two-step verification is already on',
      )
      const off = await person.call('POST', '/second-factor/removal', { password: person.password })
      assert.equal(off.status, 204, off.text)
      assert.equal((await trySignIn(service, person)).status, 200)
      const { body } = await admin.call<ActivityPage>('GET', here('/activity'))
      const recorded = body.data.filter(({ actor }) => actor === person.email).map(({ action }) => action)
      assert.deepEqual(recorded, ['member.second_factor_off', 'member.second_factor_on'])
    })

    test('an organization requires it: who has none gets nowhere before setting it up · SET-10', async () => {
      const place = await service.partner({ name: 'Strict' })
      const there = (path: string) => `/organizations/${place.organizationId}${path}`
      const admin = await signedInMember(service, 'admin', place.organizationId)
      const viewer = await signedInMember(service, 'viewer', place.organizationId, partner.organizationId)
      const first = await admin.call('PUT', there('/security'), { requiresSecondFactor: true })
      assertRefused(first, 409, 'Turn on two-step verification for your own account first')
      const started = await start(admin)
      const code = oneTimeCode(started.secret)
      const cookie = cookieIn(await admin.call('POST', '/second-factor/confirmation', { code }))
      const owner = withCookie(service, cookie)
      assert.equal((await owner.call('PUT', there('/security'), { requiresSecondFactor: true })).status, 200)

      const refusal = 'This organization requires two-step verification. Set it up first'
      assertRefused(await viewer.call('GET', there('/deliveries')), 403, refusal)
      assert.equal((await viewer.call('GET', here('/deliveries'))).status, 200)
      const { body } = await viewer.call<Session>('GET', '/session')
      assert.deepEqual(
        body.organizations.map(({ name, secondFactorMissing }) => [name, secondFactorMissing]),
        [
          ['Acme', false],
          ['Strict', true],
        ],
      )
      const theirs = await start(viewer)
      const confirmed = await viewer.call('POST', '/second-factor/confirmation', { code: oneTimeCode(theirs.secret) })
      const ready = withCookie(service, cookieIn(confirmed))
      assert.equal((await ready.call('GET', there('/deliveries'))).status, 200)
      const off = await ready.call('POST', '/second-factor/removal', { password: viewer.password })
      assertRefused(off, 409, 'Strict requires two-step verification, so it can’t be turned off')
      assert.equal((await owner.call('PUT', there('/security'), { requiresSecondFactor: false })).status, 200)
    })

    test('an admin turns off what a member lost, and ends the sessions', async () => {
      const admin = await signedInMember(service, 'admin', partner.organizationId)
      const person = await protectedMember()
      const { body } = await admin.call<MemberList>('GET', here('/members'))
      const id = body.data.find(({ email }) => email === person.email)?.id
      assert.equal((await admin.call('DELETE', here(`/members/${id}/second-factor`))).status, 204)
      assertRefused(await person.call('GET', '/session'), 401, 'Sign in first')
      assert.equal((await trySignIn(service, person)).status, 200)
      const only = await protectedMember('admin')
      const named = ['--organization', partner.organizationId, '--email', only.email]
      await commandsOf(service).json('member', 'reset-second-factor', ...named)
      assert.equal((await trySignIn(service, only)).status, 200)
    })

    test('codes work on while SECRETS_KEY is changed, and after it', async () => {
      const person = await protectedMember()
      const { database, secretsKey } = service
      const keys = { current: randomBytes(32), previous: secretsKey }
      const device = { address: '198.51.100.1', userAgent: 'test' }
      const clock = () => service.time.now
      const signInUnder = async (secretsKeys: SecretsKeys, code: string) => {
        const signIn = createSignIn({ database, secretsKeys, appUrl, clock })
        const begun = await signIn.begin({ ...person, device })
        assert.ok(begun.outcome === 'code_needed')
        const cookie = begun.cookies.map((line) => line.split(';')[0]).join('; ')
        return (await signIn.enterCode(cookie, { code, kind: 'recovery' }, device)).outcome
      }
      const [first = '', second = ''] = person.recoveryCodes
      assert.equal(await signInUnder(keys, first), 'signed_in')
      const { reencrypted, unreadable } = await reencryptSecondFactors(database, keys)
      assert.ok(reencrypted >= 1)
      assert.deepEqual(unreadable, [])
      assert.equal(await signInUnder({ current: keys.current, previous: null }, second), 'signed_in')
      const stranger = { current: randomBytes(32), previous: null }
      const lost = await reencryptSecondFactors(database, stranger)
      assert.equal(lost.reencrypted, 0)
      assert.ok(lost.unreadable.includes(person.email))
      await reencryptSecondFactors(database, { current: secretsKey, previous: keys.current })
    })

    test('recovery codes that are renewed while SECRETS_KEY is changed are not left behind', async () => {
      if (engine.name === 'embedded') return // has a single connection
      const person = await protectedMember()
      const { database, secretsKey } = service
      const keys = { current: randomBytes(32), previous: secretsKey }
      const codes = async () => {
        const [row] = await database.query<{ codes: string; id: string }>(sql`
          select backup_codes as codes, user_id as id from second_factors f join users u on u.id = f.user_id
          where u.email = ${person.email}`)
        assert.ok(row)
        return row
      }
      const before = await codes()
      await person.call('POST', '/second-factor/recovery-codes', { password: person.password })
      const renewed = await codes()
      const set = (text: string) => sql`update second_factors set backup_codes = ${text} where user_id = ${renewed.id}`
      await database.query(set(before.codes))
      await raceOnLock(database, set(renewed.codes), () => [reencryptSecondFactors(database, keys)], 'commit')
      const left = await reencryptSecondFactors(database, { current: keys.current, previous: null })
      assert.deepEqual(left, { reencrypted: 0, unreadable: [] })
      assert.notEqual((await codes()).codes, renewed.codes)
      await reencryptSecondFactors(database, { current: secretsKey, previous: keys.current })
    })

    test('neither secret nor recovery codes are readable in the database or the log', async () => {
      const { secret, recoveryCodes } = await protectedMember()
      const stored = JSON.stringify(await service.database.query(sql`select * from second_factors`))
      for (const hidden of [secret, ...recoveryCodes]) {
        assert.ok(!stored.includes(hidden) && !service.logged().includes(hidden))
      }
    })
  })
}
