import type { Random } from '../../support/random.ts'

const json = 'application/json'
const form = 'application/x-www-form-urlencoded'
const jpeg = 'image/jpeg'
const parts = 'multipart/form-data; boundary=a'

export type BodyType = typeof json | typeof form | typeof jpeg | typeof parts

export type Body = { name: string; type: BodyType; bytes: Buffer }

const small: readonly (readonly [name: string, type: BodyType, text: string])[] = [
  ['an empty body', json, ''],
  ['an empty object', json, '{}'],
  ['half an object', json, '{"a":'],
  ['a sign-in', json, '{"email":"a@example.com","password":"wrong"}'],
  ['a sign-in with NUL', json, '{"email":"a\\u0000@example.com","password":"\\u0000"}'],
  ['a status', json, '{"status":"IN_PROGRESS"}'],
  ['a template', json, '{"title":"T","description":"D"}'],
  ['a prototype', json, '{"__proto__":{"a":1},"constructor":{"prototype":{"a":1}}}'],
  ['a number out of range', json, '{"a":1e999,"b":-1e999}'],
  ['half a character', json, '{"a":"\\ud800"}'],
  ['invalid UTF-8', json, '{"a":"\xc0\x80\xff"}'],
  ['a byte order mark', json, '\xef\xbb\xbf{}'],
  ['a short form', form, 'a=b&a=c&%=%&=&a'],
  ['the head of a JPEG', jpeg, '\xff\xd8\xff\xe0\0\x10JFIF\0'],
  ['parts', parts, '--a\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--a--\r\n'],
]

/** Each can have any length, which exposes processing that takes more than linear time. */
const large: readonly (readonly [name: string, type: BodyType, make: (length: number) => string])[] = [
  ['a form of names', form, (length) => 'a&'.repeat(length / 2)],
  ['a form of pairs', form, (length) => Array.from({ length: length / 9 }, (_, at) => `a${at}=b`).join('&')],
  ['a form of percent signs', form, (length) => `a=${'%'.repeat(length)}`],
  ['a form of escapes', form, (length) => `a=${'%41'.repeat(length / 3)}`],
  ['a form of equals signs', form, (length) => '='.repeat(length)],
  ['a form of plus signs', form, (length) => `a=${'+'.repeat(length)}`],
  ['deep arrays', json, (length) => `${'['.repeat(length / 2)}${']'.repeat(length / 2)}`],
  ['deep objects', json, (length) => `${'{"a":'.repeat(length / 6)}1${'}'.repeat(length / 6)}`],
  ['many names', json, (length) => `{${Array.from({ length: length / 10 }, (_, at) => `"a${at}":1`).join(',')}}`],
  ['the same name', json, (length) => `{${'"a":1,'.repeat(length / 6)}"a":1}`],
  ['a long number', json, (length) => `{"a":${'1'.repeat(length)}}`],
  ['a long text', json, (length) => `{"email":"${'a'.repeat(length)}","password":"${'b'.repeat(length)}"}`],
  ['a text of escapes', json, (length) => `{"title":"${'\\u0041'.repeat(length / 6)}"}`],
  ['many at signs', json, (length) => `{"email":"${'a@'.repeat(length / 2)}"}`],
  ['blanks', json, (length) => `{${' '.repeat(length)}}`],
  ['an image of zeros', jpeg, (length) => `\xff\xd8${'\0'.repeat(length)}`],
  ['an image of markers', jpeg, (length) => `\xff\xd8${'\xff\xe0\0\x02'.repeat(length / 4)}`],
]

const sizes = [120_000, 250_000, 1_000_000, 2_000_000, 4_100_000]

/** Usually a small one, sometimes one at or above the limit of a route. */
export function bodyOf(random: Random, type?: BodyType): Body {
  const fits = ([, its]: readonly [string, BodyType, ...unknown[]]) => type === undefined || its === type
  if (random.chance(type === undefined ? 0.9 : 0.7)) {
    const [name, its, text] = random.pick(small.filter(fits))
    return { name, type: its, bytes: Buffer.from(text, 'latin1') }
  }
  const [name, its, make] = random.pick(large.filter(fits))
  const length = random.chance(0.7) ? random.between(1_000, 30_000) : random.pick(sizes)
  return { name, type: its, bytes: Buffer.from(make(length), 'latin1') }
}
