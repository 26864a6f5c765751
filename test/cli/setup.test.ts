import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Commands, commandsOf } from '../../support/commands.ts'
import { engines } from '../../support/engines.ts'
import { trySignIn } from '../../support/members.ts'
import { type Service, startService } from '../../support/service.ts'

for (const engine of engines) {
  describe(`an empty installation on ${engine.name}`, () => {
    let service: Service
    let commands: Commands
    before(async () => {
      service = await startService(engine)
      commands = commandsOf(service)
    })
    after(() => service.close())

    test('lists say that there is nothing, instead of printing a lone header', async () => {
      assert.equal((await commands.run('organization', 'list')).stdout, 'No organizations yet.\n')
      assert.equal((await commands.run('dead-letter', 'list')).stdout, 'No dead letters.\n')
      assert.equal((await commands.run('dead-letter', 'list', '--error', 'TLS')).stdout, 'No dead letters match.\n')
    })

    test('setup creates the first organization and an admin who can sign in, once, even if run twice at the same time', async () => {
      const args = ['setup', '--name', 'Acme', '--email', ' Ada@Acme.example']
      assert.equal(
        await commands.error(...args.slice(0, 3), '--email', 'ada'),
        '--email must be an email address such as ada@example.com',
      )
      const both = await Promise.all([commands.json(...args), commands.json(...args)])
      const [{ created, organizationId, email, password } = {}, other] = both.sort((a) => (a.created ? -1 : 1))
      assert.deepEqual(other, { created: false })
      assert.deepEqual([created, email], [true, 'ada@acme.example'])
      const { body } = await trySignIn(service, { email: 'ada@acme.example', password: String(password) })
      assert.partialDeepStrictEqual(body, { organizations: [{ id: organizationId, name: 'Acme', role: 'admin' }] })

      assert.deepEqual(await commands.json(...args), { created: false })
      assert.equal((await commands.run(...args)).stdout, 'Already set up. Nothing was changed.\n')
      assert.equal((await commands.run('organization', 'list')).stdout.trimEnd().split('\n').length, 2)
      const none = await commands.run('key', 'list', '--organization', String(organizationId))
      assert.equal(none.stdout, 'No keys yet.\n')
    })
  })
}
