import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { mintKey } from '../../server/organizations/api-keys.ts'
import { createOrganization } from '../../server/organizations/organizations.ts'
import { type Commands, commandsOf } from '../../support/commands.ts'
import { engines } from '../../support/engines.ts'
import { type Service, startService } from '../../support/service.ts'

const hostile = 'ATS\u001b]0;owned\u0007\u009b2J\nkey_0  active\u202e\u2028'
const shown = 'ATS\\u001b]0;owned\\u0007\\u009b2J\\u000akey_0  active\\u202e\\u2028'

const [engine] = engines
if (engine) {
  describe('control characters in stored text never reach the terminal', () => {
    let service: Service
    let commands: Commands
    let organizationId: string
    let keyId: string
    before(async () => {
      service = await startService(engine)
      commands = commandsOf(service)
      const { database, time } = service
      organizationId = (await createOrganization(database, hostile, time.now)).id
      const wanted = { organizationId, label: hostile, scopes: ['results:read' as const], createdBy: 'test' }
      keyId = (await mintKey(database, wanted, time.now)).id
    })
    after(() => service.close())

    test('in tables, in sentences and in JSON', async () => {
      const outputs = [
        await commands.run('key', 'list', '--organization', organizationId),
        await commands.run('organization', 'list'),
        await commands.run('organization', 'activate', '--id', organizationId),
        await commands.run('key', 'revoke', '--id', keyId),
      ]
      for (const { status, stdout } of outputs) {
        assert.equal(status, 0)
        assert.ok(stdout.includes(shown), stdout)
        assert.doesNotMatch(stdout.replaceAll('\n', ''), /[\p{Cc}\u2028\u202e]/u)
      }
      const printed = await commands.run('key', 'list', '--organization', organizationId, '--json')
      assert.doesNotMatch(printed.stdout.trimEnd(), /[\p{Cc}\u2028\u202e]/u)
      assert.equal(JSON.parse(printed.stdout).data[0].label, hostile)
    })

    test('in errors', async () => {
      const { stderr } = await commands.run('key', 'revoke', '--id', 'key_\u001b[2J')
      assert.equal(stderr, 'There is no key key_\\u001b[2J\n')
    })

    test('names with control characters are rejected', async () => {
      const label = ['--organization', organizationId, '--label', hostile, '--scopes', 'results:read']
      const member = ['--organization', organizationId, '--email', 'a@example.com', '--role', 'viewer']
      for (const [option, args] of [
        ['--label', ['key', 'create', ...label]],
        ['--name', ['organization', 'create', '--name', hostile]],
        ['--name', ['member', 'add', ...member, '--name', hostile]],
      ] as const) {
        assert.equal(await commands.error(...args), `${option} must be text without control characters`)
      }
    })
  })
}
