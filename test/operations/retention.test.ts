import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import { startRetryRun } from '../../server/deliveries/retry-runs.ts'
import { createSample } from '../../server/listeners/listen-samples.ts'
import { applyRetention, type RetentionResult, startRetention } from '../../server/operations/retention/retention.ts'
import { type RetentionDays, retentionRules } from '../../server/operations/retention/rules.ts'
import { recordActivity } from '../../server/organizations/activity.ts'
import { commandsOf } from '../../support/commands.ts'
import { type CompletedInterview, type Deliveries, type Subscriber, startDeliveries } from '../../support/deliveries.ts'
import { engines } from '../../support/engines.ts'
import { createToken } from '../../support/listener.ts'
import { newMember, signedInMember } from '../../support/members.ts'
import { eventually } from '../../support/process.ts'
import { setWindow } from '../../support/service.ts'
import { storeDeliveries } from '../../support/stored-deliveries.ts'

const day = 86_400_000
const usual: RetentionDays = { attempts: 30, images: 90, activity: 365 }

for (const engine of engines) {
  describe(`retention on ${engine.name}`, () => {
    let deliveries: Deliveries
    let subscriber: Subscriber
    before(async () => {
      deliveries = await startDeliveries(engine)
      subscriber = await deliveries.subscriber()
    })
    after(() => deliveries?.close())

    /** How many rows of each kind are removed, or due for removal, this long from now. */
    async function due(milliseconds: number, options: { days?: RetentionDays; remove?: boolean } = {}) {
      const { database, time } = deliveries.service
      const { days = usual, remove = false } = options
      const now = new Date(time.now.getTime() + milliseconds)
      const results = await applyRetention({ database, rules: retentionRules(days) }, { remove }, now)
      return Object.fromEntries(results.map(({ name, removed }) => [name, removed]))
    }
    const remove = (milliseconds: number, days: RetentionDays = usual) => due(milliseconds, { days, remove: true })
    const count = async (table: 'thumbnails' | 'delivery_attempts', ids: string[]) => {
      const key = table === 'thumbnails' ? 'interview_id' : 'delivery_id'
      const { rows } = await deliveries.service.database.execute(`select from ${table} where ${key} = any($1)`, [ids])
      return rows.length
    }

    test('attempts of successful deliveries are removed after their retention period; the record and other attempts stay', async () => {
      const arrived = await subscriber.complete()
      const failed = await subscriber.complete()
      const waiting = await subscriber.complete()
      subscriber.answer({ status: 503 })
      for (const { deliveryId } of [arrived, waiting]) await deliveries.attempt(deliveryId)
      await deliveries.attempt(failed.deliveryId, { receive: 4 })
      subscriber.answer({ status: 200 })
      await deliveries.attempt(arrived.deliveryId)
      await markDelivered(arrived)
      const ids = [arrived, failed, waiting].map(({ deliveryId }) => deliveryId)
      const asItWas = await deliveries.read(arrived.deliveryId)

      assert.equal((await remove(30 * day - 1)).attempts, 0)
      assert.equal((await due(30 * day)).attempts, 2)
      assert.equal((await due(3_000 * day, { days: { ...usual, attempts: null } })).attempts, 0)
      assert.equal(await count('delivery_attempts', ids), 4)
      assert.equal((await remove(30 * day)).attempts, 2)
      assert.equal(await count('delivery_attempts', ids), 2)
      assert.deepEqual(await deliveries.read(arrived.deliveryId), { ...asItWas, history: [] })
      assert.equal((await deliveries.read(failed.deliveryId)).history.length, 1)
      await markDelivered(failed, waiting)
      assert.equal((await remove(30 * day)).attempts, 2)
    })

    test('images are removed once they will not be sent anymore; those needed for Retry stay', async () => {
      const { database, time } = deliveries.service
      await database.query(sql`delete from thumbnails`)
      const [arrived, failed, waiting] = [
        await subscriber.complete(),
        await subscriber.complete(),
        await subscriber.complete(),
      ]
      await deliveries.attempt(arrived.deliveryId)
      await markDelivered(arrived)
      await failNow(failed)
      const partner = await deliveries.service.partner({ unlimited: true })
      const [unsent, ...others] = await Promise.all(
        ['COMPLETED', 'CANCELLED', 'SCHEDULED', 'IN_PROGRESS'].map((status) => interview(partner, status)),
      )
      const [cancelled, scheduled, running] = others
      const images = [arrived, failed, waiting].map(({ invitation }) => invitation.interview.id)
      const all = [...images, unsent ?? '', ...others]
      assert.equal(await count('thumbnails', all), 7)

      assert.equal((await remove(90 * day - 1)).images, 0)
      assert.equal((await due(90 * day)).images, 3, 'delivered, without a webhook, and canceled')
      assert.equal((await due(3_000 * day, { days: { ...usual, images: null } })).images, 0)
      assert.equal((await remove(90 * day)).images, 3)
      assert.equal((await remove(120 * day)).images, 1, 'the invitation that expired thirty days later')
      assert.deepEqual(
        await Promise.all([cancelled, scheduled, running].map((id) => count('thumbnails', [id ?? '']))),
        [0, 0, 1],
      )
      assert.equal(await count('thumbnails', images), 2)
      await database.query(sql`update thumbnails set stored_at = ${new Date(time.now.getTime() + day)}`)
      await markDelivered(failed, waiting)
      assert.equal((await remove(90 * day)).images, 0, 'a newer image was uploaded')
      assert.equal((await remove(91 * day)).images, 2)

      async function interview({ organizationId }: { organizationId: string }, status: string): Promise<string> {
        const { interview } = await subscriber.invite()
        await deliveries.uploadImage(interview.id, Buffer.from('an image'))
        await database.query(sql`
          update interviews set status = ${status}, organization_id = ${organizationId} where id = ${interview.id}`)
        if (status === 'COMPLETED') {
          await database.query(sql`
            insert into results (id, organization_id, interview_id, template_id, final, token, scoring, overall_score,
              completed_at, created_at)
            select 'res_unsent', organization_id, id, template_id, true, 'unsent', '{}', 1, ${time.now}, ${time.now}
            from interviews where id = ${interview.id}`)
        }
        return interview.id
      }
    })

    test('activity, retry runs, sessions and rate windows are removed after their retention periods', async () => {
      const { service } = deliveries
      const { database, time } = service
      const { organizationId, keyId } = await service.partner()
      await newMember(service, 'viewer', organizationId)
      await signedInMember(service, 'admin', organizationId)
      await startRetryRun(database, { organizationId, actor: 'test', filter: {} }, time.now)
      await setWindow(database, keyId, 1)
      const minute = Math.floor(time.now.getTime() / 60_000)
      await database.query(sql`update rate_windows set minute = ${minute} where key_id = ${keyId}`)
      await database.query(sql`
        insert into check_windows (organization_id, minute, used) values (${organizationId}, ${minute}, 1)`)
      await database.query(sql`
        insert into key_usage (key_id, hour, status, requests) values (${keyId}, ${time.now}, 200, 1)`)
      for (let number = 0; number < 600; number++) {
        const activity = { organizationId, actor: 'test', action: 'key.created', subject: `${number}` } as const
        await recordActivity(database, activity, time.now)
      }

      const soon = await due(3_600_000)
      assert.deepEqual([soon['rate windows'], soon['check windows'], soon.sessions, soon.activity], [0, 0, 0, 0])
      const later = await remove(3_660_000)
      assert.deepEqual([later['rate windows'], later['check windows'], later['sign-in attempts']], [1, 1, 1])
      assert.equal((await due(2 * day))['key usage'], 0)
      assert.equal((await remove(2 * day + 1))['key usage'], 1)
      assert.equal((await due(90 * day - 1))['sign-in places'], 0)
      assert.equal((await due(365 * day - 1)).activity, 0)
      const never = await due(3_000 * day, { days: { attempts: null, images: null, activity: null } })
      assert.deepEqual([never.activity, never['retry runs']], [0, 0])
      const [entries] = await database.query<{ count: number }>(sql`select count(*)::integer as count from activity`)
      const year = await remove(365 * day)
      assert.deepEqual([year.activity, year['retry runs'], year.sessions], [entries?.count, 1, 1])
      assert.equal(year['sign-in places'], 1)
      const left = Object.entries(await due(365 * day)).filter(([name]) => !/^(attempts|images)$/.test(name))
      assert.deepEqual(
        left.filter(([, count]) => count > 0),
        [],
      )
    })

    test('what a process with a wrong clock wrote holds up the removal of nothing else', async () => {
      const { database } = deliveries.service
      const { organizationId } = await deliveries.subscriber()
      const createdAt = new Date(Date.now() - 200 * day)
      const old = { email: 'old@example.com', status: 'DELIVERED', createdAt, milliseconds: 5 } as const
      const stored = await storeDeliveries(database, organizationId, Array(1_200).fill(old))
      const isStored = sql`organization_id = ${organizationId}`
      await database.query(sql`
        insert into thumbnails (interview_id, size, base64, version, stored_at)
        select id, 1, 'AA==', 'old', created_at from interviews where ${isStored}`)
      await database.query(sql`
        update interviews set created_at = now() + interval '1 year'
        where id = (select min(id) from interviews where ${isStored})`)
      await database.query(sql`
        update delivery_attempts set started_at = now() + interval '1 year' where id = (
          select min(a.id) from delivery_attempts a join deliveries d on d.id = a.delivery_id where d.${isStored})`)
      const rules = retentionRules(usual).filter(({ name }) => name === 'attempts' || name === 'images')
      await applyRetention({ database, rules }, { remove: true }, new Date())
      assert.equal(
        await count(
          'delivery_attempts',
          stored.map(({ id }) => id),
        ),
        1,
      )
      assert.deepEqual(
        await database.query(sql`
          select from thumbnails where interview_id in (select id from interviews where ${isStored})`),
        [],
      )
    })

    test('dead letters that were never redriven are removed after a year, however many there are', async () => {
      const { database } = deliveries.service
      await database.query(sql`
        insert into dead_letters (delivery_id, organization_id, round, dead_at)
        select 'dlv_' || number, 'org_gone', 1, now() - case when number = 0 then interval '1 day' else interval '1 year' end
        from generate_series(0, 1200) as number`)
      const rules = retentionRules(usual).filter(({ name }) => name === 'dead letters')
      const removedAt = async (remove: boolean): Promise<number | undefined> => {
        const [results] = await applyRetention({ database, rules }, { remove }, new Date(Date.now() + 2 * 3_600_000))
        return results?.removed
      }
      assert.equal(await removedAt(false), 1_200)
      assert.equal(await removedAt(true), 1_200)
      assert.equal(await removedAt(true), 0)
      const left = await database.query(
        sql`select delivery_id as id from dead_letters where organization_id = 'org_gone'`,
      )
      assert.deepEqual(left, [{ id: 'dlv_0' }])
    })

    test('attempt counts are removed in steps, and leave alone what is locked', {
      skip: engine.name === 'embedded',
    }, async () => {
      const { database } = deliveries.service
      await database.query(sql`
        insert into attempt_half_hours (organization_id, at, delivered, failed)
        select 'org_gone', now() - interval '1 year' - number * interval '30 minutes', 1, 0
        from generate_series(1, 1200) as number`)
      const rules = retentionRules(usual).filter(({ name }) => name === 'attempt counts')
      const removed = async (remove: boolean) =>
        (await applyRetention({ database, rules }, { remove }, new Date()))[0]?.removed
      assert.equal(await removed(false), 1_200)
      await database.transaction(async (transaction) => {
        await transaction.query(sql`
          select from attempt_half_hours where organization_id = 'org_gone' order by at limit 1 for update`)
        assert.equal(await removed(true), 1_199)
      })
      assert.equal(await removed(true), 1)
    })

    test('listen tokens are removed a week after they expire, samples after a day', async () => {
      const { database, time } = deliveries.service
      const { organizationId } = await deliveries.service.partner()
      await createToken(deliveries.service, organizationId)
      await createSample(database, organizationId, time.now)
      const soon = await remove(day - 1)
      assert.deepEqual([soon['listen samples'], soon['listen tokens']], [0, 0])
      const later = await remove(8 * day - 1)
      assert.deepEqual([later['listen samples'], later['listen tokens']], [1, 0])
      assert.equal((await remove(8 * day))['listen tokens'], 1)
    })

    test('a locked row is left for the next run without waiting', {
      skip: engine.name === 'embedded',
    }, async () => {
      const { database } = deliveries.service
      const held = await subscriber.complete()
      const { deliveryId } = held
      await deliveries.attempt(deliveryId)
      await markDelivered(held)
      await database.transaction(async (transaction) => {
        await transaction.query(sql`select from delivery_attempts where delivery_id = ${deliveryId} for update`)
        assert.equal((await remove(30 * day)).attempts, 0)
      })
      assert.equal((await remove(30 * day)).attempts, 1)
    })

    test('it runs automatically, in one process at a time', async () => {
      const { database, time } = deliveries.service
      const { organizationId } = await deliveries.service.partner()
      const activity = { organizationId, actor: 'test', action: 'key.created', subject: 'x' } as const
      await recordActivity(database, activity, time.now)
      const done: string[] = []
      const clock = () => new Date(time.now.getTime() + 365 * day)
      const rules = retentionRules(usual).map((rule) => ({ ...rule, everySeconds: 0.02 }))
      const processes = [1, 2].map(() =>
        startRetention({ database, rules, clock, done: ({ name }) => done.push(name), report: assert.fail }),
      )
      try {
        assert.ok(await eventually(async () => done.includes('activity')))
      } finally {
        for (const one of processes) await one.stop()
      }
      assert.deepEqual(
        done.filter((name) => name === 'activity'),
        ['activity'],
      )
    })

    test('the command shows what is due, or removes it', async () => {
      const commands = commandsOf(deliveries.service)
      const { deliveryId } = await subscriber.complete()
      await deliveries.attempt(deliveryId)
      await deliveries.service.database.query(sql`
        update deliveries set delivered_at = '2020-01-01' where id = ${deliveryId}`)
      await deliveries.service.database.query(sql`
        update delivery_attempts set started_at = '2020-01-01' where delivery_id = ${deliveryId}`)
      type Printed = { dryRun: boolean; data: RetentionResult[] }
      const attempts = ({ data }: Printed) => data.find(({ name }) => name === 'attempts')
      const dry = await commands.json<Printed>('retention', 'run', '--dry-run')
      assert.deepEqual(attempts(dry), { name: 'attempts', keptFor: '30 days after delivery', removed: 1 })
      const words = await commands.run('retention', 'run')
      assert.match(words.stdout, /^WHAT +DELETED +KEPT FOR\nattempts +1 +30 days after delivery\nimages /)
      assert.deepEqual((await deliveries.read(deliveryId)).history, [])
    })

    /** Sets the delivery time to the service's clock. The database's clock, which the record uses, can't be set. */
    async function markDelivered(...these: CompletedInterview[]): Promise<void> {
      const { database, time } = deliveries.service
      await database.query(sql`
        update deliveries set status = 'DELIVERED', failure_reason = null, delivered_at = ${time.now}
        where id = any(${these.map(({ deliveryId }) => deliveryId)})`)
    }

    async function failNow({ deliveryId }: CompletedInterview): Promise<void> {
      subscriber.answer({ status: 400 })
      await deliveries.attempt(deliveryId)
      subscriber.answer({ status: 200 })
    }
  })
}
