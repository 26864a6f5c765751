import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { supervise } from '../../faults/supervised.ts'
import { sharedPostgres } from '../../support/postgres.ts'
import { postgresEnvironment, temporaryFolder } from '../../support/process.ts'

test('a run ends with the last output of a server that does not start again', async () => {
  await using folder = await temporaryFolder()
  const postgres = await sharedPostgres()
  const url = await postgres.createDatabase()
  const over = new AbortController()
  const server = await supervise({
    name: 'api-1',
    environment: postgresEnvironment(url),
    nameServer: '127.0.0.1',
    folder: folder.path,
    reportProblem: assert.fail,
    over,
    startTimeout: 0,
  })
  const ended = once(over.signal, 'abort')
  await postgres.dropDatabase(url)

  await server.crash()
  await ended
  assert.match(over.signal.reason.message, /^api-1 does not start anymore\. The server ended with 1:\n.*database/i)
  assert.equal(server.isUp(), false)
  await assert.rejects(server.up(), over.signal.reason)
  await server.stop()
  await assert.rejects(server.up(), over.signal.reason)
})
