import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import sql from 'sql-template-tag'
import { type Interception, startUnreliableSqs } from '../../faults/unreliable-sqs.ts'
import { openPostgres } from '../../server/database/database.ts'
import { findDelivery } from '../../server/deliveries/delivery-history.ts'
import { startPostgres } from '../../support/postgres.ts'
import {
  type Environment,
  eventually,
  postgresEnvironment,
  startServer,
  temporaryFolder,
} from '../../support/process.ts'
import { type Receiver, startReceiver } from '../../support/receiver.ts'
import { startReporting } from './reporting.ts'

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

test('a worker killed between the response and recording it sends again with the same IDs · DLV-11', async () => {
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
    // The response is held back until the worker is gone: the receiver accepted the event, but nobody could record it.
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
    const read = async () => {
      const [row] = await database.query<{ id: string }>(sql`select id from deliveries`)
      return findDelivery(database, row?.id ?? '')
    }
    assert.partialDeepStrictEqual(await read(), { status: 'PENDING', attempts: 1 })

    await using second = await startServer(environment)
    assert.ok(await eventually(async () => receiver.requests.length === 2))
    const [once, again] = receiver.requests
    assert.equal(once?.headers['x-service-event-id'], again?.headers['x-service-event-id'])
    assert.equal(JSON.parse(String(once?.body)).resultId, JSON.parse(String(again?.body)).resultId)
    await second.stop()
    const delivery = await read()
    await database.close()
    assert.equal(delivery?.status, 'DELIVERED')
    assert.deepEqual(
      delivery.history.map(({ number, finishedAt }) => [number, finishedAt === null]),
      [
        [1, true],
        [2, false],
      ],
    )
  } finally {
    await postgres.close()
    await receiver.close()
  }
})

const moments: { name: string; interception: Interception }[] = [
  { name: 'between the commit and the send to SQS', interception: { action: 'SendMessageBatch', moment: 'before' } },
  { name: 'before SQS has confirmed the send', interception: { action: 'SendMessageBatch', moment: 'after' } },
  { name: 'between receive and claim on SQS', interception: { action: 'ReceiveMessage', moment: 'after' } },
  {
    name: 'between settling and deleting the message on SQS',
    interception: { action: 'DeleteMessageBatch', moment: 'before' },
  },
]
for (const { name, interception } of moments) {
  test(`a process killed ${name} neither loses nor repeats the event · DLV-11 · DLV-2`, async () => {
    await using folder = await temporaryFolder()
    const receiver = await startReceiver({ names: ['localhost'] })
    const postgres = await startPostgres()
    const sqs = await startUnreliableSqs()
    try {
      const environment = {
        ...postgresEnvironment(await postgres.createDatabase()),
        ...(await environmentOf(receiver, folder.path)),
        ...sqs.environment,
      }
      const first = await startServer(environment)
      const reporter = await startReporting(first, environment, receiver)
      const intercepted = sqs.intercept(interception, 300_000)
      await reporter.report(1)
      assert.notEqual(await intercepted, null)
      await first.kill()

      const database = openPostgres({ url: environment.DATABASE_URL ?? '', connections: 1 })
      await using second = await startServer(environment)
      const read = async () => {
        const [row] = await database.query<{ id: string }>(sql`select id from deliveries`)
        return findDelivery(database, row?.id ?? '')
      }
      assert.ok(await eventually(async () => (await read())?.status === 'DELIVERED'))
      assert.ok(await eventually(async () => sqs.count() === 0), 'a message was left behind')
      assert.deepEqual([receiver.requests.length, (await read())?.attempts], [1, 1])
      await second.stop()
      await database.close()
    } finally {
      await sqs.close()
      await postgres.close()
      await receiver.close()
    }
  })
}
