import assert from 'node:assert/strict'
import { test } from 'node:test'
import sql from 'sql-template-tag'
import { openPostgres } from '../../server/database/database.ts'
import { listResults } from '../../server/interviews/results.ts'
import { engine } from '../../support/engines.ts'
import { startPostgres } from '../../support/postgres.ts'
import { eventually } from '../../support/process.ts'
import { finish } from '../../support/results.ts'
import { startService } from '../../support/service.ts'

/** PostgreSQL forgets the IDs of transactions whose commit had not reached the disk, and gives them out again. */
test('a result that gets a transaction ID from before a crash is not skipped by an older cursor · RES-5 · ROB-6', async () => {
  const server = await startPostgres()
  // The fewer commits reach the disk by themselves, the more IDs are given out again.
  const calm = openPostgres({ url: server.url, connections: 1 })
  await calm.script(`alter system set wal_writer_delay = '10s'`)
  await calm.close()
  await server.stop('fast')
  await server.start()
  const openEmpty = async () => openPostgres({ url: await server.createDatabase(), connections: 2 })
  const service = await startService(engine('PostgreSQL', openEmpty))
  try {
    const { database } = service
    const { organizationId } = await service.partner()
    const page = async (cursor?: string | null) => {
      const read = await listResults(database, organizationId, { limit: 1, ...(cursor && { cursor }) }, { appUrl: '' })
      assert.ok(typeof read !== 'string', String(read))
      return { ids: read.data.map(({ resultId }) => resultId), nextCursor: read.nextCursor }
    }
    const nextTransaction = async () => {
      const [row] = await database.query<{ id: string }>(
        sql`select pg_snapshot_xmax(pg_current_snapshot())::text as id`,
      )
      return Number(row?.id)
    }
    const early = [await finish(service, organizationId), await finish(service, organizationId)]
    // As requests do: they count in a table that a crash empties, so their commit waits for nothing.
    const countRequests = async (requests: number) => {
      for (let count = 0; count < requests; count++) {
        await database.query(sql`
          insert into check_windows (organization_id, minute, used) values (${organizationId}, 1, 1)
          on conflict (organization_id) do update set used = check_windows.used + 1`)
      }
    }
    await countRequests(100)
    const first = await page()
    const before = await nextTransaction()
    await server.stop('immediate')
    await server.start()
    assert.ok(
      await eventually(() =>
        nextTransaction().then(
          () => true,
          () => false,
        ),
      ),
    )
    const late = await finish(service, organizationId)
    assert.ok((await nextTransaction()) < before, 'no transaction ID was given out again')
    await countRequests(100)
    assert.ok((await nextTransaction()) > before, 'the cursor is still from the future')

    const second = await page(first.nextCursor)
    const third = await page(second.nextCursor)
    const seen = [...first.ids, ...second.ids, ...third.ids]
    assert.deepEqual(seen.sort(), [...early, late].map(({ resultId }) => resultId).sort())
    assert.equal(third.nextCursor, null)
  } finally {
    await service.close()
    await server.close()
  }
})
