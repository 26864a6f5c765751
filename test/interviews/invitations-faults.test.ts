import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { engines } from '../../support/engines.ts'
import { assertRefused } from '../../support/error-responses.ts'
import { type Partner, type Service, startService } from '../../support/service.ts'

const ada = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' }
const badEmail = 'candidate.email must be a valid email address'
const badText = 'must be text without NUL characters or unpaired surrogates'
const days = 'expiresInDays must be an integer between 1 and 90'

const invalidFields: [fields: Record<string, unknown>, error: string][] = [
  [{ templateId: undefined }, 'templateId is required'],
  [{ templateId: 5 }, 'templateId must be a string'],
  [{ templateId: 'x'.repeat(256) }, 'templateId must be at most 255 characters'],
  [{ candidate: undefined }, 'candidate is required'],
  [{ candidate: null }, 'candidate must be an object'],
  [{ candidate: 'ada@example.com' }, 'candidate must be an object'],
  [{ candidate: [] }, 'candidate must be an object'],
  [{ candidate: {} }, 'candidate.email is required; candidate.firstName is required'],
  [{ candidate: { ...ada, firstName: ' ' } }, 'candidate.firstName is required'],
  [{ candidate: { ...ada, firstName: '😀'.repeat(101) } }, 'candidate.firstName must be at most 100 characters'],
  [{ candidate: { ...ada, firstName: '\ud800' } }, `candidate.firstName ${badText}`],
  [{ candidate: { ...ada, lastName: 'x'.repeat(101) } }, 'candidate.lastName must be at most 100 characters'],
  [{ candidate: { ...ada, lastName: 'a\u0000' } }, `candidate.lastName ${badText}`],
  [{ candidate: { ...ada, email: 7 } }, 'candidate.email must be a string'],
  [{ candidate: { ...ada, id: 'cand_1' } }, 'Unknown field: candidate.id'],
  [{ candidate: { ...ada, phone: '1' }, note: '' }, 'Unknown field: note; Unknown field: candidate.phone'],
  ...[0, 91, -1, 1.5, '30', 1e300].map((value): [Record<string, unknown>, string] => [{ expiresInDays: value }, days]),
]

const refusedEmails = [
  '',
  'ada',
  '@example.com',
  'ada@',
  'ada@example',
  'ada@.com',
  'ada@example..com',
  'ada@-example.com',
  'ada@example.com.',
  '.ada@example.com',
  'ada.@example.com',
  'a..da@example.com',
  'ada lovelace@example.com',
  'ada@exam ple.com',
  'Ada <ada@example.com>',
  'ada@example.com, bob@example.com',
  'ada@example.com\nbcc: bob@example.com',
  'ada\u0000@example.com',
  'ada\u200b@example.com',
  '\ud800@example.com',
  'ada@[127.0.0.1]',
  `${'a'.repeat(65)}@example.com`,
]

const takenEmails = [
  'a@b.co',
  "o'hara+tag@mail.example.com",
  '!#$%&*/=?^_`{|}~-@example.com',
  'jürgen@müller.example',
  '用户@例子.公司',
  'ada@xn--mller-kva.example',
  addressOf(254),
]

for (const engine of engines) {
  describe(`invalid invitations on ${engine.name}`, () => {
    let service: Service
    let partner: Partner
    let templateId: string
    before(async () => {
      service = await startService(engine)
      partner = await service.partner({ unlimited: true })
      const { body } = await partner.call<{ id: string }>('POST', '/v1/templates', { title: 'T', description: 'D' })
      templateId = body.id
    })
    after(() => service.close())

    const post = (fields: Record<string, unknown>) =>
      partner.call('POST', '/v1/interview-invitations', { templateId, candidate: ada, ...fields })

    async function stored(): Promise<number | undefined> {
      const [row] = await service.database.query<{ count: number }>(
        sql`select (select count(*) from interviews) + (select count(*) from candidates) as count`,
      )
      return row?.count
    }

    for (const [fields, error] of invalidFields) {
      test(`${shown(fields)}: ${error}, and nothing is stored · INV-1`, async () => {
        const before = await stored()
        assertRefused(await post(fields), 400, error)
        assert.equal(await stored(), before)
      })
    }

    test('invalid email addresses are rejected · INV-1', async () => {
      const before = await stored()
      for (const email of refusedEmails) {
        const response = await post({ candidate: { ...ada, email } })
        assert.deepEqual([email, response.status, response.body], [email, 400, { error: badEmail }])
      }
      const response = await post({ candidate: { ...ada, email: addressOf(255) } })
      assertRefused(response, 400, 'candidate.email must be at most 254 characters')
      assert.equal(await stored(), before)
    })

    test('unusual but valid email addresses are accepted · INV-1', async () => {
      for (const email of takenEmails) {
        const response = await post({ candidate: { ...ada, email } })
        assert.equal(response.status, 201, `${email}: ${response.text}`)
      }
    })

    test('names of a hundred characters are accepted, whatever the characters · INV-1', async () => {
      const names = { firstName: '😀'.repeat(100), lastName: '字'.repeat(100) }
      const response = await post({ candidate: { email: 'long@example.com', ...names } })
      assert.equal(response.status, 201, response.text)
    })
  })
}

/** An address of this length, with each part within its own limits. */
function addressOf(length: number): string {
  const start = `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.`
  return `${start}${'d'.repeat(length - start.length - '.io'.length)}.io`
}

function shown(fields: Record<string, unknown>): string {
  const text = JSON.stringify(fields, (_, value) => (value === undefined ? 'left out' : value))
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
