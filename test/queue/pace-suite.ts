import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { endTurns } from '../../server/queue/pace.ts'
import { setMaxPerSecond } from '../../server/queue/pauses.ts'
import type { ClaimedJob } from '../../server/queue/queue.ts'
import { eventually } from '../../support/process.ts'
import { elapsePaces } from '../../support/queue-hooks.ts'
import type { QueueRecords } from './queue-records.ts'
import type { QueueUnderTest } from './queue-suite.ts'
import { watch } from './queue-watch.ts'

const perSecond = 10
const seconds = 6

/** How every engine behind the port keeps the pace of an organization. */
export function paceSuite(
  name: string,
  openEngine: () => Promise<QueueUnderTest & Pick<QueueRecords, 'database'>>,
): void {
  describe(`a pace on ${name}`, () => {
    let under: Awaited<ReturnType<typeof openEngine>>
    before(async () => {
      under = await openEngine()
    })
    after(() => under?.close())
    afterEach(async () => {
      await under.empty()
      await under.database.script('delete from endpoint_paces; delete from pace_turns')
    })

    const enqueue = async (organization: string, count: number) => {
      const names = Array.from({ length: count }, (_, index) => `${organization}-${100 + index}`)
      await under.queue.enqueue(await under.open(names, organization))
    }
    /** A turn is taken until a second after its job ended, and the test decides when that second is over. */
    const endSecond = async (jobs: readonly ClaimedJob[]) => {
      await endTurns(
        under.database,
        jobs.map((job) => ({ job, sent: true, delivered: true })),
      )
      await elapsePaces(under.database, 1)
    }

    test('two workers start a backlog exactly at the limit, and waiting costs no receive · DLV-19', async () => {
      await setMaxPerSecond(under.database, 'slow', perSecond)
      await enqueue('slow', perSecond * seconds + 20)
      const workers = [under.queue, await under.another()].map((queue) =>
        watch(queue, under.settle, { capacity: 64, perOrganization: 32 }),
      )
      const running = () => workers.flatMap((worker) => worker.running)
      const ended = new Set<string>()
      for (let second = 1; second <= seconds; second += 1) {
        assert.ok(await eventually(async () => running().length >= second * perSecond), `${running().length} started`)
        const started = running().filter(({ job }) => !ended.has(job.deliveryId))
        assert.equal(started.length, perSecond)
        for (const { job, settle } of started) {
          ended.add(job.deliveryId)
          settle('done')
        }
        await endSecond(started.map(({ job }) => job))
      }
      assert.ok(running().every(({ job }) => job.holdsTurn && job.receive === 1))
      assert.equal(new Set(running().map(({ job }) => job.deliveryId)).size, running().length)
      await Promise.all(workers.map((worker) => worker.stop()))
    })

    test('organizations at their limit do not keep others from being sent · DLV-12 DLV-19', async () => {
      const slow = ['a', 'b', 'c', 'd', 'e', 'f']
      for (const organization of slow) {
        await setMaxPerSecond(under.database, organization, 1)
        await enqueue(organization, 40)
      }
      const worker = watch(under.queue, under.settle, { capacity: 16, perOrganization: 4 })
      await worker.begins(slow.length)
      await enqueue('quick', 1)
      await worker.begins(slow.length + 1)
      assert.deepEqual(worker.order().slice(slow.length), ['quick-100'])
      await worker.stop()
    })
  })
}
