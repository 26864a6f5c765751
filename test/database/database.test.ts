import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import sql, { type Sql } from 'sql-template-tag'
import { type Database, openPostgres, type Queryable } from '../../server/database/database.ts'
import { connectionProblem, DatabaseUnavailable, isUniqueViolation } from '../../server/database/failures.ts'
import { newId } from '../../server/database/ids.ts'
import { migrate, missingMigrations, serverVersion } from '../../server/database/migrate.ts'
import { engines } from '../../support/engines.ts'
import { sharedPostgres } from '../../support/postgres.ts'

const values: [name: string, selected: Sql, expected: unknown][] = [
  ['text with special characters', sql`select ${'it\'s \\ "ä" 😀\n'}::text as value`, 'it\'s \\ "ä" 😀\n'],
  ['an empty text', sql`select ${''}::text as value`, ''],
  ['null', sql`select ${null}::text as value`, null],
  ['a boolean', sql`select ${true}::boolean as value`, true],
  ['an integer', sql`select ${42}::int as value`, 42],
  ['a bigint as a number', sql`select ${9_007_199_254_740_991}::bigint as value`, 9_007_199_254_740_991],
  ['a count as a number', sql`select count(*) as value from (values (1), (2)) two`, 2],
  ['a fraction', sql`select ${87.125}::double precision as value`, 87.125],
  [
    'a time as ISO 8601 in UTC with milliseconds',
    sql`select ${new Date('2026-01-02T03:04:05.678Z')}::timestamptz(3) as value`,
    '2026-01-02T03:04:05.678Z',
  ],
  ['a time on the full hour', sql`select '2026-07-01 12:00+02'::timestamptz as value`, '2026-07-01T10:00:00.000Z'],
  ['bytes', sql`select ${Buffer.from([0, 1, 127, 128, 255])}::bytea as value`, Buffer.from([0, 1, 127, 128, 255])],
  ['no bytes', sql`select ${Buffer.alloc(0)}::bytea as value`, Buffer.alloc(0)],
  ['a list of texts', sql`select ${['a', 'b,c', '"d"', '']}::text[] as value`, ['a', 'b,c', '"d"', '']],
  ['an empty list', sql`select ${[]}::text[] as value`, []],
  ['JSON', sql`select ${JSON.stringify({ a: [1, null, 'ä'] })}::jsonb as value`, { a: [1, null, 'ä'] }],
]

