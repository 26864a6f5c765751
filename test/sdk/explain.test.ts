import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, test } from 'node:test'
import { explain } from '../../sdk/src/explain.ts'
import { sign } from '../../sdk/src/signature.ts'
import { now, secret, signed } from './signed.ts'

const { headers, body } = await signed()
const text = new TextDecoder().decode(body)
const { 'x-service-signature': signature = '' } = headers
const [, hex = ''] = signature.split('v1=')
const t = String(now.getTime() / 1000)
const hmac = (key: string | Buffer, ...parts: (string | Uint8Array)[]) => {
  const digest = createHmac('sha256', key)
  for (const part of parts) digest.update(part)
  return `t=${t},v1=${digest.digest('hex')}`
}
const reordered = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const entries = Object.entries(value).sort(([one], [other]) => one.localeCompare(other))
  return Object.fromEntries(entries.map(([name, inner]) => [name, reordered(inner)]))
}
const asLatin1 = await signed({ change: (event) => JSON.parse(JSON.stringify(event).replace(/[—„“👍]/gu, '')) })

type Case = {
  mistake: string
  causes: string[]
  body?: Uint8Array | string
  headers?: Record<string, string>
  secret?: string | string[]
  now?: Date
}

const cases: Case[] = [
  { mistake: 'none', causes: [] },
  {
    mistake: 'parsed and written with spaces',
    body: JSON.stringify(JSON.parse(text), null, 2),
    causes: ['body_parsed'],
  },
  {
    mistake: 'parsed and written in ASCII, as other languages do',
    body: text.replace(/[^ -~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`),
    causes: ['body_parsed'],
  },
  {
    mistake: 'parsed and written with sorted keys',
    body: JSON.stringify(reordered(JSON.parse(text))),
    causes: ['body_parsed'],
  },
  { mistake: 'a parsed object as text', body: '[object Object]', causes: ['body_parsed'] },
  { mistake: 'the body as a JSON string', body: JSON.stringify(text), causes: ['body_quoted'] },
  { mistake: 'the body as Base64', body: Buffer.from(body).toString('base64'), causes: ['body_base64'] },
  { mistake: 'no body left', body: '', causes: ['body_empty'] },
  { mistake: 'a body cut off', body: body.subarray(0, 800), causes: ['body_cut_off'] },
  {
    mistake: 'a body shorter than it was',
    headers: { ...headers, 'Content-Length': '9999' },
    body: '1',
    causes: ['body_cut_off'],
  },
  { mistake: 'a line end added', body: `${text}\r\n`, causes: ['body_white_space'] },
  { mistake: 'a byte order mark added', body: `\uFEFF${text}`, causes: ['body_byte_order_mark'] },
  { mistake: 'UTF-16', body: Buffer.from(`\uFEFF${text}`, 'utf16le'), causes: ['body_utf16'] },
  {
    mistake: 'Latin-1',
    headers: asLatin1.headers,
    body: Buffer.from(new TextDecoder().decode(asLatin1.body), 'latin1'),
    causes: ['body_latin1'],
  },
  { mistake: 'UTF-8 read as Latin-1', body: Buffer.from(body).toString('latin1'), causes: ['body_encoded_twice'] },
  {
    mistake: 'bytes lost in decoding',
    body: Buffer.from(body)
      .toString('ascii')
      .replace(/[^ -~]/g, '\uFFFD'),
    causes: ['body_decoded'],
  },
  { mistake: 'a secret with a line end', secret: `${secret}\n`, causes: ['secret_white_space'] },
  { mistake: 'a quoted secret', secret: `"${secret}"`, causes: ['secret_quoted'] },
  { mistake: 'a secret with its name', secret: `SECRET=${secret}`, causes: ['secret_named'] },
  { mistake: 'a secret without its beginning', secret: secret.replace('whsec_', ''), causes: ['secret_prefix'] },
  {
    mistake: 'a secret decoded from Base64',
    headers: { 'x-service-signature': hmac(Buffer.from(secret.slice(6), 'base64'), `${t}.`, body) },
    causes: ['secret_decoded'],
  },
  { mistake: 'the old secret', secret: ['whsec_the-one-that-is-set', secret], causes: ['secret_other'] },
  { mistake: 'an unknown secret', secret: 'whsec_of-another-environment', causes: ['unknown'] },
  { mistake: 'a slow clock', now: new Date(now.getTime() - 400_000), causes: ['clock'] },
  { mistake: 'a fast clock', now: new Date(now.getTime() + 400_000), causes: ['clock'] },
  { mistake: 'no header at all', headers: {}, causes: ['header_missing'] },
  {
    mistake: 'a header renamed by a proxy',
    headers: { HTTP_X_SERVICE_SIGNATURE: signature },
    causes: ['header_renamed'],
  },
  { mistake: 'a header under any other name', headers: { 'x-forwarded-sig': signature }, causes: ['header_renamed'] },
  { mistake: 'a quoted header', headers: { 'x-service-signature': `"${signature}"` }, causes: ['header_encoded'] },
  {
    mistake: 'a header without its time',
    headers: { 'x-service-signature': `v1=${hex}` },
    causes: ['header_malformed'],
  },
  {
    mistake: 'an upper-case digest',
    headers: { 'x-service-signature': `t=${t},v1=${hex.toUpperCase()}` },
    causes: ['digest_upper_case'],
  },
  {
    mistake: 'a Base64 digest',
    headers: { 'x-service-signature': `t=${t},v1=${Buffer.from(hex, 'hex').toString('base64')}` },
    causes: ['digest_base64'],
  },
  {
    mistake: 'a time in milliseconds',
    headers: { 'x-service-signature': await sign(body, secret, new Date(now.getTime() * 1000)) },
    causes: ['time_in_milliseconds'],
  },
  {
    mistake: 'a signature over the body alone',
    headers: { 'x-service-signature': hmac(secret, body) },
    causes: ['signed_body_only'],
  },
  {
    mistake: 'a signature without the full stop',
    headers: { 'x-service-signature': hmac(secret, t, body) },
    causes: ['signed_without_stop'],
  },
  {
    mistake: 'two at once',
    body: `${text}\n`,
    secret: `${secret} `,
    now: new Date(now.getTime() + 86_400_000),
    causes: ['body_white_space', 'secret_white_space', 'clock'],
  },
]

describe('explain names the mistake', () => {
  for (const given of cases) {
    test(`${given.mistake}: ${given.causes.join(', ') || 'genuine'}`, async () => {
      const explained = await explain(given.body ?? body, given.headers ?? headers, given.secret ?? secret, {
        now: given.now ?? now,
      })
      assert.deepEqual(
        explained.causes.map(({ name }) => name),
        given.causes,
      )
      assert.equal(explained.genuine, given.causes.length === 0)
      for (const { text, advice } of explained.causes) assert.ok(text.endsWith('.') && advice.endsWith('.'))
      assert.ok(!JSON.stringify(explained).includes(secret.slice(8)), 'the secret is in the explanation')
    })
  }
})

test('a clock that is off is measured', async () => {
  const { causes } = await explain(body, headers, secret, { now: new Date(now.getTime() + 421_000) })
  assert.match(causes[0]?.text ?? '', /421 seconds behind your clock/)
})

test('a truncated body is explained by the two things that truncate bodies', async () => {
  const { causes } = await explain(
    body.subarray(0, 800),
    { ...headers, 'content-length': String(body.length) },
    secret,
    {
      now,
    },
  )
  assert.equal(causes[0]?.text, `The body is cut off after 800 of ${body.length} bytes.`)
  assert.match(causes[0]?.advice ?? '', /not just the first chunk.*size limit: allow 2 MB/)
})
