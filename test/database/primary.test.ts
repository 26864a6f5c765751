import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { createDatabase, openPostgres } from '../../server/database/database.ts'
import { DatabaseUnavailable } from '../../server/database/failures.ts'
import { nameOf } from '../../server/database/open-store.ts'
import { createPrimaryFinder, type ServerReport } from '../../server/database/primary.ts'
import { sharedPostgres } from '../../support/postgres.ts'

const [one, two] = ['postgres://u:s3cret@one/db', 'postgres://u:s3cret@two/db']

/** Two servers that report what the test says. */
function twoServers() {
  const reports = new Map<string, ServerReport>()
  const finder = createPrimaryFinder([one, two], async (server) => {
    const report = reports.get(server)
    assert.ok(report)
    return report
  })
  const moves: string[] = []
  finder.onMoved((primary) => moves.push(primary))
  return {
    finder,
    moves,
    primary: (server: string, timeline: number) => reports.set(server, { server, state: 'primary', timeline }),
    standby: (server: string) => reports.set(server, { server, state: 'read-only' }),
    down: (server: string, error: Error = new DatabaseUnavailable('connect ECONNREFUSED')) =>
      reports.set(server, { server, state: 'failed', error }),
    [Symbol.dispose]: finder.close,
  }
}

describe('the primary among several servers', () => {
  test('is the one that takes writes, wherever it stands in the list', async () => {
    using servers = twoServers()
    servers.standby(one)
    servers.primary(two, 1)
    await servers.finder.locate()
    assert.equal(servers.finder.current(), two)
    assert.deepEqual(servers.moves, [])
  })

  test('is the standby after its promotion', async () => {
    using servers = twoServers()
    servers.primary(one, 1)
    servers.standby(two)
    await servers.finder.locate()
    servers.down(one)
    servers.primary(two, 2)
    await servers.finder.locate()
    assert.equal(servers.finder.current(), two)
    assert.deepEqual(servers.moves, [two])
  })

  test('that is another one than before counts as a move', async () => {
    using servers = twoServers()
    servers.primary(one, 1)
    servers.standby(two)
    const database = createDatabase({ connectionString: one }, { primary: servers.finder })
    await servers.finder.locate()
    assert.equal(database.connections().moves, 0)
    servers.down(one)
    servers.primary(two, 2)
    await servers.finder.locate()
    await servers.finder.locate()
    assert.equal(database.connections().moves, 1)
    await database.close()
  })

  test('stays where it is while two addresses lead to the same server', async () => {
    for (const [first, second] of [
      [one, two],
      [two, one],
    ] as const) {
      using servers = twoServers()
      servers.primary(first, 1)
      servers.down(second)
      await servers.finder.locate()
      servers.primary(second, 1)
      await servers.finder.locate()
      assert.deepEqual([servers.finder.current(), servers.moves], [first, []])
    }
  })

  test('away: a server that rejects our login does not make it look permanent, except at the start · ROB-1', async () => {
    using servers = twoServers()
    const rejected = new Error('password authentication failed')
    servers.down(one, rejected)
    servers.down(two)
    await assert.rejects(servers.finder.locate(), rejected)
    using running = twoServers()
    running.down(one, rejected)
    running.primary(two, 1)
    await running.finder.locate()
    running.down(two)
    await assert.rejects(running.finder.locate(), DatabaseUnavailable)
  })

  test('is never a former primary that came back without becoming a standby · ROB-6', async () => {
    using servers = twoServers()
    servers.primary(one, 1)
    servers.primary(two, 2)
    await servers.finder.locate()
    assert.equal(servers.finder.current(), two)
    servers.down(two)
    await assert.rejects(servers.finder.locate(), {
      name: 'DatabaseUnavailable',
      message: 'no server accepts writes: one is an old primary; connect ECONNREFUSED',
    })
    assert.equal(servers.finder.current(), two)
  })

  test('is missing during a failover, and the message names no password', async () => {
    using servers = twoServers()
    servers.down(one)
    servers.standby(two)
    await assert.rejects(servers.finder.locate(), (error) => {
      assert.ok(error instanceof DatabaseUnavailable)
      assert.equal(error.message, 'no server accepts writes: connect ECONNREFUSED; two is read-only')
      return true
    })
  })

  test('cannot be found with a wrong password, which is not temporary', async () => {
    using servers = twoServers()
    servers.down(one)
    servers.down(two, new Error('password authentication failed'))
    await assert.rejects(servers.finder.locate(), { message: 'password authentication failed' })
  })
})

describe('several servers in DATABASE_URL', () => {
  test('work if the first is down', async () => {
    const server = await sharedPostgres()
    const url = new URL(await server.createDatabase())
    const several = url.href.replace(url.host, `127.0.0.1:1,${url.host}`)
    const database = openPostgres({ url: several, connections: 2 })
    const rows = await database.query<{ name: string }>(sql`select current_database() as name`)
    await database.close()
    assert.deepEqual(rows, [{ name: url.pathname.slice(1) }])
    const store = { engine: 'postgres', url: several, connections: 1 } as const
    assert.equal(nameOf(store), `127.0.0.1:1,${url.host}${url.pathname}`)
  })

  test('say which are down if all are', async () => {
    const database = openPostgres({ url: 'postgres://u:s3cret@127.0.0.1:1,127.0.0.1:2/db', connections: 2 })
    await assert.rejects(database.query(sql`select`), (error) => {
      assert.ok(error instanceof DatabaseUnavailable)
      assert.match(error.message, /^no server accepts writes: .*ECONNREFUSED.*; .*ECONNREFUSED.*/)
      assert.doesNotMatch(error.message, /s3cret/)
      return true
    })
    await database.close()
  })
})

describe('a read-only server', () => {
  test('is not used: a new connection to it fails', async () => {
    const server = await sharedPostgres()
    const url = await server.createDatabase()
    const database = openPostgres({ url, connections: 1 })
    await database.script(`alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`)
    await database.close()
    const later = openPostgres({ url, connections: 1 })
    await assert.rejects(later.query(sql`select`), { message: 'the server is read-only, like a standby' })
    await later.close()
  })

  test('is noticed at the first write, and its connection dropped', async () => {
    const server = await sharedPostgres()
    const database = openPostgres({ url: await server.createDatabase(), connections: 1 })
    await database.script('create table things (id int)')
    await database.script('set session characteristics as transaction read only')
    await assert.rejects(database.query(sql`insert into things values (1)`), DatabaseUnavailable)
    await database.query(sql`insert into things values (1)`)
    await database.close()
  })
})
