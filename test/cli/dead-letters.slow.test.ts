import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import type { DeadLetter } from '../../server/deliveries/dead-letters.ts'
import { type Commands, commandsOf } from '../../support/commands.ts'
import { type Deliveries, type Subscriber, startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'

type DeadLetterPage = { data: DeadLetter[]; nextCursor: string | null }

for (const engine of engines) {
  describe(`dead-letter on ${engine.name}`, () => {
    let deliveries: Deliveries
    let commands: Commands
    let one: Subscriber
    let other: Subscriber
    /** Four from `one`, then one from `other`. */
    let dead: string[]
    before(async () => {
      deliveries = await startDeliveries(engine)
      commands = commandsOf(deliveries.service)
      one = await deliveries.subscriber()
      other = await deliveries.subscriber()
      one.answer({ status: 500 })
      other.answer({ status: 302 })
      const worker = deliveries.startWorker()
      dead = []
      for (const subscriber of [one, one, one, one, other]) {
        const { deliveryId } = await subscriber.complete()
        await deliveries.waitForStatus(deliveryId, 'FAILED')
        dead.push(deliveryId)
      }
      await worker.stop()
      await age(dead[0], '3 days')
      await age(dead[1], '5 hours')
      for (const subscriber of [one, other]) subscriber.answer({ status: 200 })
    })
    after(() => deliveries?.close())

    const letterOf = async (deliveryId: string | undefined): Promise<DeadLetter> => {
      const { data } = await commands.json<DeadLetterPage>('dead-letter', 'list')
      const letter = data.find((one) => one.deliveryId === deliveryId)
      assert.ok(letter)
      return letter
    }
    const age = (deliveryId: string | undefined, by: string) =>
      deliveries.service.database.query(sql`
        update dead_letters set dead_at = dead_at - ${by}::interval where delivery_id = ${deliveryId}`)
    const list = async (...args: string[]) => {
      const { data } = await commands.json<DeadLetterPage>('dead-letter', 'list', ...args)
      return data.map(({ deliveryId }) => dead.indexOf(deliveryId))
    }

    test('the list shows reason, age and organization, newest first, and can be filtered · DLV-5', async () => {
      const { data, ...rest } = await commands.json<DeadLetterPage>('dead-letter', 'list')
      assert.deepEqual(rest, { nextCursor: null })
      const [newest] = data
      assert.deepEqual(newest, {
        id: newest?.id,
        deliveryId: dead[4],
        organizationId: other.organizationId,
        round: 1,
        deadSince: newest?.deadSince,
        organizationName: 'Acme',
        status: 'FAILED',
        failureReason: 'RECEIVES_EXHAUSTED',
        lastError: 'HTTP_3XX',
      })
      assert.match(newest?.deadSince ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      assert.deepEqual(await list(), [4, 3, 2, 1, 0])
      assert.deepEqual(await list('--organization', one.organizationId), [3, 2, 1, 0])
      assert.deepEqual(await list('--error', 'http_3xx'), [4])
      assert.deepEqual(await list('--older-than', '60m'), [1, 0])
      assert.deepEqual(await list('--older-than', '2d', '--error', 'HTTP_5XX'), [0])
      assert.deepEqual(await list('--error', 'DNS'), [])

      const { stdout } = await commands.run('dead-letter', 'list', '--older-than', '4h')
      const lines = stdout.trimEnd().split('\n')
      assert.match(lines[0] ?? '', /^ID +DELIVERY +REASON +AGE +NOW +ORGANIZATION$/)
      assert.match(
        lines[2] ?? '',
        new RegExp(`^\\S+ +${dead[0]} +RECEIVES_EXHAUSTED HTTP_5XX +3 d +FAILED +Acme \\(${one.organizationId}\\)$`),
      )
    })

    test('paging skips and repeats nothing', async () => {
      const seen: number[] = []
      let cursor: string | null = null
      do {
        const more = cursor === null ? [] : ['--cursor', cursor]
        const page: DeadLetterPage = await commands.json('dead-letter', 'list', '--limit', '2', ...more)
        seen.push(...page.data.map(({ deliveryId }) => dead.indexOf(deliveryId)))
        cursor = page.nextCursor
      } while (cursor !== null)
      assert.deepEqual(seen, [4, 3, 2, 1, 0])
      assert.deepEqual(await list('--all'), seen)
    })

    test('show prints a dead letter with its delivery and every attempt', async () => {
      const letter = await letterOf(dead[0])
      type DeadLetterDetails = DeadLetter & { delivery: { history: { error: string }[] } }
      const shown = await commands.json<DeadLetterDetails>('dead-letter', 'show', '--id', letter.id)
      assert.partialDeepStrictEqual(shown, { id: letter.id, deliveryId: dead[0], lastError: 'HTTP_5XX' })
      assert.deepEqual(
        shown.delivery.history.map(({ error }) => error),
        Array(4).fill('HTTP_5XX'),
      )
      const { stdout } = await commands.run('dead-letter', 'show', '--id', letter.id)
      assert.match(stdout, /^Dead letter \S+ of Acme \(org_\w+\), given up 3 d ago, at 2[\s\S]*\n4 .*HTTP_5XX/)
    })

    test('redriving several asks for confirmation first; redriving one by ID does not · DLV-5', async () => {
      const redrive = ['dead-letter', 'redrive']
      const narrowed = [...redrive, '--older-than', '4h']
      assert.equal(await commands.error(...narrowed), '2 dead letters match. Add --yes to go ahead')
      const asked = await commands.run(...narrowed)
      assert.deepEqual([asked.status, asked.question], [1, '2 dead letters match. Redrive?'])
      assert.deepEqual(await list(), [4, 3, 2, 1, 0])

      await deliveries.service.database.query(sql`
        update deliveries set status = 'DELIVERED', failure_reason = null, delivered_at = now() where id = ${dead[0]}`)
      assert.deepEqual(await commands.json(...narrowed, '--yes'), { redriven: 1, delivered: 1, superseded: 0 })
      assert.deepEqual(await list(), [4, 3, 2])
      const pending = { status: 'PENDING', failureReason: null, attempts: 0 }
      assert.partialDeepStrictEqual(await deliveries.read(dead[1] ?? ''), pending)

      const letter = await letterOf(dead[4])
      const byId = [...redrive, '--id', letter.id]
      assert.partialDeepStrictEqual(await commands.json(...byId), { id: dead[4], ...pending })
      assert.equal(await commands.error(...byId), `There is no dead letter ${letter.id}`)
      assert.deepEqual(await commands.json(...redrive, '--all', '--yes'), { redriven: 2, delivered: 0, superseded: 0 })
      assert.equal(await commands.error(...redrive, '--all'), 'No dead letter matches')
      const activity = await deliveries.service.database.query(
        sql`select distinct actor, detail from activity where action like '%retried'`,
      )
      assert.deepEqual(activity, [{ actor: 'command line', detail: 'from the dead letters' }])

      const worker = deliveries.startWorker()
      for (const deliveryId of dead) await deliveries.waitForStatus(deliveryId, 'DELIVERED')
      await worker.stop()
    })

    test('errors say what is wrong', async () => {
      const which = 'Choose one with --id, several with --organization, --error or --older-than, or --all'
      for (const args of [
        [],
        ['--id', 'x', '--all'],
        ['--all', '--error', 'DNS'],
        ['--id', 'x', '--organization', 'y'],
      ]) {
        assert.equal(await commands.error('dead-letter', 'redrive', '--yes', ...args), which)
      }
      const wrong: [option: string, value: string, said: RegExp][] = [
        ['--error', 'LOUD', /^--error must be one of HTTP_3XX, /],
        ['--older-than', '5', /^--older-than must be a number of minutes, hours or days, such as/],
        ['--limit', '0', /^--limit must be a whole number between 1 and 10000$/],
        ['--cursor', 'x', /^--cursor must be a value printed with an earlier page$/],
      ]
      for (const [option, value, said] of wrong) {
        assert.match(await commands.error('dead-letter', 'list', option, value), said)
      }
      for (const id of ['x', '00000000-0000-7000-8000-000000000000']) {
        assert.equal(await commands.error('dead-letter', 'show', '--id', id), `There is no dead letter ${id}`)
      }
    })
  })
}
