import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { openPostgres } from '../../server/database/database.ts'
import { startPostgres } from '../support/postgres.ts'
import {
  cli,
  type Environment,
  eventually,
  postgresEnvironment,
  type ServerProcess,
  startServer,
  temporaryFolder,
} from '../support/process.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { type Reporter, startReporting } from './reporting.ts'

const environmentOf = async (receiver: Receiver, folder: string): Promise<Environment> => {
  const authority = join(folder, 'ca.pem')
  await writeFile(authority, receiver.ca)
  return {
    DESTINATION_ALLOW_CIDRS: '127.0.0.0/8',
    DESTINATION_CA_FILE: authority,
    WEBHOOK_RETRY_DELAY_SECONDS: '0',
    SWEEP_INTERVAL_SECONDS: '1',
  }
}

/** Every result has arrived, each repeat carries the ids of the first, and no record is anything but DELIVERED. */
async function assertNoneLost(receiver: Receiver, reporter: Reporter, environment: Environment): Promise<void> {
  const missing = () => {
    const arrived = new Set(receiver.requests.map(({ headers }) => headers['x-service-idempotency-key']))
    return reporter.results.filter((id) => !arrived.has(id))
  }
  assert.ok(await eventually(async () => missing().length === 0), `${missing().length} results did not arrive`)
  for (const { headers, body } of receiver.requests) {
    const event = JSON.parse(body.toString())
    assert.equal(headers['x-service-event-id'], `external_result_completed_${event.resultId}`)
    assert.equal(headers['x-service-idempotency-key'], event.resultId)
    assert.equal(event.idempotencyKey, event.resultId)
  }
  const statuses = async () => {
    const listed = await cli(
      ['delivery', 'list', '--organization', reporter.organizationId, '--limit', '10000'],
      environment,
    )
    return (listed.data as { status: string }[]).map(({ status }) => status)
  }
  assert.ok(
    await eventually(async () => (await statuses()).every((status) => status === 'DELIVERED')),
    'a record is not DELIVERED',
  )
  assert.equal((await statuses()).length, reporter.results.length)
}

describe('whatever is killed, no result is lost', { concurrency: 1 }, () => {
  test('twenty kills of workers during 300 deliveries, PostgreSQL stopped and started in between · DLV-11 · DLV-5', async () => {
    await using folder = await temporaryFolder()
    const receiver = await startReceiver({ names: ['localhost'] })
    receiver.answer(async () => {
      await setTimeout(randomInt(30))
      return {}
    })
    const postgres = await startPostgres({ durable: true })
    try {
      const environment = {
        ...postgresEnvironment(await postgres.createDatabase()),
        ...(await environmentOf(receiver, folder.path)),
      }
      await using api = await startServer({ ...environment, ROLES: 'api' })
      const reporter = await startReporting(api, environment, receiver)

      // Whoever starts while PostgreSQL is away ends with a message, and is started again, as a supervisor would.
      const worker = (): Promise<ServerProcess> =>
        startServer({ ...environment, ROLES: 'worker', LOG_LEVEL: 'error' }).catch(worker)
      const workers = [worker(), worker()]
      for (let kill = 0; kill < 20; kill++) {
        await reporter.report(15)
        const victim = await workers.shift()
        await setTimeout(randomInt(60))
        await victim?.kill()
        if (kill % 7 === 6) {
          await postgres.stop(kill === 6 ? 'fast' : 'immediate')
          await postgres.start()
        }
        workers.push(worker())
      }
      assert.equal(reporter.results.length, 300)
      await assertNoneLost(receiver, reporter, environment)
      for (const running of workers) await (await running).stop()
    } finally {
      await postgres.close()
      await receiver.close()
    }
  })

  test('the embedded default killed in the middle of deliveries goes on where it was', async () => {
    await using folder = await temporaryFolder()
    const receiver = await startReceiver({ names: ['localhost'] })
    receiver.answer(async () => {
      await setTimeout(randomInt(30))
      return {}
    })
    try {
      const environment = {
        DATA_DIR: join(folder.path, 'data'),
        ENGINE_TOKEN: 'only the interview product knows this',
        ...(await environmentOf(receiver, folder.path)),
      }
      let server = await startServer(environment)
      const reporter = await startReporting(server, environment, receiver)
      for (let kill = 0; kill < 3; kill++) {
        await reporter.report(15)
        await server.kill()
        server = await startServer(environment)
        reporter.moveTo(server)
      }
      await assertNoneLost(receiver, reporter, environment)
      await server.stop()
    } finally {
      await receiver.close()
    }
  })
})

test('a worker killed between the answer and its record sends again with the same ids · DLV-11', async () => {
  await using folder = await temporaryFolder()
  const receiver = await startReceiver({ names: ['localhost'] })
  const postgres = await startPostgres()
  try {
    const environment = {
      ...postgresEnvironment(await postgres.createDatabase()),
      ...(await environmentOf(receiver, folder.path)),
    }
    const first = await startServer(environment)
    const reporter = await startReporting(first, environment, receiver)
    // The answer is held back until the worker is gone: it was accepted here, and nobody there could write it down.
    const gone = Promise.withResolvers<void>()
    receiver.answer(async () => {
      await gone.promise
      return {}
    })
    await reporter.report(1)
    await eventually(async () => receiver.requests.length === 1)
    await first.kill()
    gone.resolve()

    const database = openPostgres({ url: environment.DATABASE_URL ?? '', connections: 1 })
    const [interrupted] = await database.query<{ attempts: number; finished: string | null }>(sql`
      select d.attempts, a.finished_at as finished from deliveries d join delivery_attempts a on a.delivery_id = d.id`)
    await database.close()
    assert.deepEqual(interrupted, { attempts: 1, finished: null })

    await using second = await startServer(environment)
    assert.ok(await eventually(async () => receiver.requests.length === 2))
    const [once, again] = receiver.requests
    assert.equal(once?.headers['x-service-event-id'], again?.headers['x-service-event-id'])
    assert.equal(JSON.parse(String(once?.body)).resultId, JSON.parse(String(again?.body)).resultId)
    await second.stop()
  } finally {
    await postgres.close()
    await receiver.close()
  }
})
