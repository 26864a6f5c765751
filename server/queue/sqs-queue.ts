import { createBatcher } from '../database/batcher.ts'
import type { Database } from '../database/database.ts'
import { startConsumer } from './consumer.ts'
import { addJobs, renewLeases } from './jobs.ts'
import { renewTurns } from './pace.ts'
import type { ClaimedJob, Consumer, DeliveryQueue } from './queue.ts'
import { startRepeating } from './repeating.ts'
import type { ReceivedMessage, SqsClient } from './sqs-client.ts'
import { createFeeder, type Feeder } from './sqs-feeder.ts'
import { createInbox } from './sqs-inbox.ts'
import { type Aftermath, claimReceived, concludeJobs, renewPostings, takeBack, type Verdict } from './sqs-jobs.ts'

export type SqsQueueOptions = {
  database: Database
  sqs: SqsClient
  report: (problem: string, error: unknown) => void
  /** Of a claimed job and of its message. */
  leaseSeconds?: number
  feedMilliseconds?: number
  deadLetterMilliseconds?: number
  /** How many processes share the load on this machine. */
  processes?: number
}

// Attempts rarely take longer than five seconds, so renewals are rare, and each of them is a request.
const defaultLeaseSeconds = 30
const defaultFeedMilliseconds = 1_000
const defaultDeadLetterMilliseconds = 60_000

/**
 * The queue on SQS FIFO. Our table keeps one row per job, written with its record; SQS says who works on it now. A due job
 * is handed over to SQS, a message that arrives claims its row, and what settling makes of the row decides what becomes
 * of the message.
 */
export function createSqsQueue(options: SqsQueueOptions): DeliveryQueue {
  const { database, sqs, report } = options
  const feeder = createFeeder({ database, sqs, report })
  const consumers = new Set<Consumer>()

  return {
    wake: feeder.wake,

    async enqueue(jobs) {
      if (jobs.length === 0) return
      await addJobs(database, jobs)
      feeder.wake()
    },

    consume(consuming) {
      const consumer = startSqsConsumer({ ...options, ...consuming, feeder })
      consumers.add(consumer)
      return {
        wake: feeder.wake,
        async stop() {
          await consumer.stop()
          consumers.delete(consumer)
        },
      }
    },

    async stop() {
      await Promise.all([...consumers].map((consumer) => consumer.stop()))
      await feeder.stop()
      sqs.close()
    },
  }
}

// As long as SQS allows: an idle worker makes four requests a minute, three of these and one for the dead-letter queue.
const longPollSeconds = 20
// The inbox says when there is something to claim.
const pollMilliseconds = 60_000
// A wait is not longer than this at a time: the database's clock may be set back, and the sweep correct our times.
const longestWaitSeconds = 300
// How long a message stays away if its organization has enough of them here: until some of those have ended.
const turnedAwaySeconds = 5
// Nobody waits for a message to be deleted, so those of jobs that end at about the same time share a request.
const concludeMilliseconds = 50
const errorDelay = 1_000
// At a time: foreign messages, and those there is no room for, come back while the queue is read.
const deadLetterRequests = 100
// A stop does not wait longer than this for SQS. What it could not give back by then comes again after its lease.
const giveBackMilliseconds = 10_000

