import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import sql from 'sql-template-tag'
import type { Database } from '../../server/database/database.ts'
import { claimJobs } from '../../server/queue/jobs.ts'
import { endTurns, renewTurns, takeTurns } from '../../server/queue/pace.ts'
import {
  endPause,
  learnCeiling,
  pauseOrganization,
  readPace,
  removeOldPaces,
  setMaxPerSecond,
} from '../../server/queue/pauses.ts'
import type { ClaimedJob } from '../../server/queue/queue.ts'
import { engines } from '../../support/engines.ts'
import { elapsePaces, removeAllJobs } from '../../support/queue-hooks.ts'

for (const engine of engines) {
  describe(`the pace of an organization on ${engine.name}`, () => {
    let database: Database
    before(async () => {
      database = await engine.open()
    })
    after(() => database?.close())
    afterEach(async () => {
      await removeAllJobs(database)
      await database.script('delete from endpoint_paces; delete from pace_turns; delete from delivery_attempts')
    })

    async function enqueue(organization: string, count: number): Promise<void> {
      await database.query(sql`
        insert into delivery_jobs (delivery_id, organization_id, round)
        select ${organization} || lpad(number::text, 9, '0'), ${organization}, 1
        from generate_series(1, ${count}::int) number`)
    }
    const claim = async (free = 100) => {
      const slots = { free, perOrganization: 32, freeByOrganization: new Map() }
      return (await claimJobs(database, { after: '', slots, leaseSeconds: 10 })).jobs
    }
    const end = (jobs: ClaimedJob[], { sent = true, delivered = true } = {}) =>
      endTurns(
        database,
        jobs.map((job) => ({ job, sent, delivered })),
      )

    test('no more jobs are claimed than there are turns, whoever claims at the same moment · DLV-19', async () => {
      await enqueue('a', 40)
      await setMaxPerSecond(database, 'a', 7)
      for (let round = 1; round <= 5; round += 1) {
        const claims = await Promise.all(Array.from({ length: 8 }, () => claim()))
        // One at a time at last: a claim that met another leaves the rest to the next.
        const jobs = [...claims.flat(), ...(await claim())]
        assert.equal(jobs.length, 7, `round ${round}`)
        assert.ok(jobs.every(({ holdsTurn }) => holdsTurn))
        assert.deepEqual(await claim(), [])
        await end(jobs)
        await elapsePaces(database, 1)
      }
    })

    test('a turn is free again a second after the response, and at once if nothing was sent · DLV-19', async () => {
      await enqueue('a', 10)
      await setMaxPerSecond(database, 'a', 2)
      const jobs = await claim()
      assert.equal(jobs.length, 2)
      await end(jobs)
      await elapsePaces(database, 0.5)
      assert.deepEqual(await claim(), [])
      await elapsePaces(database, 0.5)
      const next = await claim()
      assert.equal(next.length, 2)
      await end(next, { sent: false })
      assert.equal((await claim()).length, 2)
    })

    test('a turn whose worker died is free when its lease ends, and not while the worker renews it · DLV-19', async () => {
      await enqueue('a', 3)
      await setMaxPerSecond(database, 'a', 1)
      const jobs = await claim()
      await elapsePaces(database, 7)
      await renewTurns(database, jobs, 10)
      await elapsePaces(database, 9)
      assert.deepEqual(await claim(), [])
      await elapsePaces(database, 1)
      assert.equal((await claim()).length, 1)
    })

    test('a turn whose request has ended is not renewed, even if its job is not settled yet · DLV-19', async () => {
      await enqueue('a', 2)
      await setMaxPerSecond(database, 'a', 1)
      const jobs = await claim()
      await end(jobs)
      await renewTurns(database, jobs, 10)
      await elapsePaces(database, 1)
      assert.equal((await claim()).length, 1)
    })

    test('a pause and a pace hold back no other organization · DLV-12 DLV-19', async () => {
      for (const organization of ['a', 'b', 'c']) await enqueue(organization, 40)
      await pauseOrganization(database, 'a', 60)
      await setMaxPerSecond(database, 'b', 3)
      const jobs = await claim(64)
      const counts = ['a', 'b', 'c'].map(
        (organization) => jobs.filter(({ organizationId }) => organizationId === organization).length,
      )
      assert.deepEqual(counts, [0, 3, 32])
      assert.ok(jobs.every(({ organizationId, holdsTurn = false }) => holdsTurn === (organizationId === 'b')))
    })

    test('after a pause one is sent, and each success allows one more · DLV-19', async () => {
      await enqueue('a', 200)
      await pauseOrganization(database, 'a', 30)
      await elapsePaces(database, 29)
      assert.deepEqual(await claim(), [])
      await elapsePaces(database, 1)
      const speeds: number[] = []
      for (let second = 0; second < 4; second += 1) {
        const jobs = await claim()
        speeds.push(jobs.length)
        await end(jobs)
        await elapsePaces(database, 1)
      }
      assert.deepEqual(speeds, [1, 2, 4, 8])
      const failing = await claim()
      await end(failing, { delivered: false })
      await elapsePaces(database, 1)
      assert.equal((await claim()).length, 16, 'a failure does not speed it up')
      await elapsePaces(database, 3_600)
      assert.deepEqual(await readPace(database, 'a'), { maxPerSecond: null, pausedUntil: null, perSecond: null })
    })

    test('it gets no faster than half of what the receiver accepted before, nor than the admin allows', async () => {
      await enqueue('a', 200)
      await pauseOrganization(database, 'a', 1)
      await database.query(sql`update endpoint_paces set slow_ceiling = 3 where organization_id = 'a'`)
      await elapsePaces(database, 1)
      const speed = async () => {
        const jobs = await claim()
        await end(jobs)
        await elapsePaces(database, 1)
        return jobs.length
      }
      assert.deepEqual([await speed(), await speed(), await speed(), await speed()], [1, 2, 3, 3])
      await setMaxPerSecond(database, 'a', 2)
      assert.equal(await speed(), 2)
    })

    test('of two pauses the later end counts, none is longer than 15 minutes, and saving the endpoint ends it', async () => {
      const seconds = async () => {
        const { pausedUntil } = await readPace(database, 'a')
        return pausedUntil && Math.round((Date.parse(pausedUntil) - Date.now()) / 60_000)
      }
      await pauseOrganization(database, 'a', 86_400)
      assert.equal(await seconds(), 15)
      await pauseOrganization(database, 'a', 1)
      assert.equal(await seconds(), 15)
      await endPause(database, 'a')
      assert.deepEqual(await readPace(database, 'a'), { maxPerSecond: null, pausedUntil: null, perSecond: null })
    })

    test('a job claimed without a turn takes one before it is sent, or waits · DLV-19', async () => {
      await enqueue('a', 3)
      const [first, second] = await claim()
      assert.ok(first && second)
      assert.equal(first.holdsTurn, undefined)
      assert.deepEqual(await takeTurns(database, [first]), [{ taken: true }], 'no limit')
      await setMaxPerSecond(database, 'a', 1)
      assert.deepEqual(await takeTurns(database, [first]), [{ taken: true }])
      const [turn] = await takeTurns(database, [second])
      assert.ok(turn && !turn.taken && turn.waitSeconds > 0 && turn.waitSeconds <= 1)
      await end([first])
      await elapsePaces(database, 1)
      assert.deepEqual(await takeTurns(database, [second]), [{ taken: true }])
    })

    test('whoever asks at the same moment, every turn is given away, and no more · DLV-19', async () => {
      for (const organization of ['a', 'b', 'c']) await enqueue(organization, 32)
      const jobs = [...(await claim()), ...(await claim())]
      assert.equal(jobs.length, 96)
      await setMaxPerSecond(database, 'a', 20)
      await setMaxPerSecond(database, 'b', 30)
      const groups = Array.from({ length: 8 }, (_, group) => jobs.filter((_, index) => index % 8 === group))
      const turns = (await Promise.all(groups.map((group) => takeTurns(database, group)))).flat()
      const taken = groups.flat().filter((_, index) => turns[index]?.taken)
      const count = (organization: string) =>
        taken.filter(({ organizationId }) => organizationId === organization).length
      assert.deepEqual([count('a'), count('b'), count('c')], [20, 30, 32])
    })

    test('paces that say nothing anymore are removed; a limit stays', async () => {
      await setMaxPerSecond(database, 'a', 5)
      await pauseOrganization(database, 'b', 10)
      await pauseOrganization(database, 'c', 10)
      await learnCeiling(database, 'c')
      await elapsePaces(database, 20)
      await removeOldPaces(database)
      const left = () => database.query(sql`select organization_id as id from endpoint_paces order by organization_id`)
      assert.deepEqual(await left(), [{ id: 'a' }, { id: 'b' }, { id: 'c' }])
      await elapsePaces(database, 3_600)
      await removeOldPaces(database)
      assert.deepEqual(await left(), [{ id: 'a' }])
    })
  })
}
