import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { newId } from '../../server/database/ids.ts'
import type { Template } from '../../server/interviews/templates.ts'
import { engines } from '../../support/engines.ts'
import { assertRefused } from '../../support/error-responses.ts'
import { raceOnLock } from '../../support/race-on-lock.ts'
import { finish } from '../../support/results.ts'
import { apiUrl, type Partner, type Service, startService } from '../../support/service.ts'

const emoji = '😀'
const badText = 'must be text without NUL characters or unpaired surrogates'

/** Errors that creating and changing a template share. */
const invalidFields: [fields: Record<string, unknown>, error: string][] = [
  [{ title: '' }, 'title is required'],
  [{ title: ' \t\r\n\u00a0 ' }, 'title is required'],
  [{ title: 'x'.repeat(201) }, 'title must be at most 200 characters'],
  [{ title: emoji.repeat(201) }, 'title must be at most 200 characters'],
  [{ title: 1 }, 'title must be a string'],
  [{ title: ['T'] }, 'title must be a string'],
  [{ title: 'a\u0000b' }, `title ${badText}`],
  [{ title: '\ud83d' }, `title ${badText}`],
  [{ description: '  ' }, 'description is required'],
  [{ description: 'x'.repeat(10_001) }, 'description must be at most 10000 characters'],
  [{ description: {} }, 'description must be a string'],
  [{ externalPostingId: '' }, 'externalPostingId is required'],
  [{ externalPostingId: 'x'.repeat(256) }, 'externalPostingId must be at most 255 characters'],
  [{ externalPostingId: '\u0000' }, `externalPostingId ${badText}`],
  [{ whiteboardEnabled: 'true' }, 'whiteboardEnabled must be true or false'],
  [{ whiteboardEnabled: 1 }, 'whiteboardEnabled must be true or false'],
  [{ titel: 'T' }, 'Unknown field: titel'],
  [{ id: 'tpl_1' }, 'Unknown field: id'],
  [{ organizationId: 'org_1' }, 'Unknown field: organizationId'],
  [{ whiteboard_task: {} }, 'Unknown field: whiteboard_task'],
  [{ title: '', whiteboardEnabled: 0 }, 'title is required; whiteboardEnabled must be true or false'],
]

const invalidNew: [fields: Record<string, unknown>, error: string][] = [
  [{}, 'title is required; description is required'],
  [{ title: 'T' }, 'description is required'],
  [{ description: 'D' }, 'title is required'],
  [{ titel: 'T', description: 'D' }, 'title is required; Unknown field: titel'],
  [{ title: null, description: 'D' }, 'title must be a string'],
  [{ title: 'T', description: 'D', externalPostingId: 4711 }, 'externalPostingId must be a string'],
  ...invalidFields.map(([fields, error]): [Record<string, unknown>, string] => [
    { title: 'T', description: 'D', ...fields },
    error,
  ]),
]

const invalidChanges: [fields: Record<string, unknown>, error: string][] = [
  [{}, 'Request body must have at least one field to change'],
  [{ title: null, whiteboardEnabled: null }, 'Request body must have at least one field to change'],
  [{ externalPostingId: 4711 }, 'externalPostingId must be a string or null'],
  ...invalidFields,
]

