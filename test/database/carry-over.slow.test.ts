import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after as afterAll, before as beforeAll, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import type { Database } from '../../server/database/database.ts'
import { migrate } from '../../server/database/migrate.ts'
import { type Engine, engines } from '../../support/engines.ts'

// Written by version 0.1 itself, with real workers and receivers.
const version01 = new URL('version-0.1.sql', import.meta.url)

const four = '503 503 503 503'

/**
 * The expected state of each delivery after the migration, by the title of its template:
 * record | round | attempts of earlier rounds + of this one | job | dead letters by round | attempts by round.
 * "lost" is an attempt whose worker died before it could report.
 */
const expected = table(`
  Queued                                | PENDING                      | 1 | 0+0 | 0 receives, due as before | |
  Queued in the other organization      | PENDING                      | 1 | 0+0 | 0 receives, due as before | |
  Not enqueued                          | FAILED ENQUEUE_FAILED        | 1 | 0+0 | 0 receives, due a minute after its last change | |
  Never enqueued                        | PENDING                      | 1 | 0+0 | 0 receives, due a minute after its last change | |
  In retry after one receive            | PENDING                      | 1 | 0+1 | 1 receive, due as before  | | 1: 503
  In retry after two receives           | PENDING                      | 1 | 0+2 | 2 receives, due as before | | 1: 503 503
  Running                               | PENDING                      | 1 | 0+1 | 1 receive, lease expired     | | 1: lost
  Running in the other organization     | PENDING                      | 1 | 0+1 | 1 receive, lease expired     | | 1: lost
  Running in its fourth receive         | PENDING                      | 1 | 0+4 | 4 receives, lease expired    | | 1: 503 503 503 lost
  Running in its second round           | PENDING                      | 2 | 4+2 | 2 receives, lease expired    | 1: HTTP_5XX | 1: ${four}, 2: 503 lost
  Retried and waiting for the sweep     | PENDING                      | 2 | 4+0 | 0 receives, due a minute after its last change | 1: HTTP_5XX | 1: ${four}
  Retried, its first job not yet dead   | PENDING                      | 2 | 4+0 | 0 receives, due a minute after its last change | 1: HTTP_5XX | 1: ${four}
  Delivered at once                     | DELIVERED                    | 1 | 0+1 | | | 1: 200
  Delivered after a retry               | DELIVERED                    | 1 | 0+2 | | | 1: 503 200
  Retried and delivered                 | DELIVERED                    | 2 | 4+1 | | 1: HTTP_5XX | 1: ${four}, 2: 200
  Redriven and delivered                | DELIVERED                    | 2 | 4+1 | | | 1: ${four}, 2: 200
  Buried, then delivered                | DELIVERED                    | 1 | 0+4 | | 1: unknown | 1: 503 503 503 200
  Rejected                              | FAILED RECEIVER_REJECTED     | 1 | 0+1 | | | 1: 400
  Webhook disabled                      | FAILED WEBHOOK_DISABLED      | 1 | 0+0 | | |
  Exhausted                             | FAILED RECEIVES_EXHAUSTED    | 1 | 0+4 | | 1: HTTP_5XX | 1: ${four}
  Exhausted twice                       | FAILED RECEIVES_EXHAUSTED    | 2 | 4+4 | | 1: HTTP_5XX, 2: HTTP_5XX | 1: ${four}, 2: ${four}
  Exhausted, rejected, exhausted        | FAILED RECEIVES_EXHAUSTED    | 3 | 5+4 | | 1: HTTP_5XX, 3: HTTP_5XX | 1: ${four}, 2: 400, 3: 500 500 500 500
  Exhausted, its job not yet dead       | FAILED RECEIVES_EXHAUSTED    | 1 | 0+4 | | 1: HTTP_5XX | 1: ${four}
  Died in its fourth receive            | FAILED RECEIVES_EXHAUSTED    | 1 | 0+4 | | 1: unknown | 1: 503 503 503 lost
  Died before any attempt               | FAILED RECEIVES_EXHAUSTED    | 1 | 0+0 | | 1: unknown |
  Died before any attempt, then retried | DELIVERED                    | 2 | 0+2 | | 1: unknown | 2: 503 200
  Second round died unnoticed           | FAILED RECEIVES_EXHAUSTED    | 2 | 4+4 | | 1: HTTP_5XX, 2: unknown | 1: ${four}, 2: 503 503 503 lost
  Without an image                      | FAILED RECEIVES_EXHAUSTED    | 1 | 0+4 | | 1: THUMBNAIL_MISSING | 1: THUMBNAIL_MISSING THUMBNAIL_MISSING THUMBNAIL_MISSING THUMBNAIL_MISSING
  Network errors                        | FAILED RECEIVES_EXHAUSTED    | 1 | 0+4 | | 1: DESTINATION_REFUSED | 1: NETWORK-ECONNREFUSED NETWORK-ECONNRESET DNS-EBADRESP DESTINATION_REFUSED
  TLS errors                            | FAILED RECEIVES_EXHAUSTED    | 1 | 0+4 | | 1: NETWORK | 1: TLS-DEPTH_ZERO_SELF_SIGNED_CERT TLS-ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE TLS-ERR_SSL_WRONG_VERSION_NUMBER NETWORK-UND_ERR_SOCKET
  Timeouts                              | FAILED RECEIVES_EXHAUSTED    | 1 | 0+4 | | 1: TIMEOUT | 1: TIMEOUT-resolve TIMEOUT-connect TIMEOUT-handshake TIMEOUT-response
  Timeouts in the answer                | DELIVERED                    | 1 | 0+3 | | | 1: TIMEOUT-response TIMEOUT-body 200
  Erased while it waited                | FAILED CANDIDATE_ERASED      | 1 | 0+1 | | |
  Erased after it died                  | FAILED CANDIDATE_ERASED      | 1 | 0+4 | | |
  Erased after it arrived               | DELIVERED                    | 1 | 0+1 | | |
`)

