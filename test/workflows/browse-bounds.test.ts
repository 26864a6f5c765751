import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import type { Database } from '../../server/database/database.ts'
import { newId } from '../../server/database/ids.ts'
import { createOrganization } from '../../server/organizations/organizations.ts'
import { listRequests } from '../../server/organizations/request-log.ts'
import { searchBounded } from '../../server/workflows/bounded-search.ts'
import { browseInvitations, browseResults, browseTemplates } from '../../server/workflows/browse.ts'
import { engines } from '../../support/engines.ts'

const history = 20_000
const now = new Date()

for (const engine of engines) {
  describe(`searches that find nothing in a long history on ${engine.name}`, () => {
    let database: Database
    let organizationId: string
    const unusedTemplate = newId('tpl')
    before(async () => {
      database = await engine.open({ connections: 1 })
      organizationId = (await createOrganization(database, 'Acme', now)).id
      await storeHistory(database, organizationId, unusedTemplate)
    })
    after(() => database?.close())

    const searches: [name: string, search: () => Promise<unknown>][] = [
      ['templates by title', () => browseTemplates(database, organizationId, { limit: 25, search: 'nothing like it' })],
      ['invitations by name', () => browseInvitations(database, organizationId, { limit: 25, search: 'nobody' }, now)],
      [
        'invitations by template',
        () => browseInvitations(database, organizationId, { limit: 25, search: unusedTemplate }, now),
      ],
      [
        'results by email address',
        () => browseResults({ database, appUrl: '' }, organizationId, { limit: 25, search: 'nobody@example.com' }),
      ],
      [
        'results by template',
        () => browseResults({ database, appUrl: '' }, organizationId, { limit: 25, search: unusedTemplate }),
      ],
      ['requests by key', () => listRequests(database, organizationId, { limit: 25, keyId: 'key_unused' })],
      ['failed requests', () => listRequests(database, organizationId, { limit: 25, onlyErrors: true })],
      [
        'failed requests of a key',
        () => listRequests(database, organizationId, { limit: 25, keyId: 'key_used', onlyErrors: true }),
      ],
    ]

    for (const [name, search] of searches) {
      test(`${name}: a few blocks, not all of it`, async () => {
        // As often as in a process that has run for a while, so that the plan is the one that stays.
        for (let count = 0; count < 6; count += 1) await search()
        const before = await blocksRead(database)
        assert.deepEqual(await search(), { data: [], nextCursor: null })
        const read = (await blocksRead(database)) - before
        assert.ok(read < 60, `${read} blocks`)
      })
    }

    test('what matches is found the same way by every plan', async () => {
      const page = (from: string) => async () => [from]
      const ways = { fromMatching: page('matching'), fromNewest: page('newest'), wanted: 1 }
      const matching = sql`select from templates t where t.organization_id = ${organizationId}`
      const search = (few: number, wanted = 1) =>
        searchBounded(database, { ...ways, matching, wanted }, { few, newest: 10 })
      assert.deepEqual(await search(history * 2), ['matching'])
      assert.deepEqual(await search(10), ['newest'])
      assert.deepEqual(await search(10, 2), ['matching'], 'the newest rows held no full page')
    })
  })
}

async function storeHistory(database: Database, organizationId: string, unusedTemplate: string): Promise<void> {
  const names = sql`(
    select 'x' || lpad(number::text, 9, '0') as name, now() - number * interval '1 second' as at
    from generate_series(1, ${history}::int) number) n`
  await database.query(sql`
    insert into templates (id, organization_id, title, description, whiteboard_enabled, created_at, updated_at)
    select name, ${organizationId}, 'Title ' || name, 'D', false, at, at from ${names}
    union all select ${unusedTemplate}, ${organizationId}, 'Unused', 'D', false, now(), now()`)
  await database.query(sql`
    insert into candidates (id, organization_id, email_key) select name, ${organizationId}, name from ${names}`)
  await database.query(sql`
    insert into interviews (id, invitation_id, organization_id, template_id, candidate_id, email, email_key, first_name,
      last_name, token, status, superseded, expires_at, created_at, updated_at)
    select name, name, ${organizationId}, 'x000000001', name, name, name, 'Ada', 'Lovelace', name, 'COMPLETED',
      right(name, 1) = '0', at, at, at from ${names}`)
  await database.query(sql`
    insert into results (id, organization_id, interview_id, template_id, final, token, scoring, overall_score,
      completed_at, created_at)
    select name, ${organizationId}, name, 'x000000001', true, name, '{}', 1, at, at from ${names}`)
  await database.query(sql`
    insert into request_log (organization_id, at, key_id, method, route, status, request_id, milliseconds)
    select ${organizationId}, at, 'key_used', 'GET', '/v1/templates', 200, name, 1 from ${names}`)
  await database.script('analyze')
}

/** How many blocks of all tables and indexes this session has read so far. */
async function blocksRead(database: Database): Promise<number> {
  await database.query(sql`select pg_stat_force_next_flush()`)
  const [row] = await database.query<{ blocks: number }>(sql`
    select sum(heap_blks_hit + heap_blks_read + coalesce(idx_blks_hit + idx_blks_read, 0))::float8 as blocks
    from pg_statio_user_tables`)
  return row?.blocks ?? 0
}
