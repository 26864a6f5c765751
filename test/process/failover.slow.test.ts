import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runFailovers } from '../../faults/failovers.ts'
import { cli, startServer, temporaryFolder } from '../../support/process.ts'

/** The short form of `npm run faults:failover`. */
test('failovers to a synchronous standby lose no accepted result, and the service and its commands find the new primary · ROB-6', async (t) => {
  await using folder = await temporaryFolder()
  const outcome = await runFailovers({
    seed: '25',
    failovers: 2,
    folder: folder.path,
    promoteAfterMilliseconds: [0, 500],
    restMilliseconds: [500, 1_000],
    reporters: 2,
    progress: (state) => t.diagnostic(state),
    // One of the two servers is frozen: it accepts connections and never answers.
    async whileAlone(environment) {
      const { data } = await cli(['organization', 'list'], environment)
      assert.ok(Array.isArray(data) && data.length === 4)
      await using server = await startServer(environment)
      await server.stop()
    },
  })
  assert.deepEqual([...outcome.wrong, ...outcome.findings.lost, ...outcome.findings.stuck], [])
  assert.deepEqual(outcome.findings.wrong, [])
  assert.deepEqual(
    outcome.failovers.map(({ how }) => how),
    ['killed', 'frozen'],
  )
  assert.ok(outcome.accepted >= 4, 'too few results to prove anything')
})
