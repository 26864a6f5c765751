import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { emailKeyOf, folded } from '../../server/interviews/email-key.ts'
import { type Commands, commandsOf } from '../../support/commands.ts'
import { engines } from '../../support/engines.ts'
import { type Partner, type Service, startService } from '../../support/service.ts'

const composed = 'jos\u00e9@example.com'
const decomposed = 'Jose\u0301@example.com'

type Invitation = { id: string; candidate: { id: string; email: string } }

// The iota subscript is part of the letter before it, and the dotless ı is another letter than i.
const codePoints = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code)).filter(
  (letter) => letter.isWellFormed() && letter !== '\u0345' && letter !== 'ı',
)

test('a letter and its capital have one key, in either spelling of their accents · INV-2', () => {
  for (const letter of codePoints) {
    const key = emailKeyOf(letter)
    const capital = letter.toUpperCase()
    if ([...capital].length === 1) assert.equal(emailKeyOf(capital), key, letter)
    for (const other of [key, letter.toLowerCase(), letter.normalize('NFD')])
      assert.equal(emailKeyOf(other), key, letter)
  }
})

for (const engine of engines) {
  describe(`two spellings of one email address on ${engine.name}`, () => {
    let service: Service
    let commands: Commands
    let partner: Partner
    let templateId: string
    before(async () => {
      service = await startService(engine)
      commands = commandsOf(service)
      partner = await service.partner()
      const template = await partner.call<{ id: string }>('POST', '/v1/templates', { title: 'T', description: 'D' })
      templateId = template.body.id
    })
    after(() => service.close())

    const invite = (email: string) =>
      partner.call<Invitation>('POST', '/v1/interview-invitations', {
        templateId,
        candidate: { email, firstName: 'José' },
      })
    const erase = (email: string) =>
      commands.json('candidate', 'erase', '--organization', partner.organizationId, '--email', email)

    test('are one candidate with one invitation, and either can be used to erase it', async () => {
      const first = await invite(composed)
      const second = await invite(decomposed)
      assert.deepEqual([first.status, second.status], [201, 200])
      assert.equal(second.body.candidate.id, first.body.candidate.id)
      assert.partialDeepStrictEqual(await erase(decomposed), { candidateId: first.body.candidate.id, interviews: 1 })
    })

    test('with letters that share a capital are one candidate · INV-2', async () => {
      for (const [one, other] of [
        ['\u00b5@example.com', '\u039c@example.com'],
        ['\u017fara@example.com', 'SARA@example.com'],
        ['\u03d0@example.com', '\u0392@example.com'],
        ['\u1e9b@example.com', '\u1e60@example.com'],
      ] as const) {
        const [first, second] = [await invite(one), await invite(other)]
        assert.deepEqual([first.status, second.status], [201, 200], one)
        assert.equal(second.body.id, first.body.id)
      }
    })

    test('have one key in SQL, too', async () => {
      const letters = codePoints
        .map((letter) => letter.toLowerCase())
        .filter((letter) => letter !== letter.toUpperCase())
      const rows = await service.database.query<{ letter: string; key: string }>(sql`
        select letter, ${folded(sql`letter`)} as key from unnest(${letters}::text[]) as given (letter)`)
      assert.ok(rows.length > 2_000)
      for (const { letter, key } of rows) assert.equal(key, emailKeyOf(letter))
    })

    test('that used to be two candidates are erased together', async () => {
      const first = await invite(composed)
      await service.database.query(sql`
        update candidates set email_key = ${decomposed.toLowerCase()} where id = ${first.body.candidate.id}`)
      await service.database.query(sql`
        update interviews set email_key = ${decomposed.toLowerCase()} where candidate_id = ${first.body.candidate.id}`)
      const second = await invite(composed)
      assert.equal(second.status, 201)
      assert.partialDeepStrictEqual(await erase(composed), { interviews: 2 })
      const left = await service.database.query(sql`select from interviews where email_key like 'jos%'`)
      assert.equal(left.length, 0)
    })
  })
}
