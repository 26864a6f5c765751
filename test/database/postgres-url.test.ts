import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePostgresUrl } from '../../server/database/postgres-url.ts'

const valid: [text: string, servers: string[], name: string][] = [
  ['postgres://u:p@host/db', ['postgres://u:p@host/db'], 'host/db'],
  ['postgresql://u:p@host:5433/db?sslmode=require', ['postgresql://u:p@host:5433/db?sslmode=require'], 'host:5433/db'],
  ['postgres:///db?host=/run/postgresql', ['postgres:///db?host=/run/postgresql'], '/run/postgresql/db'],
  ['postgres:///db', ['postgres:///db'], 'localhost/db'],
  [
    'postgres://u:p@one:5432,two:5433/db?target_session_attrs=read-write',
    ['postgres://u:p@one:5432/db', 'postgres://u:p@two:5433/db'],
    'one:5432,two:5433/db',
  ],
  [
    'postgres://u@one,two,three/db',
    ['postgres://u@one/db', 'postgres://u@two/db', 'postgres://u@three/db'],
    'one,two,three/db',
  ],
  [
    'postgres://u:p,q%40r@[::1]:5432,[::2]/db?sslmode=require&target_session_attrs=primary',
    ['postgres://u:p,q%40r@[::1]:5432/db?sslmode=require', 'postgres://u:p,q%40r@[::2]/db?sslmode=require'],
    '[::1]:5432,[::2]/db',
  ],
]

for (const [text, servers, name] of valid) {
  test(`DATABASE_URL ${text}`, () => assert.deepEqual(parsePostgresUrl(text), { servers, name }))
}

const form = /^must be an address such as postgres:/
const list = /^must name each server as host or host:port, separated by commas\. Percent-encode/
const invalid: [text: string, fault: RegExp][] = [
  ['mysql://u:s3cret@host/db', form],
  ['s3cret', form],
  ['postgres:s3cret', form],
  ['postgres://u:s3c/ret@host/db', form],
  ['postgres://u:s3cret@host:port/db', form],
  ['postgres://u:s3cret@one,/db', list],
  ['postgres://u:s3cret@one:5432,two:x/db', list],
  ['postgres://u:s3c/ret@one,two/db', form],
  ['postgres://u:s3cret@one,two/db?host=three', /^must name several servers before the database/],
  ['postgres://u:s3cret@/db?host=one,two', form],
  ['postgres:///db?host=one,two', /^must name several servers before the database/],
  ['postgres://u:s3cret@one,two/db?target_session_attrs=any', /^must have target_session_attrs=read-write or primary/],
  ['postgres://u:s3cret@one/db?target_session_attrs=standby', /^must have target_session_attrs=read-write or primary/],
]

for (const [text, fault] of invalid) {
  test(`an invalid DATABASE_URL, and no password in the message: ${text}`, () => {
    const parsed = parsePostgresUrl(text)
    assert.ok('fault' in parsed)
    assert.match(parsed.fault, fault)
    assert.doesNotMatch(parsed.fault, /s3c/)
  })
}