for (const engine of engines) {
  describe(`migrating a version 0.1 database on ${engine.name}`, () => {
    let database: Database
    let before: DeliveryBefore[]
    let after: DeliveryAfter[]
    let detailsBefore: Detail[]
    beforeAll(async () => {
      database = await openVersion01(engine)
      before = await readBefore(database)
      detailsBefore = await readDetails(database)
      await migrate(database)
      after = await readAfter(database)
    })
    afterAll(() => database?.close())

    test('every delivery keeps its state: waiting, running, retrying or dead', () => {
      const found = after.map((delivery) => [
        delivery.name,
        describeDelivery(
          delivery,
          before.find(({ name }) => name === delivery.name),
        ),
      ])
      assert.deepEqual(Object.fromEntries(found), expected)
    })

    test('attempts are numbered across rounds, and the next number is free', () => {
      for (const { name, attempts, earlierAttempts, job, history } of after) {
        const numbers = history.map(({ number }) => number)
        assert.deepEqual(
          numbers,
          Array.from(numbers.keys(), (index) => index + 1),
          name,
        )
        const used = earlierAttempts + Math.max(attempts, job?.receives ?? 0)
        assert.ok(used >= numbers.length, `${name}: ${used} of ${numbers.length}`)
      }
    })

    test('an attempt keeps its text, with the code moved to its own column', async () => {
      const details = await readDetails(database)
      assert.deepEqual(
        details.map(({ code, detail }) => (code === null ? detail : `${detail} (${code})`)),
        detailsBefore.map(({ detail }) => detail?.replace(/\s+\(/, ' (') ?? null),
      )
      const coded = details.filter(({ code }) => code !== null).map(({ code, detail }) => [code, detail])
      assert.deepEqual(coded.slice(0, 4), [
        ['ECONNREFUSED', 'the connection was refused'],
        ['ECONNRESET', 'the connection was reset'],
        ['EBADRESP', 'the name globex.hooks.example.com could not be looked up'],
        ['DEPTH_ZERO_SELF_SIGNED_CERT', 'the certificate is self-signed'],
      ])
    })

    test('the schema of pg-boss is gone', async () => {
      assert.deepEqual(await database.query(sql`select from pg_namespace where nspname = 'pgboss'`), [])
    })
  })

  test(`on ${engine.name}, a retry keeps its due time unless a wrong clock set it impossibly far ahead`, async () => {
    await withVersion01(engine, async (database) => {
      const postpone = (name: string, delay: number, interval: string) =>
        database.execute(
          `update pgboss.job set retry_delay = $2, start_after = now() + $3::interval
           where name = 'deliveries' and data ->> 'deliveryId' = (
             select d.id from deliveries d join interviews i on i.id = d.interview_id
             join templates t on t.id = i.template_id where t.title = $1
           )`,
          [name, delay, interval],
        )
      await postpone('In retry after one receive', 3_600, '2 hours')
      await postpone('In retry after two receives', 60, '2 hours')
      await migrate(database)
      const { rows } = await database.execute<{ receives: number; minutes: number }>(`
        select receives, ceil(extract(epoch from due_at - now()) / 60)::int as minutes from delivery_jobs
        where due_at > now() order by receives`)
      assert.deepEqual(rows, [
        { receives: 1, minutes: 120 },
        { receives: 2, minutes: 9 },
      ])
    })
  })

  test(`on ${engine.name}, the pg-boss schema stays if another program has a queue in it, without our jobs`, async () => {
    await withVersion01(engine, async (database) => {
      await database.script(`
        select pgboss.create_queue('reports', '{"policy": "standard"}');
        insert into pgboss.job (name, data) values ('reports', '{"page": 1}'), ('reports', '{"page": 2}')`)
      const theirs = () => database.query(sql`select j.* from pgboss.job j where name = 'reports' order by id`)
      const before = await theirs()
      assert.equal(before.length, 2)
      await migrate(database)
      assert.deepEqual(await theirs(), before)
      assert.deepEqual(await database.query(sql`select distinct name from pgboss.job`), [{ name: 'reports' }])
      assert.deepEqual(await database.query(sql`select name from pgboss.queue`), [{ name: 'reports' }])
      const jobs = await database.query<{ count: number }>(sql`select count(*) from delivery_jobs`)
      assert.deepEqual(jobs, [{ count: Object.values(expected).filter(({ job }) => job !== '').length }])
    })
  })

  test(`on ${engine.name}, an empty database gets empty tables`, async () => {
    const database = await engine.openEmpty()
    try {
      await migrate(database)
      const [counts] = await database.query(sql`
        select (select count(*) from deliveries) as deliveries, (select count(*) from delivery_jobs) as jobs,
          (select count(*) from dead_letters) as letters, (select count(*) from delivery_rounds) as rounds,
          to_regnamespace('pgboss') is null as "withoutPgBoss"`)
      assert.deepEqual(counts, { deliveries: 0, jobs: 0, letters: 0, rounds: 0, withoutPgBoss: true })
    } finally {
      await database.close()
    }
  })
}

async function withVersion01(engine: Engine, work: (database: Database) => Promise<void>): Promise<void> {
  const database = await openVersion01(engine)
  try {
    await work(database)
  } finally {
    await database.close()
  }
}

async function openVersion01(engine: Engine): Promise<Database> {
  const database = await engine.openEmpty()
  await database.script(await readFile(version01, 'utf8'))
  return database
}

type ExpectedState = { record: string; round: number; attempts: string; job: string; letters: string; history: string }

function table(text: string): Record<string, ExpectedState> {
  const rows = text.trim().split('\n')
  return Object.fromEntries(
    rows.map((row) => {
      const [name = '', record = '', round, attempts = '', job = '', letters = '', history = ''] = row
        .split('|')
        .map((cell) => cell.trim())
      return [name, { record, round: Number(round), attempts, job, letters, history }]
    }),
  )
}

const named = sql`deliveries d join interviews i on i.id = d.interview_id join templates t on t.id = i.template_id`

type DeliveryBefore = { name: string; startAfter: string | null; minuteLater: string }

function readBefore(database: Database): Promise<DeliveryBefore[]> {
  return database.query<DeliveryBefore>(sql`
    select t.title as name, j.start_after as "startAfter", d.updated_at + interval '1 minute' as "minuteLater"
    from ${named} left join pgboss.job j
      on j.name = 'deliveries' and j.state < 'completed' and j.data ->> 'deliveryId' = d.id`)
}

type DeliveryAfter = {
  name: string
  status: string
  reason: string | null
  round: number
  attempts: number
  earlierAttempts: number
  job: { round: number; receives: number; leaseIsOver: boolean | null } | null
  dueAt: string | null
  letters: { round: number; reason: string | null }[]
  history: PastAttempt[]
}

type PastAttempt = {
  round: number
  number: number
  status: number | null
  error: string | null
  code: string | null
  phase: string | null
  finishedAt: string | null
}

function readAfter(database: Database): Promise<DeliveryAfter[]> {
  return database.query<DeliveryAfter>(sql`
    select t.title as name, d.status, d.failure_reason as reason, d.round, d.attempts,
      d.earlier_attempts as "earlierAttempts", j.due_at as "dueAt",
      case when j.delivery_id is not null and j.organization_id = d.organization_id then json_build_object(
        'round', j.round, 'receives', j.receives, 'leaseIsOver', j.leased_until <= now()) end as job,
      (
        select coalesce(json_agg(json_build_object('round', l.round, 'reason', l.reason) order by l.round), '[]')
        from dead_letters l where l.delivery_id = d.id and l.organization_id = d.organization_id
      ) as letters,
      (
        select coalesce(json_agg(json_build_object('round', a.round, 'number', a.number, 'status', a.status, 'error',
          a.error, 'code', a.code, 'phase', a.phase, 'finishedAt', a.finished_at) order by a.id), '[]')
        from delivery_attempts a where a.delivery_id = d.id
      ) as history
    from ${named} left join delivery_jobs j on j.delivery_id = d.id`)
}

function describeDelivery(delivery: DeliveryAfter, before: DeliveryBefore | undefined): ExpectedState {
  const { status, reason, round, attempts, earlierAttempts, letters, history } = delivery
  return {
    record: reason === null ? status : `${status} ${reason}`,
    round,
    attempts: `${earlierAttempts}+${attempts}`,
    job: describeJob(delivery, before),
    letters: letters.map((letter) => `${letter.round}: ${letter.reason ?? 'unknown'}`).join(', '),
    history: [...Map.groupBy(history, (attempt) => attempt.round)]
      .map(([number, attempts]) => `${number}: ${attempts.map(describeAttempt).join(' ')}`)
      .join(', '),
  }
}

function describeJob({ job, round, dueAt }: DeliveryAfter, before: DeliveryBefore | undefined): string {
  if (job === null) return ''
  const receives = `${job.receives} ${job.receives === 1 ? 'receive' : 'receives'}`
  if (job.round !== round) return `${receives} of round ${job.round}`
  if (job.leaseIsOver !== null) return `${receives}, ${job.leaseIsOver ? 'lease expired' : 'leased'}`
  if (dueAt === before?.startAfter) return `${receives}, due as before`
  return `${receives}, due ${dueAt === before?.minuteLater ? 'a minute after its last change' : dueAt}`
}

function describeAttempt({ status, error, code, phase, finishedAt }: PastAttempt): string {
  if (finishedAt === null) return 'lost'
  const exact = code ?? phase
  return exact === null ? String(status ?? error) : `${error}-${exact}`
}

type Detail = { code: string | null; detail: string | null }

async function readDetails(database: Database): Promise<Detail[]> {
  const rows = await database.query<{ attempt: { code?: string | null; detail: string | null } }>(sql`
    select to_json(a) as attempt from delivery_attempts a order by id`)
  return rows.map(({ attempt: { code = null, detail } }) => ({ code, detail }))
}