function startSqsConsumer(
  options: SqsQueueOptions & Parameters<DeliveryQueue['consume']>[0] & { feeder: Feeder },
): Consumer {
  const { database, sqs, feeder, capacity, perOrganization, report } = options
  const { leaseSeconds = defaultLeaseSeconds } = options
  const inbox = createInbox({ perOrganization, maxHeld: 4 * capacity })
  const running = new Map<ClaimedJob, ReceivedMessage>()
  const stopping = new AbortController()
  const givingBack: Promise<unknown>[] = []
  let roomInInbox = Promise.withResolvers<void>()

  const consumer = startConsumer({
    ...options,
    pollMilliseconds,
    renewEveryMilliseconds: (leaseSeconds * 1_000) / 3,
    claim,
    async renew(jobs) {
      const messages = jobs.flatMap((job) => running.get(job) ?? [])
      const paced = jobs.filter(({ holdsTurn }) => holdsTurn)
      await Promise.all([
        renewLeases(database, jobs, leaseSeconds).then(() => renewTurns(database, paced, leaseSeconds)),
        hide(messages, leaseSeconds),
      ])
    },
    async handle(job, release) {
      // Also if it throws: it may have been settled before.
      await options.handle(job, release).finally(() => conclude(job))
    },
  })

  const receiving = receiveMessages()
  const feeding = setInterval(feeder.wake, options.feedMilliseconds ?? defaultFeedMilliseconds)
  const burying = startRepeating(
    options.deadLetterMilliseconds ?? defaultDeadLetterMilliseconds,
    receiveDeadLetters,
    (error) => report('the dead-letter queue on SQS could not be read', error),
  )
  const renewing = startRepeating((leaseSeconds * 1_000) / 3, keepInbox, (error) =>
    report('waiting SQS messages could not be renewed', error),
  )
  feeder.wake()

  /** Asks SQS for more as long as there is room. While the database is away, the inbox fills up, and that's that. */
  async function receiveMessages(): Promise<void> {
    const { signal } = stopping
    while (!signal.aborted) {
      if (inbox.size() >= capacity) {
        await roomInInbox.promise
        continue
      }
      try {
        accept(await sqs.receive({ waitSeconds: longPollSeconds, visibilitySeconds: leaseSeconds, signal }))
      } catch (error) {
        if (signal.aborted) return
        report('SQS could not be asked for messages; trying again in a second', error)
        await new Promise((resolve) => setTimeout(resolve, errorDelay))
      }
    }
  }

  function accept(messages: readonly ReceivedMessage[]): void {
    const rejected = messages.filter((message) => !inbox.offer(message))
    if (rejected.length < messages.length) consumer.wake()
    const seconds = turnedAwaySeconds + Math.random() * turnedAwaySeconds
    keepAway(rejected, seconds).catch((error) => report('SQS messages could not be given back yet', error))
  }

  /** What the queue gave up on is claimed once more, and becomes a dead letter like any other. */
  async function receiveDeadLetters(): Promise<void> {
    for (let requests = 0; requests < deadLetterRequests && !stopping.signal.aborted; requests += 1) {
      const messages = await sqs.receiveDead(leaseSeconds)
      if (messages === null) return
      accept(messages)
    }
  }

  async function claim(free: number, freeByOrganization: ReadonlyMap<string, number>): Promise<ClaimedJob[]> {
    const jobs: ClaimedJob[] = []
    const left = new Map(freeByOrganization)
    // The same for the whole claim: organizations that get turns again meanwhile must not keep what is claimed from running.
    const now = performance.now()
    while (jobs.length < free) {
      const messages = inbox.take(free - jobs.length, left, now)
      if (messages.length === 0) break
      const claimed = await claimJobsOf(messages).catch((error) => {
        if (jobs.length === 0) throw error
        return null
      })
      if (claimed === null) break
      for (const { job, message } of claimed) {
        jobs.push(job)
        running.set(job, message)
        left.set(job.organizationId, (left.get(job.organizationId) ?? perOrganization) - 1)
      }
    }
    if (jobs.length > 0) feeder.refill()
    // What could not be claimed is back in the inbox, which has been emptied already.
    if (stopping.signal.aborted) giveBack()
    roomInInbox.resolve()
    roomInInbox = Promise.withResolvers()
    return jobs
  }

  async function claimJobsOf(messages: ReceivedMessage[]): Promise<{ job: ClaimedJob; message: ReceivedMessage }[]> {
    const verdicts = await claimReceived(database, messages, leaseSeconds).catch((error) => {
      inbox.putBack(messages)
      throw error
    })
    const judged = messages.flatMap((message, index) => {
      const verdict = verdicts[index]
      return verdict ? [{ message, ...verdict }] : []
    })
    const over = judged.flatMap((one) => (one.verdict === 'wait' || one.verdict === 'delete' ? [one] : []))
    dispose([...over, ...holdOutOfTurns(judged)]).catch((error) =>
      report('SQS messages could not be given back or deleted; they will come again', error),
    )
    return judged.flatMap((one) => (one.verdict === 'run' ? [one] : []))
  }

  /**
   * Keeps messages here until their organization has turns again: giving them back would cost a second each and several
   * requests. Returns those there is no room for.
   */
  function holdOutOfTurns(judged: readonly ({ message: ReceivedMessage } & Verdict)[]): Ended[] {
    const waiting = judged.flatMap((one) => (one.verdict === 'out of turns' ? [one] : []))
    const groups = Map.groupBy(waiting, ({ message }) => message.organizationId)
    return [...groups].flatMap(([organizationId, group]) => {
      const milliseconds = Math.max(...group.map(({ seconds }) => seconds)) * 1_000
      // A timer may fire a moment early.
      setTimeout(consumer.wake, Math.ceil(milliseconds) + 1).unref()
      const messages = group.map(({ message }) => message)
      return inbox
        .hold(messages, organizationId, performance.now() + milliseconds)
        .map((message): Ended => ({ message, verdict: 'wait', seconds: turnedAwaySeconds }))
    })
  }

  const aftermathOf = createBatcher((jobs: ClaimedJob[]) => concludeJobs(database, jobs), {
    maxSize: 128,
    apartMilliseconds: concludeMilliseconds,
  })
  const disposeOf = createBatcher(
    async (ended: Ended[]) => {
      await dispose(ended)
      return ended.map(() => true)
    },
    { maxSize: 128 },
  )

  /** The job is settled. If this fails, the message comes again and finds nothing to do, or not yet. */
  async function conclude(job: ClaimedJob): Promise<void> {
    const message = running.get(job)
    try {
      const aftermath = await aftermathOf(job)
      if (message) await disposeOf({ message, ...aftermath })
    } catch (error) {
      report(`the SQS message of delivery ${job.deliveryId} could not be deleted or postponed yet`, error)
    } finally {
      running.delete(job)
    }
  }

  type Ended = { message: ReceivedMessage } & Aftermath

  async function dispose(ended: readonly Ended[]): Promise<void> {
    const over = ended.flatMap(({ message, verdict }) => (verdict === 'delete' ? [message] : []))
    const waiting = ended.flatMap((one) =>
      one.verdict === 'wait' ? [{ message: one.message, seconds: Math.min(one.seconds, longestWaitSeconds) }] : [],
    )
    await Promise.all([sqs.remove(over), sqs.hide(waiting).then((lost) => takeBack(database, lost))])
  }

  async function hide(messages: readonly ReceivedMessage[], seconds: number): Promise<ReceivedMessage[]> {
    return sqs.hide(messages.map((message) => ({ message, seconds })))
  }

  /** A message whose job is not known to be in SQS is posted again, and again. */
  async function keepAway(messages: readonly ReceivedMessage[], seconds: number): Promise<ReceivedMessage[]> {
    await renewPostings(database, messages)
    return hide(messages, seconds)
  }

  async function keepInbox(): Promise<void> {
    inbox.drop(await keepAway(inbox.messages(), leaseSeconds))
  }

  /** Lets other workers have what waits here. Otherwise it would stay hidden until its lease expires. */
  function giveBack(): void {
    const messages = inbox.messages()
    inbox.drop(messages)
    if (messages.length > 0) givingBack.push(hide(messages, 0).catch(() => {}))
  }

  return {
    wake: feeder.wake,
    async stop() {
      stopping.abort()
      roomInInbox.resolve()
      clearInterval(feeding)
      // Both may put messages into the inbox or hide them again.
      const settled = Promise.all([receiving, burying.stop(), renewing.stop()])
      await Promise.all([consumer.stop(), within(giveBackMilliseconds, settled).then(giveBack)])
      await within(giveBackMilliseconds, Promise.all(givingBack))
    },
  }
}

/** Waits for the work, but no longer than this. */
async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, milliseconds)
  await Promise.race([work, late])
  clearTimeout(timer)
}
