import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { sign } from '../../server/endpoints/signature.ts'

test('a known body, secret and time give a known signature · SIG-1', () => {
  // Computed with: printf '1767323045.{"a":"é"}' | openssl dgst -sha256 -hmac 'whsec_0123456789abcdef'
  const expected = '331db07b9ac15b80d20fb541c227fbcb795c3fbc8aaa742ebdc671cc430963e5'
  const now = new Date('2026-01-02T03:04:05.678Z')
  assert.equal(sign(Buffer.from('{"a":"é"}'), 'whsec_0123456789abcdef', now), `t=1767323045,v1=${expected}`)
})

test('any body and secret give the same signature as an independent implementation · SIG-1', () => {
  const property = fc.property(fc.uint8Array(), fc.string(), fc.date({ noInvalidDate: true }), (body, secret, now) => {
    const seconds = Math.floor(now.getTime() / 1000)
    const whole = Buffer.concat([Buffer.from(`${seconds}.`), body])
    const digest = createHmac('sha256', Buffer.from(secret, 'utf8')).update(whole).digest('hex')
    assert.equal(sign(body, secret, now), `t=${seconds},v1=${digest}`)
  })
  fc.assert(property)
})

test('changing a byte, the secret or the second changes the signature · SIG-1', () => {
  const now = new Date('2026-01-02T03:04:05.678Z')
  const [body, secret] = [Buffer.from('{"resultId":"res_1"}'), 'whsec_0123456789abcdef']
  const signatures = new Set([
    sign(body, secret, now),
    sign(Buffer.from('{"resultId":"res_2"}'), secret, now),
    sign(body, `${secret}0`, now),
    sign(body, secret, new Date(now.getTime() + 1_000)),
  ])
  assert.equal(signatures.size, 4)
  assert.equal(sign(body, secret, new Date(now.getTime() + 321)), sign(body, secret, now))
})

test('the published test vectors match · SIG-2', () => {
  const file = new URL('../../sdk/vectors.json', import.meta.url)
  type Vector = { name: string; genuine: boolean; secret: string; header: string | null; bodyBase64: string }
  const { vectors }: { vectors: Vector[] } = JSON.parse(readFileSync(file, 'utf8'))
  assert.ok(vectors.filter(({ genuine }) => genuine).length > 8)
  for (const { name, genuine, secret, header, bodyBase64 } of vectors) {
    const seconds = Number(/t=(\d+)/.exec(header ?? '')?.[1] ?? 0)
    const signature = sign(Buffer.from(bodyBase64, 'base64'), secret, new Date(seconds * 1000))
    const parts = new Set(header?.split(','))
    const agrees = signature.split(',').every((part) => parts.has(part))
    const onlyTimeIsWrong = ['301 seconds old', '301 seconds in the future', 't in milliseconds'].includes(name)
    assert.equal(agrees, genuine || onlyTimeIsWrong || secret === '', name)
  }
})
