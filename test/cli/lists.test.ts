import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { newId } from '../../server/database/ids.ts'
import { createListenToken } from '../../server/workflows/administer-listening.ts'
import { type Commands, commandsOf } from '../../support/commands.ts'
import { engines } from '../../support/engines.ts'
import { type Service, startService } from '../../support/service.ts'

type Listed = { data: Record<string, unknown>[]; nextCursor: string | null }

for (const engine of engines) {
  describe(`lists on ${engine.name}`, () => {
    let service: Service
    let commands: Commands
    let of: string[]
    before(async () => {
      service = await startService(engine)
      commands = commandsOf(service)
      const { organizationId } = await service.partner()
      of = ['--organization', organizationId]
      for (const name of ['ada', 'grace', 'edsger']) {
        await service.partner()
        await commands.json('key', 'create', ...of, '--label', name, '--scopes', 'results:read')
        await commands.json('member', 'add', ...of, '--email', `${name}@acme.example`, '--role', 'viewer')
        await createListenToken(service.database, { organizationId, actor: 'test' }, service.time.now)
      }
    })
    after(() => service.close())

    for (const name of ['organization', 'member', 'key', 'listen-token']) {
      test(`${name} list --all prints every page, --limit and --cursor one at a time`, async () => {
        const list = [name, 'list', ...(name === 'organization' ? [] : of)]
        const paged: unknown[] = []
        let cursor: string[] = []
        do {
          const page: Listed = await commands.json(...list, '--limit', '2', ...cursor)
          assert.ok(page.data.length <= 2)
          paged.push(...page.data)
          cursor = page.nextCursor === null ? [] : ['--cursor', page.nextCursor]
        } while (cursor.length > 0)
        assert.ok(paged.length > 2)
        assert.deepEqual(await commands.json(...list, '--all'), { data: paged, nextCursor: null })
        assert.match(
          (await commands.run(...list, '--limit', '2')).stdout,
          /\n\nThere are more\. Next page: --cursor \S+\n$/,
        )
        assert.equal(
          await commands.error(...list, '--cursor', 'x'),
          '--cursor must be a value printed with an earlier page',
        )
      })
    }

    test('--all goes past the largest page', async () => {
      const ids = Array.from({ length: 10_001 }, () => newId('org'))
      await service.database.query(sql`
        insert into organizations (id, name, active, created_at)
        select id, 'Acme', true, now() from unnest(${ids}::text[]) id`)
      const { data, nextCursor } = await commands.json<Listed>('organization', 'list', '--all')
      assert.deepEqual([data.slice(-ids.length).map(({ id }) => id), nextCursor], [ids, null])
    })
  })
}