for (const engine of engines) {
  describe(`the database interface on ${engine.name}`, () => {
    let database: Database
    before(async () => {
      database = await engine.openEmpty()
      await database.script('create table notes (id int primary key, note text not null check (length(note) < 10))')
    })
    after(() => database.close())

    const add = (to: Queryable, id: number, note = 'n') =>
      to.query(sql`insert into notes (id, note) values (${id}, ${note})`)
    const noted = async (id: number) =>
      (await database.query<{ note: string }>(sql`select note from notes where id = ${id}`)).map((row) => row.note)

    for (const [name, selected, expected] of values) {
      test(`returns ${name}`, async () => {
        const [row] = await database.query<{ value: unknown }>(selected)
        assert.deepEqual(row?.value, expected)
      })
    }

    test('no statement starts parallel workers', async (t) => {
      if (engine.name === 'embedded') return t.skip('it is one process')
      const plan = await database.transaction(async (transaction) => {
        // PostgreSQL then uses a worker wherever it can.
        const name = (await serverVersion(transaction)) < 160_000 ? 'force_parallel_mode' : 'debug_parallel_query'
        await transaction.script(`set local ${name} = on`)
        return transaction.query(sql`explain select count(*) from pg_class`)
      })
      assert.doesNotMatch(JSON.stringify(plan), /Gather/)
    })

    test('rows can be used one by one, and are not in the list then', async () => {
      const used: number[] = []
      const statement = sql`select n from generate_series(1, 500) n order by n`
      assert.deepEqual(await database.query<{ n: number }>(statement, ({ n }) => used.push(n)), [])
      assert.deepEqual(
        used,
        Array.from({ length: 500 }, (_, index) => index + 1),
      )
    })

    test('rows are used while the statement still runs', async (t) => {
      if (engine.name === 'embedded') return t.skip('it has one connection, so nobody else can hold the lock')
      const used: number[] = []
      const firstUsed = Promise.withResolvers<void>()
      let rest: Promise<unknown> = Promise.resolve()
      // The second row waits for a lock that is released once the first one, larger than a buffer, was used.
      await database.transaction(async (holding) => {
        await holding.query(sql`select pg_advisory_xact_lock(4711)`)
        const statement = sql`
          select n, repeat('x', 20000), case when n = 2 then pg_advisory_xact_lock(4711)::text end
          from generate_series(1, 2) n`
        rest = database.query<{ n: number }>(statement, ({ n }) => {
          used.push(n)
          firstUsed.resolve()
        })
        await Promise.race([firstUsed.promise, rest])
        assert.deepEqual(used, [1])
      })
      await rest
      assert.deepEqual(used, [1, 2])
    })

    test('a row that cannot be used, or a statement that breaks off, fails the query and not the connection', async () => {
      const used: number[] = []
      const refuseThird = ({ n }: { n: number }) => {
        if (n === 3) throw new Error('not this one')
        used.push(n)
      }
      await assert.rejects(
        database.query(sql`select n from generate_series(1, 9) n order by n`, refuseThird),
        /not this one/,
      )
      assert.deepEqual(used, [1, 2])
      await assert.rejects(
        database.query<{ n: number }>(sql`select 6 / (4 - n) as n from generate_series(1, 9) n`, ({ n }) =>
          used.push(n),
        ),
        /division by zero/,
      )
      assert.deepEqual(used, [1, 2, 2, 3, 6])
      assert.deepEqual(await database.query(sql`select 1 as one`), [{ one: 1 }])
    })

    test('a statement returns all its rows in order, or none', async () => {
      const rows = await database.query<{ n: number }>(sql`select n from generate_series(1, 500) n order by n`)
      assert.deepEqual(
        rows.map(({ n }) => n),
        Array.from({ length: 500 }, (_, index) => index + 1),
      )
      assert.deepEqual(await database.query(sql`select 1 where false`), [])
    })

    test('values are never part of the statement', async () => {
      const [row] = await database.query<{ value: string }>(sql`select ${"'; drop table notes; --"}::text as value`)
      assert.equal(row?.value, "'; drop table notes; --")
      assert.deepEqual(await noted(-1), [])
    })

    test('a script may contain several statements', async () => {
      await database.script("insert into notes values (10, 'a'); insert into notes values (11, 'b')")
      assert.deepEqual([...(await noted(10)), ...(await noted(11))], ['a', 'b'])
    })

    test('a plan made while a table was small still uses the index', async () => {
      await database.script('analyze notes')
      const [row] = await database.query<{ 'QUERY PLAN': string }>(sql`explain select note from notes where id = 10`)
      assert.match(row?.['QUERY PLAN'] ?? '', /Index/)
    })

    test('times always have the same format, whatever their fraction or year', async () => {
      const times = fc.date({
        min: new Date('0001-01-02T00:00:00Z'),
        max: new Date('9999-12-31T00:00:00Z'),
        noInvalidDate: true,
      })
      const property = fc.asyncProperty(times, fc.constantFrom(1, 10, 1000), async (time, step) => {
        const rounded = new Date(Math.floor(time.getTime() / step) * step)
        const [row] = await database.query<{ at: string }>(sql`select ${rounded}::timestamptz as at`)
        assert.equal(row?.at, rounded.toISOString())
      })
      await fc.assert(property, { numRuns: 50 })
      const [row] = await database.query(sql`
        select '2026-01-02 03:04:05.678901+00'::timestamptz as exact, '11126-01-02 03:04:05+00'::timestamptz as far`)
      assert.deepEqual(row, { exact: '2026-01-02T03:04:05.678Z', far: '+011126-01-02T03:04:05.000Z' })
    })

    test('a time that JavaScript can’t represent does not fail the statement', async () => {
      const rows = await database.query(sql`
        select at::timestamptz as at from unnest(array['infinity', '-infinity', '294276-12-31 23:59:59.999999+00',
          '0001-01-01 00:00:00+00 BC', '4713-11-24 00:00:00+00 BC', '0001-12-31 23:59:59.5+00 BC']) as times (at)`)
      assert.deepEqual(
        rows,
        [
          '+275760-09-13T00:00:00.000Z',
          '-271821-04-20T00:00:00.000Z',
          '+275760-09-13T00:00:00.000Z',
          '0000-01-01T00:00:00.000Z',
          '-004712-11-24T00:00:00.000Z',
          '0000-12-31T23:59:59.500Z',
        ].map((at) => ({ at })),
      )
    })

    for (const zone of ['Asia/Kolkata', 'America/St_Johns', 'Europe/Berlin']) {
      test(`times are the same with the server set to ${zone}`, async () => {
        const times = ['2026-07-01T10:00:00.250Z', '1800-01-01T12:00:00.000Z', '0000-06-01T00:00:00.000Z']
        const rows = await database.transaction(async (transaction) => {
          await transaction.script(`set local time zone '${zone}'`)
          return transaction.query(sql`select at::timestamptz as at
            from unnest(array['2026-07-01 10:00:00.25+00', '1800-01-01 12:00:00+00', '0001-06-01 00:00:00+00 BC']) as times (at)`)
        })
        assert.deepEqual(
          rows,
          times.map((at) => ({ at })),
        )
      })
    }

    test('a transaction commits when its callback ends, and returns its result', async () => {
      const given = await database.transaction(async (transaction) => {
        await add(transaction, 20)
        await add(transaction, 21)
        return 'done'
      })
      assert.equal(given, 'done')
      assert.deepEqual([...(await noted(20)), ...(await noted(21))], ['n', 'n'])
    })

    test('a transaction rolls back when its callback throws, and rethrows the error', async () => {
      const surprise = new Error('surprise')
      const work = database.transaction(async (transaction) => {
        await add(transaction, 30)
        throw surprise
      })
      await assert.rejects(work, (error) => error === surprise)
      assert.deepEqual(await noted(30), [])
    })

    test('a failing statement rolls back its transaction and leaves a usable connection', async () => {
      const work = database.transaction(async (transaction) => {
        await add(transaction, 40)
        await add(transaction, 40)
      })
      await assert.rejects(work, isUniqueViolation)
      for (let count = 0; count < 12; count++) assert.deepEqual(await noted(40), [])
      await database.transaction((transaction) => add(transaction, 40))
      assert.deepEqual(await noted(40), ['n'])
    })

    test('concurrent statements in a failing transaction all roll back', async () => {
      await add(database, 52)
      const work = database.transaction((transaction) =>
        Promise.all([52, 53, 54, 55].map((id) => add(transaction, id))),
      )
      await assert.rejects(work, isUniqueViolation)
      assert.deepEqual(await Promise.all([53, 54, 55].map(noted)), [[], [], []])
    })

    test('a full disk counts as unavailable, rolls back the transaction and leaves a usable connection', async () => {
      const full = sql`select fails_for_want_of_room()`
      await database.script(`create function fails_for_want_of_room() returns int language plpgsql as
        $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`)
      const work = database.transaction(async (transaction) => {
        await add(transaction, 90)
        await transaction.query(full)
      })
      await assert.rejects(work, DatabaseUnavailable)
      await assert.rejects(database.query(full), DatabaseUnavailable)
      assert.deepEqual(await noted(90), [])
    })

    test('a commit that fails is reported', async () => {
      await database.script('create table later (id int references notes (id) deferrable initially deferred)')
      const work = database.transaction((transaction) => transaction.query(sql`insert into later values (-5)`))
      await assert.rejects(work, /foreign key/)
      assert.deepEqual(await database.query(sql`select * from later`), [])
    })

    const faulty: [name: string, statement: Sql, expected: RegExp][] = [
      ['a duplicate key', sql`insert into notes values (10, 'a')`, /duplicate key/],
      ['a violated constraint', sql`insert into notes values (50, 'far too long')`, /check constraint/],
      ['an unknown table', sql`select * from nowhere`, /does not exist/],
      ['invalid SQL', sql`please`, /syntax error/],
      ['a value that does not fit', sql`select ${'x'}::int`, /invalid input/],
    ]
    for (const [name, statement, expected] of faulty) {
      test(`after ${name} the next statement works`, async () => {
        for (let count = 0; count < 3; count++) {
          await assert.rejects(database.query(statement), expected)
          assert.deepEqual(await database.query(sql`select 1 as one`), [{ one: 1 }])
          await assert.rejects(database.query(statement), expected)
          assert.equal(await database.transaction(async () => 'done'), 'done')
        }
      })
    }

    test('failing statements don’t affect concurrent ones', async () => {
      const beside = Array.from({ length: 40 }, (_, index) =>
        index % 2
          ? database.query(sql`select ${index}::int as n`)
          : database.query(sql`insert into notes values (10, '')`),
      )
      const settled = await Promise.allSettled(beside)
      assert.deepEqual(
        settled.map(({ status }) => status),
        beside.map((_, index) => (index % 2 ? 'fulfilled' : 'rejected')),
      )
      for (const outcome of settled) {
        if (outcome.status === 'rejected') assert.ok(isUniqueViolation(outcome.reason), String(outcome.reason))
      }
    })

    test('only a duplicate key counts as a unique violation', async () => {
      const failure = async (statement: Sql) => database.query(statement).catch((error: unknown) => error)
      assert.equal(isUniqueViolation(await failure(sql`insert into notes values (10, '')`)), true)
      assert.equal(isUniqueViolation(await failure(sql`insert into notes values (50, 'far too long')`)), false)
      assert.equal(isUniqueViolation(new Error('23505')), false)
      assert.equal(isUniqueViolation('23505'), false)
    })

    test('concurrent transactions each see their own changes and lose none', async () => {
      await add(database, 60, '0')
      const steps = Array.from({ length: 30 }, () =>
        database.transaction(async (transaction) => {
          await transaction.query(sql`update notes set note = (note::int + 1)::text where id = 60`)
          const rows = await transaction.query(sql`select note from notes where id = 60`)
          return rows.length
        }),
      )
      await Promise.all(steps)
      assert.deepEqual(await noted(60), ['30'])
    })

    test('the server is PostgreSQL 14 or newer', async () => {
      assert.ok((await serverVersion(database)) >= 140_000)
    })

    test('migrations are applied completely and once, even if several processes start at the same moment', async () => {
      const files = (await readdir(new URL('../../server/database/migrations/', import.meta.url))).sort()
      await Promise.all([migrate(database), migrate(database), migrate(database)])
      const applied = () => database.query(sql`select name, applied_at from schema_migrations order by name`)
      const first = await applied()
      assert.deepEqual(
        await database.query(sql`select name from schema_migrations order by name`),
        files.map((name) => ({ name })),
      )
      assert.deepEqual(await missingMigrations(database), [])

      await migrate(database)
      assert.deepEqual(await applied(), first)
    })
  })
}

