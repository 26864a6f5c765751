import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { type Database, openPostgres } from '../../server/database/database.ts'
import { type PostgresServer, startPostgres } from '../../support/postgres.ts'
import {
  cli,
  type Environment,
  eventually,
  postgresEnvironment,
  startServer,
  temporaryFolder,
} from '../../support/process.ts'
import { type Receiver, startReceiver } from '../../support/receiver.ts'
import { startSqs } from '../../support/sqs.ts'
import { startReporting } from './reporting.ts'

const backlog = 300
const allowed = 10
const pauseSeconds = 3

describe('two processes and a receiver that allows ten requests in any second', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let receiver: Receiver
  let postgres: PostgresServer
  before(async () => {
    folder = await temporaryFolder()
    postgres = await startPostgres()
    receiver = await startReceiver({ names: ['localhost'] })
    const accepted: number[] = []
    receiver.answer(() => {
      const now = performance.now()
      while (accepted[0] !== undefined && accepted[0] <= now - 1_000) accepted.shift()
      if (accepted.length >= allowed) return { status: 429, headers: { 'retry-after': String(pauseSeconds) } }
      accepted.push(now)
      return {}
    })
  })
  after(async () => {
    await receiver?.close()
    await postgres?.close()
    await folder?.[Symbol.asyncDispose]()
  })

  /** Lets two workers send a backlog, and returns what became of it. */
  async function sendBacklog({
    maxPerSecond,
    queue = {},
  }: {
    maxPerSecond?: number
    queue?: Environment
  }): Promise<Outcome> {
    const authority = join(folder.path, 'ca.pem')
    await writeFile(authority, receiver.ca)
    const environment: Environment = {
      ...postgresEnvironment(await postgres.createDatabase()),
      DESTINATION_ALLOW_CIDRS: '127.0.0.0/8',
      DESTINATION_CA_FILE: authority,
      ...queue,
    }
    await using api = await startServer({ ...environment, ROLES: 'api' })
    const reporter = await startReporting(api, environment, receiver)
    if (maxPerSecond !== undefined) {
      const { organizationId: organization } = reporter
      const address = receiver.url('/events', 'localhost')
      const set = ['webhook', 'set', '--organization', organization, '--url', address]
      await cli([...set, '--max-per-second', String(maxPerSecond)], environment)
    }
    for (let count = 0; count < backlog; count += 100) await reporter.report(100)

    const database = openPostgres({ url: environment.DATABASE_URL ?? '', connections: 1 })
    try {
      await recordFirstPause(database)
      await using _first = await startServer({ ...environment, ROLES: 'worker' })
      await using _second = await startServer({ ...environment, ROLES: 'worker' })
      const isOver = async () => (await count(database, 'PENDING')) === 0
      for (let patience = 0; patience < 3 && !(await eventually(isOver)); patience += 1);
      return await readOutcome(database)
    } finally {
      await database.close()
    }
  }

  test('with a pace of ten a second, all of a backlog of 300 arrive and none is refused · DLV-19', async () => {
    const { delivered, refused } = await sendBacklog({ maxPerSecond: allowed })
    assert.deepEqual([delivered, refused.length], [backlog, 0])
  })

  test('the same with the queue on SQS, without a pause in between · DLV-19', async (t) => {
    const sqs = await startSqs()
    try {
      const queue = { QUEUE: 'sqs', ...sqs.environment }
      const { delivered, refused, share } = await sendBacklog({ maxPerSecond: allowed, queue })
      assert.deepEqual([delivered, refused.length], [backlog, 0])
      // No assertion: on a busy machine it says more about the machine.
      t.diagnostic(`${Math.round(100 * share)}% of the possible rate`)
    } finally {
      await sqs.close()
    }
  })

  test('without one, only what was under way at the first 429 is refused · DLV-19', async () => {
    const { delivered, refused } = await sendBacklog({})
    assert.equal(delivered + refused.length, backlog)
    assert.ok(refused.length > 0 && refused.length <= 64, `${refused.length} refused`)
    // The pause is three seconds long. Whatever left in its first two was on its way while the pause was being written.
    const late = refused.filter((secondsAfterPause) => secondsAfterPause > 2)
    assert.deepEqual(late, [], `${refused.length} refused`)
  })
})

type Outcome = {
  delivered: number
  /** When each attempt that was refused began, in seconds after the first pause. */
  refused: number[]
  /** How much of the allowed rate was used, given that a turn lasts until a second after the response. */
  share: number
}

async function recordFirstPause(database: Database): Promise<void> {
  await database.script(`
    create table first_pause (at timestamptz);
    create function record_pause() returns trigger language plpgsql as $$
      begin
        if new.paused_until is not null and not exists (select from first_pause) then
          insert into first_pause values (clock_timestamp());
        end if;
        return null;
      end $$;
    create trigger paused after insert or update on endpoint_paces for each row execute function record_pause()`)
}

async function count(database: Database, status: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(sql`
    select count(*)::int from deliveries where status = ${status}`)
  return row?.count ?? 0
}

async function readOutcome(database: Database): Promise<Outcome> {
  const refused = await database.query<{ seconds: number }>(sql`
    select extract(epoch from started_at - (select min(at) from first_pause))::float8 as seconds
    from delivery_attempts where status = 429`)
  const [pace] = await database.query<{ share: number }>(sql`
    select (sum(1 + total_ms / 1000) / ${allowed}::int / extract(epoch from max(finished_at) - min(started_at)))::float8 as share
    from delivery_attempts`)
  return {
    delivered: await count(database, 'DELIVERED'),
    refused: refused.map(({ seconds }) => seconds),
    share: pace?.share ?? 0,
  }
}
