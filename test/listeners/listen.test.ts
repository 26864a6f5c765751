import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { encodePosition } from '../../server/listeners/feed-position.ts'
import { revokeListenToken } from '../../server/listeners/listen-tokens.ts'
import { commandsOf } from '../../support/commands.ts'
import { type Deliveries, image, type Subscriber, scoring, startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'
import { assertRefused } from '../../support/error-responses.ts'
import { photograph } from '../../support/jpeg.ts'
import { createToken, type Listener, openListener } from '../../support/listener.ts'
import { eventually } from '../../support/process.ts'
import { call, startService } from '../../support/service.ts'

const limits = { perProcess: 6, perOrganization: 3, lookEvery: 20, keepAlive: 15_000 }

for (const engine of engines) {
  describe(`listening on ${engine.name}`, () => {
    let deliveries: Deliveries
    let subscriber: Subscriber
    let token: string
    before(async () => {
      deliveries = await startDeliveries(engine, { listenerLimits: limits })
      subscriber = await deliveries.subscriber()
      token = (await createToken(deliveries.service, subscriber.organizationId)).token
    })
    after(() => deliveries?.close())

    const listen = (after?: string | null) => openListener(deliveries.service.url, token, after)
    const ask = (method: string, path: string, authorization?: string) =>
      call(deliveries.service.url, method, path, authorization === undefined ? {} : { authorization })

    test('an event is copied byte for byte, and the delivery is as if nobody had listened', async () => {
      const listener = await listen()
      const { deliveryId, resultId } = await subscriber.complete()
      const [copy] = await listener.events(1)
      assert.deepEqual(listener.resultIds(), [resultId])
      assert.partialDeepStrictEqual(await deliveries.read(deliveryId), { status: 'PENDING', attempts: 0, history: [] })
      await deliveries.attempt(deliveryId)
      assert.deepEqual(copy?.body, subscriber.requests.at(-1)?.body)
      await listener.leave()
    })

    test('an event is copied even if no webhook is set', async () => {
      const partner = await deliveries.service.partner()
      const { token } = await createToken(deliveries.service, partner.organizationId)
      const listener = await openListener(deliveries.service.url, token)
      const template = await partner.call<{ id: string }>('POST', '/v1/templates', { title: 'T', description: 'D' })
      const invited = await partner.call<{ interview: { id: string } }>('POST', '/v1/interview-invitations', {
        templateId: template.body.id,
        candidate: { email: 'ada@example.com', firstName: 'Ada' },
      })
      const { id } = invited.body.interview
      await deliveries.uploadImage(id, image)
      await deliveries.engine('PUT', `/interviews/${id}/result?final=false`, { scoring })
      const final = await deliveries.engine<{ resultId: string }>('PUT', `/interviews/${id}/result`, { scoring })
      await listener.events(1)
      assert.deepEqual(listener.resultIds(), [final.body.resultId], 'only the final result')
      await listener.leave()
    })

    test('a listener that comes back gets what it missed, in order, once', async () => {
      const first = await listen()
      const before = await subscriber.complete()
      const [heard] = await first.events(1)
      await first.leave()
      const missed = [await subscriber.complete(), await subscriber.complete(), await subscriber.complete()]

      const second = await listen(heard?.id)
      const [one] = await second.events(3)
      assert.deepEqual(second.resultIds(), idsOf(missed))
      await second.leave()
      const third = await listen(one?.id)
      const later = await subscriber.complete()
      await third.events(3)
      assert.deepEqual(third.resultIds(), idsOf([...missed.slice(1), later]), 'from the middle of what was missed')
      assert.ok(!third.resultIds().includes(before.resultId))
      await third.leave()
    })

    test('more than a page is sent without a gap, also to someone who comes back after any part of it', async () => {
      const first = await listen()
      const start = first.heard[0]?.id
      const ids: string[] = []
      // Samples, because they are quick to make. They take the same way.
      for (let count = 0; count < 5; count += 1) ids.push((await subscriber.complete()).resultId)
      await deliveries.service.database.query(sql`
        insert into listen_samples (id, organization_id, created_at)
        select 'sample_' || lpad(to_hex(n), 32, '0'), ${subscriber.organizationId}, ${hoursAgo(1)}::timestamptz
        from generate_series(1, 250) n`)
      ids.push((await subscriber.complete()).resultId)
      const events = await first.events(256)
      assert.equal(new Set(first.resultIds()).size, 256)
      assert.deepEqual([...first.resultIds().slice(0, 5), first.resultIds().at(-1)], ids)
      await first.leave()
      for (const from of [0, 99, 100, 203, 255]) {
        const again = await listen(from === 0 ? start : events[from - 1]?.id)
        await again.events(256 - from)
        assert.deepEqual(again.resultIds(), first.resultIds().slice(from))
        await again.leave()
      }
    })

    test('a token shows nothing from before it was created, whatever position is claimed', async () => {
      const earlier = await subscriber.complete()
      const { token } = await createToken(deliveries.service, subscriber.organizationId)
      const position = encodePosition({ seen: '3:3:', batch: null, waiting: [earlier.resultId] })
      const listener = await openListener(deliveries.service.url, token, position)
      const later = await subscriber.complete()
      await listener.events(1)
      assert.deepEqual(listener.resultIds(), [later.resultId])
      assert.notEqual(earlier.resultId, later.resultId)
      await listener.leave()
    })

    for (const position of ['nonsense', encodePosition({ seen: '9000000000:9000000000:', batch: null, waiting: [] })]) {
      test(`a position from elsewhere starts from now, and says so: ${position.slice(0, 8)}`, async () => {
        const listener = await listen(position)
        assert.equal((await listener.message('ready')).hasLost, true)
        const { resultId } = await subscriber.complete()
        await listener.events(1)
        assert.deepEqual(listener.resultIds(), [resultId])
        await listener.leave()
      })
    }

    test('a listener hears nothing of other organizations', async () => {
      const other = await deliveries.subscriber()
      const { token } = await createToken(deliveries.service, other.organizationId)
      const listener = await listen()
      const theirs = await openListener(deliveries.service.url, token)
      const [own, foreign] = [await subscriber.complete(), await other.complete()]
      await Promise.all([listener.events(1), theirs.events(1)])
      assert.deepEqual([listener.resultIds(), theirs.resultIds()], [[own.resultId], [foreign.resultId]])
      await Promise.all([listener.leave(), theirs.leave()])
    })

    test('nothing of an erased candidate is sent to someone who comes back', async () => {
      const first = await listen()
      const position = first.heard[0]?.id
      await first.leave()
      const erased = await subscriber.complete()
      const kept = await subscriber.complete()
      const { email } = erased.invitation.candidate
      const candidate = ['--organization', subscriber.organizationId, '--email', email]
      await commandsOf(deliveries.service).json('candidate', 'erase', ...candidate)
      const second = await listen(position)
      await second.events(1)
      assert.deepEqual(second.resultIds(), [kept.resultId])
      assert.ok(!second.heard.some(({ body }) => body.includes(erased.resultId)))
      await second.leave()
    })

    test('an event waits for its picture, also across a reconnect, and goes out once', async () => {
      const first = await listen()
      const { resultId, invitation } = await subscriber.complete({ image: null })
      assert.partialDeepStrictEqual(await first.message('waiting'), { resultId, error: 'THUMBNAIL_MISSING' })
      const position = first.heard.at(-1)?.id
      await first.leave()
      await deliveries.uploadImage(invitation.interview.id, photograph({ width: 32, height: 32 }))
      const second = await listen(position)
      const [event] = await second.events(1)
      assert.deepEqual(second.resultIds(), [resultId])
      await second.leave()
      const third = await listen(event?.id)
      const next = await subscriber.complete()
      await third.events(1)
      assert.deepEqual(third.resultIds(), [next.resultId])
      await third.leave()
    })

    test('an event whose picture does not come is skipped after ten minutes', async () => {
      const { time } = deliveries.service
      const listener = await listen()
      const { resultId } = await subscriber.complete({ image: null })
      await listener.message('waiting')
      const position = listener.heard.at(-1)?.id
      await listener.leave()
      time.now = new Date(time.now.getTime() + 600_000)
      const later = await listen(position)
      assert.partialDeepStrictEqual(await later.message('skipped'), { resultId, error: 'THUMBNAIL_MISSING' })
      await later.leave()
    })

    test('a sample goes to everyone who listens to the organization, and is marked as one', async () => {
      const listeners = [await listen(), await listen()]
      const sent = await ask('POST', '/listen/samples', `Bearer ${token}`)
      assert.equal(sent.status, 201, sent.text)
      for (const listener of listeners) {
        const [event] = await listener.events(1)
        const { resultId, candidate } = JSON.parse(String(event?.body))
        assert.deepEqual({ resultId }, sent.body)
        assert.match(resultId, /^sample_/)
        assert.equal(candidate.email, 'sample@example.com')
        await listener.leave()
      }
    })

    test('an organization sends at most 60 samples a minute', async () => {
      const partner = await deliveries.service.partner()
      const { token } = await createToken(deliveries.service, partner.organizationId)
      for (let count = 0; count < 60; count += 1) {
        assert.equal((await ask('POST', '/listen/samples', `Bearer ${token}`)).status, 201)
      }
      assertRefused(await ask('POST', '/listen/samples', `Bearer ${token}`), 429, 'Too many samples. Try again later')
      const { time } = deliveries.service
      time.now = new Date(time.now.getTime() + 60_000)
      assert.equal((await ask('POST', '/listen/samples', `Bearer ${token}`)).status, 201)
    })

    test('only a valid token may listen or send samples', async () => {
      const { service } = deliveries
      const wrong = `listen_${'x'.repeat(43)}`
      for (const [method, path] of [['GET', '/listen/events'] as const, ['POST', '/listen/samples'] as const]) {
        assertRefused(await ask(method, path), 401, 'Listen token is required')
        for (const value of [wrong, 'listen_', subscriber.key, token.slice(0, -1), `${token}x`]) {
          assertRefused(await ask(method, path, `Bearer ${value}`), 401, 'Invalid listen token')
        }
        const revoked = await createToken(service, subscriber.organizationId)
        await revokeListenToken(service.database, revoked.id, service.time.now)
        const text = 'The listen token was revoked. Create a new one'
        assertRefused(await ask(method, path, `Bearer ${revoked.token}`), 401, text)
        const old = await createToken({ ...service, time: { now: hoursAgo(24) } }, subscriber.organizationId)
        assertRefused(
          await ask(method, path, `Bearer ${old.token}`),
          401,
          'The listen token has expired. Create a new one',
        )
        const inactive = await service.partner()
        const theirs = await createToken(service, inactive.organizationId)
        await commandsOf(service).json('organization', 'deactivate', '--id', inactive.organizationId)
        assertRefused(await ask(method, path, `Bearer ${theirs.token}`), 403, 'Organization is inactive')
      }
      assertRefused(await ask('DELETE', '/listen/events', `Bearer ${token}`), 405, 'Method not allowed')
    })

    const hoursAgo = (hours: number) => new Date(deliveries.service.time.now.getTime() - hours * 3_600_000)

    test('a listener is told when its token expires or is revoked, or its organization becomes inactive', async () => {
      const { service } = deliveries
      const partner = await service.partner()
      const [expiring, revoked, stopped] = [
        await createToken({ ...service, time: { now: hoursAgo(23.9) } }, partner.organizationId),
        await createToken(service, partner.organizationId),
        await createToken(service, partner.organizationId),
      ]
      const [one, two, three] = await Promise.all(
        [expiring, revoked, stopped].map(({ token }) => openListener(service.url, token)),
      )
      assert.ok(one && two && three)
      await revokeListenToken(service.database, revoked.id, service.time.now)
      await endsWith(two, 'The listen token was revoked. Create a new one')
      service.time.now = new Date(service.time.now.getTime() + 3_600_000)
      await endsWith(one, 'The listen token has expired. Create a new one')
      await commandsOf(service).json('organization', 'deactivate', '--id', partner.organizationId)
      await endsWith(three, 'Organization is inactive')
    })

    async function endsWith(listener: Listener, error: string): Promise<void> {
      assert.deepEqual(await listener.message('ended'), { error })
      await listener.ended
    }

    test('listeners are limited per organization and per process, and make room when they leave · ROB-3', async () => {
      const { url } = deliveries.service
      const others = await Promise.all([1, 2].map(() => deliveries.service.partner()))
      const tokens = await Promise.all(
        others.map(async ({ organizationId }) => (await createToken(deliveries.service, organizationId)).token),
      )
      const [first = '', second = ''] = tokens
      const open: Listener[] = []
      for (let count = 0; count < 3; count += 1) open.push(await openListener(url, first))
      assertRefused(await ask('GET', '/listen/events', `Bearer ${first}`), 429, 'Too many listeners. Stop one first')
      for (let count = 0; count < 3; count += 1) open.push(await openListener(url, second))
      assertRefused(await ask('GET', '/listen/events', `Bearer ${token}`), 429, 'Too many listeners. Stop one first')
      await Promise.all(open.map((listener) => listener.leave()))
      const hasRoom = async () => {
        const again = await listen().catch(() => null)
        await again?.leave()
        return again !== null
      }
      assert.ok(await eventually(hasRoom))
    })

    test('neither the log nor the database holds a token', async () => {
      const { rows } = await deliveries.service.database.execute('select t::text from listen_tokens t')
      const secret = token.slice('listen_'.length)
      assert.ok(!JSON.stringify(rows).includes(secret))
      assert.ok(!deliveries.logged().includes(secret))
    })
  })

  describe(`a service with LISTEN=false on ${engine.name}`, () => {
    test('neither streams events nor takes samples', async () => {
      const service = await startService(engine, { listen: false })
      try {
        const { organizationId } = await service.partner()
        const { token } = await createToken(service, organizationId)
        const headers = { authorization: `Bearer ${token}` }
        for (const [method, path] of [['GET', '/listen/events'] as const, ['POST', '/listen/samples'] as const]) {
          const refused = await call(service.url, method, path, headers)
          assertRefused(refused, 404, 'Listening is turned off on this server')
        }
      } finally {
        await service.close()
      }
    })
  })
}

function idsOf(interviews: { resultId: string }[]): string[] {
  return interviews.map(({ resultId }) => resultId)
}
