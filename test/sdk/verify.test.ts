import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { verify } from '../../sdk/src/verify.ts'
import { now, secret, signed } from './signed.ts'

type Vector = {
  name: string
  genuine: boolean
  reason: string | null
  secret: string
  now: number
  header: string | null
  bodyBase64: string
}

const { vectors }: { vectors: Vector[] } = JSON.parse(
  readFileSync(new URL('../../sdk/vectors.json', import.meta.url), 'utf8'),
)

describe('every test vector gets the expected verdict', () => {
  for (const vector of vectors) {
    test(`${vector.name} · SIG-4`, async () => {
      const headers = vector.header === null ? {} : { 'X-Service-Signature': vector.header }
      const body = Buffer.from(vector.bodyBase64, 'base64')
      const verifying = verify(body, headers, vector.secret, { now: new Date(vector.now * 1000) })
      if (vector.secret === '') return assert.rejects(verifying, TypeError)
      const verified = await verifying
      assert.equal(verified.ok ? null : verified.reason, vector.reason)
      if (!verified.ok) assert.equal(verified.status, vector.genuine ? 400 : 401)
    })
  }
})

test('changing any byte of the body or the signature makes it invalid · SIG-4', async () => {
  const { headers, body } = await signed()
  const { 'x-service-signature': header = '' } = headers
  assert.equal((await verify(body, headers, secret, { now })).ok, true)
  const property = fc.asyncProperty(
    fc.nat(body.length - 1),
    fc.nat(header.length - 1),
    fc.integer({ min: 1, max: 255 }),
    async (at, within, difference) => {
      const changed = body.with(at, (body[at] ?? 0) ^ difference)
      assert.equal((await verify(changed, headers, secret, { now })).ok, false)
      const other = Buffer.from(header, 'latin1')
      other[within] = (other[within] ?? 0) ^ difference
      const forged = { 'x-service-signature': other.toString('latin1') }
      assert.equal((await verify(body, forged, secret, { now })).ok, false)
    },
  )
  await fc.assert(property, { numRuns: 200 })
})

test('the time may be off by up to five minutes either way · SIG-4', async () => {
  const { headers, body } = await signed()
  const at = async (seconds: number, toleranceSeconds?: number) => {
    const options = { now: new Date(now.getTime() + seconds * 1000), ...(toleranceSeconds && { toleranceSeconds }) }
    const verified = await verify(body, headers, secret, options)
    return verified.ok ? null : verified.reason
  }
  assert.deepEqual(
    [await at(300), await at(300.001), await at(-300), await at(-300.001)],
    [null, 'too_old', null, 'too_new'],
  )
  assert.deepEqual([await at(10, 9), await at(10, 10)], ['too_old', null])
})

test('the body can be bytes, a buffer or text, and the headers any of the usual types', async () => {
  const { headers, body, event } = await signed()
  const text = new TextDecoder().decode(body)
  const { 'x-service-signature': signature = '' } = headers
  for (const raw of [body, new Uint8Array(body).buffer, text]) {
    for (const kind of [
      headers,
      new Headers(headers),
      { 'X-SERVICE-Signature': signature },
      { 'x-service-signature': [signature] },
    ]) {
      assert.deepEqual(await verify(raw, kind, secret, { now }), { ok: true, event })
    }
  }
})

test('during a rotation either of two secrets is accepted, and no third', async () => {
  const { headers, body } = await signed()
  assert.equal((await verify(body, headers, ['the new secret', secret], { now })).ok, true)
  assert.equal((await verify(body, headers, [secret, 'the old secret'], { now })).ok, true)
  assert.equal((await verify(body, headers, ['the new secret', 'the old secret'], { now })).ok, false)
})

test('an empty secret is the caller’s mistake, not an invalid signature', async () => {
  const { headers, body } = await signed()
  for (const wrong of ['', [], [secret, '']]) await assert.rejects(verify(body, headers, wrong, { now }), TypeError)
})

test('unknown fields are kept; a missing one, one of another type or an inconsistent one is named', async () => {
  const more = await signed({ change: (event) => ({ ...event, addedLater: [1] }) })
  const verified = await verify(more.body, more.headers, secret, { now })
  assert.ok(verified.ok && 'addedLater' in verified.event)

  const invalid: [change: (event: Awaited<ReturnType<typeof signed>>['event']) => unknown, detail: string][] = [
    [({ candidate: _candidate, ...event }) => event, 'candidate is missing.'],
    [(event) => ({ ...event, template: { id: 'tpl_1' } }), 'template.name is missing.'],
    [(event) => ({ ...event, resultUrl: null }), 'resultUrl must be a string.'],
    [(event) => ({ ...event, eventType: 'result.deleted' }), 'eventType must be result.completed.'],
    [(event) => ({ ...event, thumbnail: [] }), 'thumbnail must be an object.'],
    [(event) => ({ ...event, idempotencyKey: 'res_2' }), 'idempotencyKey differs from resultId.'],
    [(event) => ({ ...event, eventId: 'res_2' }), 'eventId does not match resultId.'],
    [
      (event) => ({ ...event, result: { ...event.result, resultId: 'res_2' } }),
      'result.resultId differs from resultId.',
    ],
    [() => [], 'The body must be an object.'],
    [() => null, 'The body must be an object.'],
  ]
  for (const [change, detail] of invalid) {
    const { headers, body } = await signed({ change })
    const refused = await verify(body, headers, secret, { now })
    assert.deepEqual(refused, { ok: false, reason: 'not_an_event', status: 400, detail })
  }
})

test('a part that comes twice makes the signature malformed, even if one of them is right · SIG-4', async () => {
  const { headers, body } = await signed()
  const { 'x-service-signature': header = '' } = headers
  for (const twice of [`${header},v1=${'0'.repeat(64)}`, `${header},t=1`]) {
    const verified = await verify(body, { 'x-service-signature': twice }, secret, { now })
    assert.equal(verified.ok ? null : verified.reason, 'signature_malformed')
  }
})
