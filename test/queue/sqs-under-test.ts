import { createSqsClient, type ReceivedMessage, type SqsClient } from '../../server/queue/sqs-client.ts'
import { createSqsQueue } from '../../server/queue/sqs-queue.ts'
import type { Engine } from '../../support/engines.ts'
import { type SqsServer, startSqs } from '../../support/sqs.ts'
import { openQueueRecords, type QueueRecords } from './queue-records.ts'
import type { QueueUnderTest } from './queue-suite.ts'

export type SqsUnderTest = QueueUnderTest &
  QueueRecords & {
    /** The queues of the current test. */
    sqs: SqsClient
    name(): string
    /** Continues on new, empty queues. */
    reopen(options?: { maxReceiveCount?: number }): void
    count(suffix?: '' | '-dead'): { waiting: number; received: number }
    /** How many messages have been received so far. */
    received(): number
    /** Makes every received message available again. */
    expireVisibility(): Promise<void>
    /** Makes every request to SQS fail. */
    break(broken: boolean): void
  }

let opened = 0

/** Every test gets queues of its own, because SQS drops what it got in the last five minutes under the same name. */
export async function openSqsQueue(engine: Engine): Promise<SqsUnderTest> {
  const records = await openQueueRecords(engine)
  const { database } = records
  const server: SqsServer = await startSqs()
  const reports: string[] = []
  const report = (problem: string) => void reports.push(problem)
  let name = ''
  let current: SqsClient
  let broken = false
  let messages: ReceivedMessage[] = []
  let received = 0
  const reopen = (options: { maxReceiveCount?: number } = {}) => {
    opened += 1
    name = `suite-${opened}`
    messages = []
    current = createSqsClient({ name, report, ...options })
  }
  reopen()

  const sqs: SqsClient = {
    async send(postings) {
      if (!broken) return current.send(postings)
      report('SQS could not be told of new jobs')
      return [...postings]
    },
    async receive(options) {
      const found = await current.receive(options)
      messages.push(...found)
      received += found.length
      return found
    },
    receiveDead: (seconds) => current.receiveDead(seconds),
    hide: (hidden) => current.hide(hidden),
    remove: (ended) => current.remove(ended),
    close: () => {},
  }
  const queues: { stop(): Promise<void> }[] = []
  const another = async () => {
    const queue = createSqsQueue({ database, sqs, report, feedMilliseconds: 200, deadLetterMilliseconds: 200 })
    queues.push(queue)
    return queue
  }
  const expireVisibility = async () => {
    await current.hide(messages.map((message) => ({ message, seconds: 0 })))
  }
  return {
    ...records,
    sqs,
    queue: await another(),
    another,
    reports,
    name: () => name,
    reopen,
    count: (suffix = '') => server.count(`${name}${suffix}.fifo`),
    received: () => received,
    expireVisibility,
    break(value) {
      broken = value
    },
    async elapse(seconds) {
      await records.elapse(seconds)
      await expireVisibility()
    },
    async resetFutureTimes() {
      await records.resetFutureTimes()
      await expireVisibility()
    },
    async empty() {
      await records.empty()
      current.close()
      reopen()
    },
    async close() {
      for (const queue of queues) await queue.stop()
      current.close()
      await database.close()
      await server.close()
    },
  }
}
