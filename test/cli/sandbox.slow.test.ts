import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pino from 'pino'
import { runCommand } from '../../cli/program.ts'
import { readConfig } from '../../server/config.ts'
import { findSharedResult } from '../../server/interviews/shared-result.ts'
import { openServices, type Services } from '../../server/services.ts'
import { type Deliveries, startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'
import { appUrl, type Partner, type Service } from '../../support/service.ts'
import { invite } from '../pages/journey.ts'

for (const engine of engines) {
  describe(`sandbox complete on ${engine.name}`, () => {
    let deliveries: Deliveries
    let service: Service
    let partner: Partner
    before(async () => {
      deliveries = await startDeliveries(engine)
      service = deliveries.service
      partner = await service.partner({ unlimited: true })
    })
    after(() => deliveries.close())

    test('stores a result that polling returns and whose link opens', async () => {
      const { id } = await invite(partner, { email: 'plain@example.com' })
      const completed = await complete(['--invitation', id])
      assert.equal(completed.status, 0, completed.stdout)
      const { resultId, resultUrl, deliveryId } = completed.json
      assert.match(resultId, /^res_/)
      assert.equal(deliveryId, null)
      const polled = await partner.call('GET', `/v1/interview-results?invitationId=${id}`)
      const data = [{ resultId, invitationId: id, resultUrl, overallScore: 87.4 }]
      assert.deepEqual(polled.body, { data, nextCursor: null })
      assert.ok(await findSharedResult(service.database, resultUrl.slice(-43)))
    })

    test('--score sets every score', async () => {
      const { id } = await invite(partner, { email: 'scored@example.com' })
      const { json } = await complete(['--invitation', id, '--score', '61.5'])
      const { scoring } = (await findSharedResult(service.database, json.resultUrl.slice(-43))) ?? {}
      assert.partialDeepStrictEqual(scoring, {
        technical_score: 61.5,
        soft_skills_score: 61.5,
        language_proficiency: 61.5,
        weighted_score: 61.5,
      })
    })

    test('opens a delivery if a webhook is enabled', async () => {
      const { id } = await (await deliveries.subscriber()).invite()
      const { json } = await complete(['--invitation', id])
      const { resultId, status } = await deliveries.read(json.deliveryId)
      assert.deepEqual({ resultId, status }, { resultId: json.resultId, status: 'PENDING' })
    })

    test('says so if no server is running to send the event', async () => {
      const { id } = await (await deliveries.subscriber()).invite()
      const services = openTestServices('true')
      const { stdout } = await runCommand(['sandbox', 'complete', '--invitation', id], async () => services, 'stopped')
      await services.queue.stop()
      assert.match(
        stdout,
        /\nSending the event: dlv_\w+\nNo server is running on this database\. Start one to send it\.\n$/,
      )
    })

    test('without a webhook it says that only listeners get the event', async () => {
      const { id } = await invite(await service.partner(), { email: 'no-webhook@example.com' })
      const services = openTestServices('true')
      const { stdout } = await runCommand(['sandbox', 'complete', '--invitation', id], async () => services)
      await services.queue.stop()
      assert.ok(stdout.endsWith('\nNo webhook is enabled, so nothing is delivered. Listeners get a copy.\n'), stdout)
    })

    test('a second run names the existing result', async () => {
      const { id } = await invite(partner, { email: 'twice@example.com' })
      const { json } = await complete(['--invitation', id])
      const again = await complete(['--invitation', id, '--score', '1'])
      assert.equal(again.status, 1)
      const error = `The interview is already completed, with result ${json.resultId}: ${json.resultUrl}`
      assert.deepEqual(again.json, { error })
    })

    test('errors say what is wrong', async () => {
      const { id } = await invite(partner, { email: 'wrong@example.com' })
      for (const [args, error] of [
        [['--invitation', 'inv_nobody'], 'There is no invitation inv_nobody'],
        [['--invitation', id, '--score', '101'], '--score must be a number between 0 and 100'],
        [['--invitation', id, '--score', 'good'], '--score must be a number between 0 and 100'],
        [[], "required option '--invitation <id>' not specified"],
      ] as const) {
        const { status, json } = await complete([...args])
        assert.deepEqual({ status, json }, { status: 1, json: { error } })
      }
    })

    test('does nothing if the sandbox is off', async () => {
      const { id } = await invite(partner, { email: 'off@example.com' })
      const { status, json } = await complete(['--invitation', id], 'false')
      assert.equal(status, 1)
      assert.deepEqual(json, { error: 'The sandbox is off. Set SANDBOX=true to use it on this database' })
      const polled = await partner.call('GET', `/v1/interview-results?invitationId=${id}`)
      assert.deepEqual(polled.body, { data: [], nextCursor: null })
    })

    async function complete(args: string[], sandbox = 'true') {
      const services = openTestServices(sandbox)
      try {
        const result = await runCommand(['sandbox', 'complete', '--json', ...args], async () => services)
        return { ...result, json: JSON.parse(result.stdout) }
      } finally {
        await services.queue.stop()
      }
    }

    function openTestServices(sandbox: string): Services {
      const address = engine.name === 'PostgreSQL' ? { DATABASE_URL: 'postgres://the-test-has-it-open' } : {}
      const configuration = readConfig('command', { APP_URL: appUrl, SANDBOX: sandbox, ...address })
      assert.ok(configuration.ok)
      const store = { database: service.database, engineToken: null, secretsKey: null, close: async () => {} }
      return { ...openServices(configuration.config, store, pino({ level: 'silent' })), clock: () => service.time.now }
    }
  })
}
