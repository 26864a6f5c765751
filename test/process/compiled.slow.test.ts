import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type DeliverySite, openDeliverySite } from '../../support/delivery-site.ts'
import { eventually, runCli, startServer } from '../../support/process.ts'
import { startReporting } from './reporting.ts'

const root = join(import.meta.dirname, '../..')

describe('the service compiled to JavaScript, as the image and the systemd unit run it', () => {
  let site: DeliverySite

  before(async () => {
    const printed = spawnSync(process.execPath, [join(root, 'ops/compile.ts')], { encoding: 'utf8' })
    assert.deepEqual([printed.status, printed.stdout, printed.stderr], [0, '', ''])
    site = await openDeliverySite()
  })
  after(() => site?.close())

  test('no TypeScript is left in it', () => {
    const left = ['server', 'cli', 'sdk']
      .flatMap((folder) => readdirSync(join(root, 'dist', folder), { recursive: true, encoding: 'utf8' }))
      .filter((name) => name.endsWith('.ts'))
    assert.deepEqual(left, [])
  })

  for (const processes of ['1', '2']) {
    test(`with PROCESSES=${processes} it checks images, delivers events and serves its pages`, async () => {
      // So that Node refuses to run TypeScript.
      const environment = { ...site.environment, PROCESSES: processes, NODE_OPTIONS: '--no-strip-types' }
      await using server = await startServer(environment, 'dist/server/main.js')
      const reporter = await startReporting(server, site.environment, site.receiver)
      await reporter.report(3)
      const received = () => new Set(site.receiver.requests.map(({ headers }) => headers['x-service-idempotency-key']))
      assert.ok(await eventually(async () => reporter.results.every((id) => received().has(id))))
      for (const path of ['/', '/settings', '/docs', '/openapi.json']) {
        assert.equal((await fetch(`${server.url}${path}`)).status, 200, path)
      }
      assert.equal((await server.stop()).status, 0)
      assert.equal(server.stderr(), '')
    })
  }

  test('its programs can be run as such', { skip: process.platform === 'win32' }, () => {
    assert.ok(statSync(join(root, 'dist/cli/launch.js')).mode & 0o100)
  })

  test('the command line works too', async () => {
    const environment = { ...site.environment, NODE_OPTIONS: '--no-strip-types' }
    const { status, stdout, stderr } = await runCli(['organization', 'list', '--json'], environment, 'dist/cli/main.js')
    assert.deepEqual([status, stderr], [0, ''])
    assert.match(stdout, /Acme/)
  })
})