for (const engine of engines) {
  describe(`templates on ${engine.name}`, () => {
    let service: Service
    let partner: Partner
    before(async () => {
      service = await startService(engine)
    })
    after(() => service.close())
    beforeEach(async () => {
      service.time.now = new Date('2026-03-01T12:00:00.000Z')
      partner = await service.partner({ unlimited: true })
    })

    const post = (fields: unknown) => partner.call<Template>('POST', '/v1/templates', fields)
    const patch = (id: string, changes: unknown) => partner.call<Template>('PATCH', `/v1/templates/${id}`, changes)
    const get = (id: string) => partner.call<Template>('GET', `/v1/templates/${id}`)

    test('an optional field may be null', async () => {
      const fields = { title: 'T', description: 'D', externalPostingId: null, whiteboardEnabled: null }
      const { status, body } = await partner.call<Template>('POST', '/v1/templates', fields)
      assert.deepEqual([status, body.externalPostingId, body.whiteboardEnabled], [201, null, false])
    })

    test('POST creates a template from title and description · TPL-1 TPL-5', async () => {
      const created = await post({ title: 'Backend engineer', description: 'Queues and databases.' })
      assert.equal(created.status, 201)
      assert.match(created.body.id, /^tpl_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
      assert.equal(created.headers.get('location'), `${apiUrl}/v1/templates/${created.body.id}`)
      assert.deepEqual(created.body, {
        id: created.body.id,
        title: 'Backend engineer',
        description: 'Queues and databases.',
        externalPostingId: null,
        whiteboardEnabled: false,
        createdAt: '2026-03-01T12:00:00.000Z',
        updatedAt: '2026-03-01T12:00:00.000Z',
      })
      assert.deepEqual((await get(created.body.id)).body, created.body)
    })

    test('text is trimmed, then its length is counted in characters · TPL-1', async () => {
      const title = emoji.repeat(200)
      const created = await post({ title: `\n ${title}\t`, description: ` ${'é'.repeat(10_000)} ` })
      assert.equal(created.status, 201)
      assert.equal(created.body.title, title)
      assert.equal(created.body.description, 'é'.repeat(10_000))
      const changed = await patch(created.body.id, { title: ' U ', description: '\u3000V' })
      assert.deepEqual([changed.body.title, changed.body.description], ['U', 'V'])
    })

    test('the same externalPostingId returns the stored template, unchanged · TPL-2', async () => {
      const posting = { externalPostingId: 'job-4711' }
      const first = await post({ title: 'T', description: 'D', whiteboardEnabled: true, ...posting })
      service.time.now = new Date('2026-03-02T00:00:00.000Z')
      const second = await post({ title: 'Other', description: 'Other', whiteboardEnabled: false, ...posting })
      assert.deepEqual([first.status, second.status], [201, 200])
      assert.deepEqual(second.body, first.body)
      assert.equal(second.headers.get('location'), null)
      assert.deepEqual((await get(first.body.id)).body, first.body)
    })

    test('fifty concurrent requests with one posting create one template · TPL-2', async () => {
      const attempts = Array.from({ length: 50 }, (_, index) =>
        post({ title: `T${index}`, description: 'D', externalPostingId: 'job-50' }),
      )
      const responses = await Promise.all(attempts)
      const statuses = responses.map(({ status }) => status).sort((a, b) => b - a)
      assert.deepEqual(statuses, [201, ...Array.from({ length: 49 }, () => 200)])
      for (const { body } of responses) assert.deepEqual(body, responses[0]?.body)
      assert.equal(await stored(), 1)
    })

    if (engine.name === 'PostgreSQL') {
      test('requests that race in the database create one template · TPL-2', async () => {
        const fields = { title: 'T', description: 'D', externalPostingId: 'job-6' }
        const hold = sql`
          insert into templates (id, organization_id, title, description, external_posting_id, whiteboard_enabled,
            created_at, updated_at)
          values ('held', ${partner.organizationId}, '', '', 'job-6', false, now(), now())`
        const responses = await raceOnLock(service.database, hold, () => Array.from({ length: 6 }, () => post(fields)))
        const statuses = responses.map(({ status }) => status).sort()
        assert.deepEqual(statuses, [200, 200, 200, 200, 200, 201])
        for (const { body } of responses) assert.deepEqual(body, responses[0]?.body)
      })
    }

    test('postings are compared exactly: case, spaces and Unicode forms matter · TPL-2', async () => {
      const postings = ['job', 'Job', ' job', 'job ', 'é', 'e\u0301', emoji.repeat(255)]
      const ids = new Set<string>()
      for (const externalPostingId of postings) {
        const { status, body } = await post({ title: 'T', description: 'D', externalPostingId })
        assert.deepEqual([status, body.externalPostingId], [201, externalPostingId])
        ids.add(body.id)
      }
      assert.equal(ids.size, postings.length)
    })

    test('one posting in two organizations creates two templates · TPL-3', async () => {
      const fields = { title: 'T', description: 'D', externalPostingId: 'shared' }
      const other = await (await service.partner()).call<Template>('POST', '/v1/templates', fields)
      const own = await post(fields)
      assert.deepEqual([other.status, own.status], [201, 201])
      assert.notEqual(other.body.id, own.body.id)
    })

    test('without a posting every POST creates a new template · TPL-4', async () => {
      const one = await post({ title: 'T', description: 'D' })
      const other = await post({ title: 'T', description: 'D' })
      assert.deepEqual([one.status, other.status], [201, 201])
      assert.notEqual(one.body.id, other.body.id)
    })

    for (const [fields, error] of invalidNew) {
      test(`POST ${shown(fields)}: ${error} · TPL-8`, async () => {
        assertRefused(await post(fields), 400, error)
        assert.equal(await stored(), 0)
      })
    }

    test('PATCH changes only the fields that are sent · TPL-7', async () => {
      const { body: created } = await post({ title: 'T', description: 'D', externalPostingId: 'job-1' })
      const steps: Partial<Template>[] = [
        { title: 'U' },
        { description: 'E' },
        { whiteboardEnabled: true },
        { externalPostingId: 'job-2' },
        { externalPostingId: null },
        { externalPostingId: 'job-1' },
        { title: 'V', description: 'F', whiteboardEnabled: false, externalPostingId: null },
      ]
      let expected = created
      for (const [index, changes] of steps.entries()) {
        service.time.now = new Date(Date.parse(created.createdAt) + (index + 1) * 1000)
        expected = { ...expected, ...changes, updatedAt: service.time.now.toISOString() }
        const changed = await patch(created.id, changes)
        assert.deepEqual([changed.status, changed.body], [200, expected])
        assert.deepEqual((await get(created.id)).body, expected)
      }
    })

    test('PATCH treats null as not given, except for the posting · TPL-7', async () => {
      const { body: created } = await post({ title: 'T', description: 'D', externalPostingId: 'job-1' })
      const nothing = { title: null, description: null, whiteboardEnabled: null }
      const { status, body } = await patch(created.id, { ...nothing, externalPostingId: null })
      assert.deepEqual([status, body.title, body.description, body.externalPostingId], [200, 'T', 'D', null])
      assert.equal((await patch(created.id, nothing)).status, 400)
    })

    test('an unmapped posting can be mapped to a new template · TPL-7', async () => {
      const fields = { title: 'T', description: 'D', externalPostingId: 'job-1' }
      const { body: first } = await post(fields)
      await patch(first.id, { externalPostingId: null })
      const second = await post(fields)
      assert.equal(second.status, 201)
      assert.notEqual(second.body.id, first.id)
      assertRefused(
        await patch(first.id, { externalPostingId: 'job-1' }),
        409,
        'externalPostingId is already mapped to another template',
      )
    })

    test('a taken posting is 409 and changes nothing, and mapping a posting to its own template works · TPL-7', async () => {
      await post({ title: 'T', description: 'D', externalPostingId: 'taken' })
      const { body: created } = await post({ title: 'T', description: 'D', externalPostingId: 'mine' })
      const refused = await patch(created.id, { title: 'U', externalPostingId: 'taken' })
      assertRefused(refused, 409, 'externalPostingId is already mapped to another template')
      assert.deepEqual((await get(created.id)).body, created)
      assert.equal((await patch(created.id, { externalPostingId: 'mine' })).status, 200)
    })

    for (const [changes, error] of invalidChanges) {
      test(`PATCH ${shown(changes)}: ${error} · TPL-8`, async () => {
        const { body: created } = await post({ title: 'T', description: 'D' })
        service.time.now = new Date('2026-04-01T00:00:00.000Z')
        assertRefused(await patch(created.id, changes), 400, error)
        assert.deepEqual((await get(created.id)).body, created)
      })
    }

    test('an unknown template is 404 for GET and PATCH · TPL-7', async () => {
      for (const id of [newId('tpl'), newId('res'), 'tpl_', 'x', newId('tpl').toUpperCase(), `${newId('tpl')}%20`]) {
        assertRefused(await get(id), 404, 'Template not found')
        assertRefused(await patch(id, { title: 'T' }), 404, 'Template not found')
      }
    })

    test('no response of any route contains internal whiteboard metadata · TPL-6', async () => {
      const fields = { title: 'T', description: 'D', externalPostingId: 'board', whiteboardEnabled: true }
      const { body: created } = await post(fields)
      const [stored] = await service.database.query<{ task: Record<string, string> }>(
        sql`select whiteboard_task as task from templates where id = ${created.id}`,
      )
      assert.ok(stored?.task, 'a template with the whiteboard enabled has a task')
      const { invitation } = await finish(service, partner.organizationId, { templateId: created.id })
      const candidate = { email: 'ada@example.com', firstName: 'Ada' }
      const responses = [
        await post(fields),
        await get(created.id),
        await patch(created.id, { title: 'U' }),
        await partner.call('GET', '/v1/templates'),
        await partner.call('GET', '/v1/templates?externalPostingId=board'),
        await partner.call('POST', '/v1/interview-invitations', { templateId: created.id, candidate }),
        await partner.call('GET', `/v1/interview-results?invitationId=${invitation.id}`),
      ]
      for (const { status, text } of responses) {
        assert.ok(status < 300, text)
        for (const word of [...Object.keys(stored.task), ...Object.values(stored.task), 'whiteboard_task', 'task']) {
          assert.ok(!text.includes(word), `${word} in ${text}`)
        }
      }
      assert.deepEqual((await patch(created.id, { whiteboardEnabled: false })).body.whiteboardEnabled, false)
    })

    async function stored(): Promise<number | undefined> {
      const [row] = await service.database.query<{ count: number }>(
        sql`select count(*) as count from templates where organization_id = ${partner.organizationId}`,
      )
      return row?.count
    }
  })
}

function shown(fields: unknown): string {
  const text = JSON.stringify(fields)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