test('times, numbers and concurrent statements are the same whatever the database is set to', async () => {
  const url = await (await sharedPostgres()).createDatabase()
  const name = new URL(url).pathname.slice(1)
  const before = openPostgres({ url, connections: 1 })
  await before.script(`
    alter database "${name}" set DateStyle = 'German';
    alter database "${name}" set extra_float_digits = -3;
    alter database "${name}" set default_transaction_isolation = 'serializable';
    alter database "${name}" set lock_timeout = '1ms';
    create table counters (count int);
    insert into counters values (0)`)
  await before.close()

  const database = openPostgres({ url, connections: 4 })
  const at = '2026-01-02T03:04:05.678Z'
  const rows = await database.query(sql`select ${at}::timestamptz as at, ${81.12345678901234}::float8 as score`)
  assert.deepEqual(rows, [{ at, score: 81.12345678901234 }])
  const counts = Array.from({ length: 40 }, () => database.query(sql`update counters set count = count + 1`))
  await Promise.all(counts)
  assert.deepEqual(await database.query(sql`select count from counters`), [{ count: 40 }])
  await database.close()
})

test('a login that is rejected is a mistake at the start and an outage later', async () => {
  const url = await (await sharedPostgres()).createDatabase()
  const role = `login_${newId('org').slice(-12).toLowerCase()}`
  const owner = openPostgres({ url, connections: 1 })
  await owner.script(`create role ${role} login password 'secret'`)
  const own = new URL(url)
  own.username = role
  own.password = 'secret'

  const database = openPostgres({ url: own.href, connections: 2 })
  await database.transaction(async () => {
    await owner.script(`alter role ${role} nologin`)
    await assert.rejects(database.query(sql`select`), DatabaseUnavailable)
  })
  await database.query(sql`select`)
  await database.close()
  await assert.rejects(database.query(sql`select`), (error) => !(error instanceof DatabaseUnavailable))

  const late = openPostgres({ url: own.href, connections: 1 })
  await assert.rejects(late.query(sql`select`), (error) => connectionProblem(error)?.remedy === 'Check DATABASE_URL.')
  await late.close()
  await owner.script(`drop role ${role}`)
  await owner.close()
})
