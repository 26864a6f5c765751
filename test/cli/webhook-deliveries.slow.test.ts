import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pino from 'pino'
import { runCommand } from '../../cli/program.ts'
import { readConfig } from '../../server/config.ts'
import { findEndpoint } from '../../server/endpoints/endpoint.ts'
import { openServices, type Services } from '../../server/services.ts'
import { type Deliveries, startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'
import { startReceiver } from '../../support/receiver.ts'

const recordFields = [
  'id',
  'organizationId',
  'resultId',
  'deliveryKey',
  'idempotencyKey',
  'status',
  'failureReason',
  'attempts',
  'createdAt',
  'updatedAt',
  'deliveredAt',
]
const attemptFields = [
  ...['number', 'round', 'roundBegunBy', 'startedAt', 'finishedAt', 'address', 'status', 'error', 'code', 'phase'],
  ...['detail', 'url', 'answer', 'headers', 'timing'],
]
const nobody = 'dlv_01m7efx4xwfztrm1s20bva7r58'
const unchanged = { pendingSecret: false, maxPerSecond: null }

for (const engine of engines) {
  describe(`webhook and delivery on ${engine.name}`, () => {
    let deliveries: Deliveries
    let services: Services
    before(async () => {
      deliveries = await startDeliveries(engine)
      services = openTestServices()
    })
    after(async () => {
      await services?.queue.stop()
      await deliveries?.close()
    })

    const run = (args: string[], of = services) => runCommand(args, async () => of)
    const printed = async (args: string[]) => {
      const { status, stdout, stderr } = await run([...args, '--json'])
      assert.deepEqual([status, stderr], [0, ''], stdout)
      assert.match(stdout, /^\{.*\}\n$/)
      return JSON.parse(stdout)
    }
    const refused = async (args: string[], error: string, of = services) => {
      const json = await run([...args, '--json'], of)
      assert.deepEqual([json.status, json.stderr], [1, ''])
      assert.deepEqual(JSON.parse(json.stdout), { error })
      const text = await run(args, of)
      assert.deepEqual([text.status, text.stdout], [1, ''])
      assert.ok(text.stderr.includes(error))
    }

    test('webhook set, show, disable, enable, rotate and remove print the resulting state', async () => {
      const { organizationId } = await deliveries.service.partner()
      const of = ['--organization', organizationId]
      const url = 'https://127.0.0.1:8443/events'
      const set = await printed(['webhook', 'set', ...of, '--url', url])
      assert.deepEqual(set, { url, enabled: true, secret: set.secret })
      assert.match(set.secret, /^whsec_[\w-]{43}$/)
      assert.deepEqual(await printed(['webhook', 'show', ...of]), { url, enabled: true, ...unchanged })
      assert.deepEqual(await printed(['webhook', 'disable', ...of]), { url, enabled: false })
      assert.deepEqual(await printed(['webhook', 'show', ...of]), { url, enabled: false, ...unchanged })
      assert.deepEqual(await printed(['webhook', 'enable', ...of]), { url, enabled: true })
      const rotated = await printed(['webhook', 'rotate', ...of])
      assert.deepEqual(rotated, { url, enabled: true, secret: rotated.secret })
      assert.notEqual(rotated.secret, set.secret)
      assert.equal(
        (await printed(['webhook', 'set', ...of, '--url', url])).secret,
        null,
        'the secret is shown only once',
      )
      const secret = 'given-by-an-admin'
      const moved = { url: 'https://127.0.0.2/', enabled: true, secret }
      assert.deepEqual(
        await printed(['webhook', 'set', ...of, '--url', 'https://127.0.0.2', '--secret', secret]),
        moved,
      )
      assert.deepEqual(await printed(['webhook', 'remove', ...of]), { url: moved.url, enabled: true })
      assert.equal(await findEndpoint(deliveries.service.database, organizationId), null)
    })

    test('webhook rotate --prepare, activate and discard change the secret in two steps · SET-7', async () => {
      const { secret, organizationId } = await deliveries.subscriber()
      const of = ['--organization', organizationId]
      const { url } = await printed(['webhook', 'show', ...of])
      const prepared = await printed(['webhook', 'rotate', '--prepare', ...of])
      assert.deepEqual(prepared, { url, enabled: true, secret: prepared.secret })
      assert.notEqual(prepared.secret, secret)
      const pending = { url, enabled: true, ...unchanged, pendingSecret: true }
      assert.deepEqual(await printed(['webhook', 'show', ...of]), pending)
      assert.deepEqual(await printed(['webhook', 'activate', ...of]), { ...pending, pendingSecret: false })
      const none = `Organization ${organizationId} has no prepared secret. Prepare one with: webhook rotate --prepare --organization …`
      for (const name of ['activate', 'discard']) await refused(['webhook', name, ...of], none)
      const first = await run(['webhook', 'rotate', '--prepare', ...of])
      assert.match(first.stdout, /Next signing secret: whsec_\S+\n$/)
      const second = await run(['webhook', 'rotate', '--prepare', ...of])
      assert.match(second.stdout, /\n\nIt replaces the one prepared at 20\S+, which will never be used\.\n$/)
      assert.deepEqual(await printed(['webhook', 'discard', ...of]), { ...pending, pendingSecret: false })
    })

    test('webhook set --max-per-second limits the pace, keeps it, and removes it · DLV-19', async () => {
      const { organizationId } = await deliveries.service.partner()
      const of = ['--organization', organizationId]
      const set = ['webhook', 'set', ...of, '--url', 'https://127.0.0.1/']
      const limit = async () => (await printed(['webhook', 'show', ...of])).maxPerSecond
      await printed([...set, '--max-per-second', '20'])
      assert.equal(await limit(), 20)
      await printed(set)
      assert.equal(await limit(), 20, 'kept')
      const shown = await run(['webhook', 'show', ...of])
      assert.equal(shown.stdout, 'https://127.0.0.1/  enabled  at most 20 a second\n')
      for (const wrong of ['0', '1001', '1.5', 'many', '']) {
        await refused(
          [...set, '--max-per-second', wrong],
          '--max-per-second must be a whole number from 1 to 1000, or none',
        )
      }
      assert.equal(await limit(), 20)
      await printed([...set, '--max-per-second', 'none'])
      assert.equal(await limit(), null)
    })

    test('webhook prints text for people, with a warning if the endpoint can’t be reached', async () => {
      const { organizationId } = await deliveries.service.partner()
      const of = ['--organization', organizationId]
      const receiver = await startReceiver()
      const url = receiver.url('/', '127.0.0.1')
      const trusting = { ...services, config: { ...services.config, destinationCa: receiver.ca } }
      const set = ['webhook', 'set', ...of, '--url', url, '--secret', 'given-by-an-admin']
      const whileOpen = await run(set, trusting)
      await receiver.close()
      const whileClosed = await run(set, trusting)

      const text = `${url}  enabled\n\nSigning secret: given-by-an-admin\n`
      assert.equal(whileOpen.stdout, text)
      assert.equal(receiver.requests.length, 0, 'nothing is sent')
      const warning =
        "Warning: the endpoint can't be reached: the connection was refused (ECONNREFUSED). Deliveries to it fail until that is fixed."
      assert.deepEqual([whileClosed.status, whileClosed.stdout], [0, `${text}\n${warning}\n`])
      assert.deepEqual(await printed(set), { url, enabled: true, secret: 'given-by-an-admin' })
      assert.equal((await run(['webhook', 'show', ...of])).stdout, `${url}  enabled\n`)
    })

    test('webhook errors say what is wrong · DST-1', async () => {
      const { organizationId } = await deliveries.service.partner()
      const of = ['--organization', organizationId]
      const none = `Organization ${organizationId} has no webhook. Create one with: webhook set --organization … --url …`
      for (const name of ['show', 'disable', 'enable', 'remove', 'rotate', 'activate', 'discard'])
        await refused(['webhook', name, ...of], none)
      const set = ['webhook', 'set', ...of, '--url']
      for (const [url, error] of [
        ['http://127.0.0.1/', 'The URL was rejected: the URL must begin with https://'],
        [
          'https://10.0.0.1/',
          'The URL was rejected: 10.0.0.1 is private (10.0.0.0/8). To allow it for development or on a private network, restart the service with DESTINATION_ALLOW_CIDRS=10.0.0.1/32',
        ],
        ['https://me@127.0.0.1/', 'The URL was rejected: the URL must not contain a user name or password'],
      ] as const) {
        await refused([...set, url], error)
      }
      await refused(
        [...set, 'https://127.0.0.1/', '--secret', 'short'],
        '--secret must be 16 to 256 printable characters',
      )
      const stranger = ['webhook', 'set', '--organization', 'org_x', '--url', 'https://127.0.0.1/']
      await refused(stranger, 'There is no organization org_x')
      await refused(['webhook', 'set', ...of], "required option '--url <url>' not specified")
      const needed = 'This needs SECRETS_KEY. Set it to the value the server uses'
      await refused([...set, 'https://127.0.0.1/'], needed, { ...services, secretsKey: null })
    })

    test('delivery list and show print the record and every attempt · DLV-13', async () => {
      const subscriber = await deliveries.subscriber()
      subscriber.answer({ status: 503, body: 'closed' })
      const { deliveryId, resultId } = await subscriber.complete()
      const waiting = await subscriber.complete()
      await deliveries.attempt(deliveryId, { receive: 4 })

      const shown = await printed(['delivery', 'show', '--id', deliveryId])
      assert.deepEqual(Object.keys(shown), [...recordFields, 'history'])
      const { history, ...record } = shown
      assert.partialDeepStrictEqual(record, {
        id: deliveryId,
        organizationId: subscriber.organizationId,
        resultId,
        deliveryKey: `result.completed:${resultId}`,
        idempotencyKey: resultId,
        status: 'FAILED',
        failureReason: 'RECEIVES_EXHAUSTED',
        attempts: 4,
        deliveredAt: null,
      })
      assert.deepEqual(Object.keys(history[0]), attemptFields)
      assert.partialDeepStrictEqual(history[0], { number: 4, status: 503, error: 'HTTP_5XX', answer: 'closed' })

      const of = ['--organization', subscriber.organizationId]
      const list = await printed(['delivery', 'list', ...of])
      assert.equal(list.nextCursor, null)
      assert.deepEqual(
        list.data.map(({ id }: { id: string }) => id),
        [waiting.deliveryId, deliveryId],
      )
      assert.deepEqual(Object.keys(list.data[1]), recordFields)
      assert.deepEqual(list.data[1], record)
      assert.deepEqual(await printed(['delivery', 'list', ...of, '--status', 'failed']), {
        data: [list.data[1]],
        nextCursor: null,
      })
      const delivered = await printed(['delivery', 'list', ...of, '--status', 'DELIVERED'])
      assert.deepEqual(delivered, { data: [], nextCursor: null })

      const words = await run(['delivery', 'show', '--id', deliveryId])
      assert.match(words.stdout, /failureReason +RECEIVES_EXHAUSTED[\s\S]*\n4 .*HTTP_5XX \(503\) .*127\.0\.0\.1/)
      const table = (await run(['delivery', 'list', ...of])).stdout.trimEnd().split('\n')
      assert.match(table[0] ?? '', /^ID +STATUS +REASON +ATTEMPTS +RESULT +CREATED +CANDIDATE$/)
      assert.equal(table.length, 3)
    })

    test('delivery list finds a result or a candidate, and goes on past one page', async () => {
      const subscriber = await deliveries.subscriber()
      const of = ['delivery', 'list', '--organization', subscriber.organizationId]
      assert.equal((await run(of)).stdout, 'No deliveries yet.\n')
      const completed = [await subscriber.complete(), await subscriber.complete(), await subscriber.complete()]
      const newest = completed.map(({ deliveryId }) => deliveryId).toReversed()
      const ids = async (...more: string[]) =>
        (await printed([...of, ...more])).data.map(({ id }: { id: string }) => id)

      const first = await printed([...of, '--limit', '2'])
      assert.deepEqual(
        first.data.map(({ id }: { id: string }) => id),
        newest.slice(0, 2),
      )
      assert.deepEqual(await ids('--limit', '2', '--cursor', first.nextCursor), newest.slice(2))
      assert.deepEqual(await ids('--all'), newest)
      const text = (await run([...of, '--limit', '2'])).stdout
      assert.ok(text.endsWith(`\n\nThere are more. Next page: --cursor ${first.nextCursor}\n`))

      const { resultId } = await deliveries.read(String(newest[1]))
      assert.deepEqual(await ids('--result', resultId), [newest[1]])
      const row = (await run([...of, '--result', resultId])).stdout.split('\n')[1] ?? ''
      const email = row.split(/ +/).at(-1) ?? ''
      assert.deepEqual(await ids('--candidate', email.toUpperCase()), [newest[1]])
      assert.equal((await run([...of, '--candidate', 'nobody@'])).stdout, 'No deliveries match.\n')
      await refused([...of, '--result', email], '--result must be a result ID, res_…')
      const both = ['--result', resultId, '--candidate', email]
      await refused([...of, ...both], 'Use either --result or --candidate: a result has one candidate')
      await refused([...of, '--cursor', 'x'], '--cursor must be a value printed with an earlier page')
    })

    test('delivery retry works only on FAILED and prints the resulting delivery · DLV-9', async () => {
      const subscriber = await deliveries.subscriber()
      subscriber.answer({ status: 400 })
      const { deliveryId } = await subscriber.complete()
      const nothing = `Delivery ${deliveryId} is not FAILED: there is nothing to retry`
      await refused(['delivery', 'retry', '--id', deliveryId], nothing)
      await deliveries.attempt(deliveryId)
      const retried = await printed(['delivery', 'retry', '--id', deliveryId])
      assert.deepEqual(Object.keys(retried), [...recordFields, 'history'])
      assert.partialDeepStrictEqual(retried, { status: 'PENDING', failureReason: null, attempts: 0 })
      assert.equal(retried.history.length, 1)
      assert.deepEqual(await printed(['delivery', 'show', '--id', deliveryId]), retried)
      assert.match((await run(['delivery', 'show', '--id', deliveryId])).stdout, /attempts since last retry +0\n/)
      const list = await run(['delivery', 'list', '--organization', subscriber.organizationId])
      assert.match(list.stdout, /PENDING +HTTP_4XX +1 +res_/)
      await refused(['delivery', 'retry', '--id', deliveryId], nothing)
    })

    test('delivery retry says when it sends, and whether anybody is there to send it · DLV-9', async () => {
      for (const server of ['running', 'stopped'] as const) {
        const subscriber = await deliveries.subscriber()
        subscriber.answer({ status: 400 })
        const { deliveryId } = await subscriber.complete()
        await deliveries.attempt(deliveryId)
        const { stdout } = await runCommand(['delivery', 'retry', '--id', deliveryId], async () => services, server)
        const { nextAttemptAt } = await deliveries.read(deliveryId)
        const scheduled = `Retry scheduled. ${deliveryId} sends in about a minute, at ${nextAttemptAt}.\n`
        const hint = 'No server is running on this database. Start one to send it.\n'
        assert.equal(stdout, server === 'running' ? scheduled : scheduled + hint)
      }
    })

    test('delivery errors say what is wrong', async () => {
      for (const name of ['show', 'retry'])
        await refused(['delivery', name, '--id', nobody], `There is no delivery ${nobody}`)
      const list = ['delivery', 'list', '--organization', 'org_x']
      await refused([...list, '--status', 'LOST'], '--status must be one of PENDING, DELIVERED, FAILED')
      for (const limit of ['0', 'x', '1.5', '10001']) {
        await refused([...list, '--limit', limit], '--limit must be a whole number between 1 and 10000')
      }
    })

    function openTestServices(): Services {
      const { database, time } = deliveries.service
      const address = engine.name === 'PostgreSQL' ? { DATABASE_URL: 'postgres://the-test-has-it-open' } : {}
      const configuration = readConfig('command', { DESTINATION_ALLOW_CIDRS: '127.0.0.0/8', ...address })
      assert.ok(configuration.ok)
      const { secretsKey } = deliveries.out
      const store = { database, engineToken: null, secretsKey, close: async () => {} }
      return { ...openServices(configuration.config, store, pino({ level: 'silent' })), clock: () => time.now }
    }
  })
}
