import assert from 'node:assert/strict'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { DirectoryUnusable } from '../../server/database/data-directory.ts'
import type { Database } from '../../server/database/database.ts'
import { openEmbedded } from '../../server/database/embedded.ts'
import { DatabaseUnavailable } from '../../server/database/failures.ts'
import { copyEmbedded } from '../../support/embedded.ts'

describe('the embedded database', () => {
  let directory: string
  let database: Database

  before(async () => {
    directory = await copyEmbedded('empty')
    database = await openEmbedded(directory)
    await database.script('create table notes (text text)')
  })
  after(async () => {
    await database?.close()
    await rm(directory, { recursive: true })
  })
  beforeEach(() => database.script('truncate notes'))

  test('a long statement leaves the process free to do other things', async () => {
    const order: string[] = []
    const counting = database
      .query(sql`select count(*) from generate_series(1, 500000)`)
      .then(() => order.push('counted'))
    await setTimeout(1)
    order.push('meanwhile')
    await counting
    assert.deepEqual(order, ['meanwhile', 'counted'])
  })

  test('rows of a large answer are used while the next ones are read', async () => {
    const order: unknown[] = []
    const statement = sql`
      select n, repeat('x', 100000), case when n = 4 then (select count(*) from generate_series(1, 500000)) end
      from generate_series(1, 4) n`
    await database.query<{ n: number }>(statement, ({ n }) => {
      order.push(n)
      if (n === 1) void setTimeout(1).then(() => order.push('meanwhile'))
    })
    assert.ok(order.includes('meanwhile'))
    assert.equal(order.at(-1), 4)
  })

  test('a value of many megabytes arrives and comes back whole', async () => {
    const text = 'ä€'.repeat(4_000_000)
    const [row] = await database.query<{ text: string }>(sql`select ${text}::text as text`)
    assert.ok(row?.text === text)
  })

  test('an answer of any length is whole, wherever it is divided on its way', async () => {
    for (const around of [8_192, 16_384, 65_536]) {
      for (let length = around - 120; length < around; length++) {
        const [row] = await database.query<{ text: string }>(sql`select repeat('x', ${length}::int) as text`)
        assert.equal(row?.text.length, length)
      }
    }
  })

  test('after a crash it starts again by itself, with all that was committed', async () => {
    await database.query(sql`insert into notes values ('before')`)
    await breakLog(directory, database)
    await assert.rejects(database.query(sql`insert into notes values ('lost')`), noLog)
    await assert.rejects(database.query(sql`select`), DatabaseUnavailable)
    await repairLog(directory)
    await database.query(sql`insert into notes values ('after')`)
    assert.deepEqual(await database.query(sql`select text from notes`), [{ text: 'before' }, { text: 'after' }])
  })

  test('a crash among many statements fails those after it, and no answer is lost before it', async () => {
    const write = (text: string) => database.query(sql`insert into notes values (${text})`)
    await breakLog(directory, database)
    const [read, ...writes] = await Promise.allSettled([countNotes(database), write('a'), write('b')])
    assert.partialDeepStrictEqual(read, { status: 'fulfilled', value: 0 })
    for (const result of writes) assert.ok(result.status === 'rejected' && result.reason instanceof DatabaseUnavailable)
    await repairLog(directory)
    await write('after')
    assert.deepEqual(await database.query(sql`select text from notes`), [{ text: 'after' }])
  })

  test('a crash in the middle of a large statement is noticed', async () => {
    await breakLog(directory, database)
    const noise = sql`insert into notes select string_agg(md5(random()::text), '') from generate_series(1, 600000)`
    await assert.rejects(database.query(noise), DatabaseUnavailable)
    await repairLog(directory)
    assert.equal(await countNotes(database), 0)
  })

  test('a crash in the middle of a transaction undoes it', async () => {
    const transaction = database.transaction(async (inside) => {
      await inside.query(sql`insert into notes values ('undone')`)
      await breakLog(directory, inside)
    })
    await assert.rejects(transaction, noLog)
    await repairLog(directory)
    assert.deepEqual(await database.query(sql`select text from notes`), [])
  })

  test('statements keep their order and their answers', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, number) => database.query<{ n: number }>(sql`select ${number}::int as n`)),
    )
    assert.deepEqual(
      answers.flat().map(({ n }) => n),
      Array.from({ length: 200 }, (_, number) => number),
    )
  })

  test('a statement that fails among others fails alone, and for the same reason when it is tried again', async () => {
    const broken = sql`select nothing from notes`
    const results = await Promise.allSettled(
      Array.from({ length: 60 }, (_, number) =>
        number % 3 === 0 ? database.query(broken) : database.query(sql`insert into notes values (${String(number)})`),
      ),
    )
    assert.deepEqual(
      results.map(({ status }) => status),
      results.map((_, number) => (number % 3 === 0 ? 'rejected' : 'fulfilled')),
    )
    assert.equal(await countNotes(database), 40)
    await assert.rejects(database.query(broken), /column "nothing" does not exist/)
  })

  test('a transaction has the connection to itself', async () => {
    const write = (text: string) => database.query(sql`insert into notes values (${text})`)
    const before = Array.from({ length: 20 }, () => write('before'))
    let behind: Promise<unknown>[] = []
    const transaction = database.transaction(async (inside) => {
      await inside.query(sql`insert into notes values ('inside')`)
      behind = Array.from({ length: 20 }, () => write('behind'))
      assert.equal(await countNotes(inside), 21)
      throw new Error('undo this')
    })
    await assert.rejects(transaction, /undo this/)
    await Promise.all([...before, ...behind])
    assert.equal(await countNotes(database), 40)
  })

  test('a transaction gets its turn while there is always another statement', async () => {
    let done = false
    const write = async () => {
      while (!done) await database.query(sql`select`)
    }
    const writing = Array.from({ length: 5 }, write)
    await database.transaction((inside) => inside.query(sql`select`))
    done = true
    await Promise.all(writing)
  })

  test('files that are no database are refused', async () => {
    const other = await copyEmbedded('empty')
    await writeFile(join(other, 'PG_VERSION'), 'nonsense')
    await assert.rejects(openEmbedded(other), DirectoryUnusable)
    await rm(other, { recursive: true })
  })
})

async function countNotes(database: Pick<Database, 'query'>): Promise<number> {
  const [row] = await database.query<{ count: number }>(sql`select count(*)::int as count from notes`)
  return row?.count ?? 0
}

/** As a full disk would: PostgreSQL gives up when it can't write its log. */
async function breakLog(directory: string, database: Pick<Database, 'query'>): Promise<void> {
  await rename(join(directory, 'pg_wal'), join(directory, 'pg_wal.away'))
  await database.query(sql`select pg_switch_wal()`)
}

async function repairLog(directory: string): Promise<void> {
  await rename(join(directory, 'pg_wal.away'), join(directory, 'pg_wal'))
}

const noLog = (error: unknown) =>
  error instanceof DatabaseUnavailable && /could not create file "pg_wal/.test(error.message)
