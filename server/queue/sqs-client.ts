import type { Message, SQSClient } from '@aws-sdk/client-sqs'

/** A job as SQS carries it. Everything but the delivery is there to decide whose turn it is without asking the database. */
export type Posting = {
  deliveryId: string
  organizationId: string
  round: number
  /** How often the job was claimed in this round. */
  receives: number
  /** Microseconds since 1970, on the database's clock. */
  dueAt: number
  /** `result.completed:<resultId>`. */
  deliveryKey: string
}

/** A posting that was received and has to be deleted or given back. `dead`: from the dead-letter queue. */
export type ReceivedMessage = Omit<Posting, 'deliveryKey' | 'receives'> & { receipt: string; dead: boolean }

export type SqsOptions = {
  /** `<name>.fifo`; its dead-letter queue is `<name>-dead.fifo`. */
  name: string
  report: (problem: string, error: unknown) => void
  /** How often SQS hands out a message before it gives up. */
  maxReceiveCount?: number
}

/** Our two queues on SQS. Region, credentials and endpoint come from the AWS SDK's own variables. */
export type SqsClient = {
  /** Returns the postings that were not sent. */
  send(postings: readonly Posting[]): Promise<Posting[]>
  receive(options: { waitSeconds: number; visibilitySeconds: number; signal: AbortSignal }): Promise<ReceivedMessage[]>
  /** What the queue gave up on. Null: nothing at all. Messages of others are left out. */
  receiveDead(visibilitySeconds: number): Promise<ReceivedMessage[] | null>
  /** Hides messages for this long from now on. Returns those that are no longer ours. */
  hide(messages: readonly HiddenMessage[]): Promise<ReceivedMessage[]>
  remove(messages: readonly ReceivedMessage[]): Promise<void>
  close(): void
}

export type HiddenMessage = { message: ReceivedMessage; seconds: number }

// SQS allows no more per request, and no longer.
const batchSize = 10
const maxHiddenSeconds = 12 * 3_600
// The highest number SQS accepts: our record counts the receives, and waiting for room must not use them up.
const highestReceiveCount = 1_000
const lowReceiveCount = 100
const timeoutMilliseconds = 10_000

export function createSqsClient(options: SqsOptions): SqsClient {
  let opening: Promise<OpenQueues> | null = null

  /** Opens the queues on first use, and again if they have been deleted in the meantime. */
  async function call<Result>(work: (queues: OpenQueues) => Promise<Result>): Promise<Result> {
    opening ??= openQueues(options)
    const mine = opening
    try {
      return await work(await mine)
    } catch (error) {
      if (opening === mine && (!(await isOpen(mine)) || isMissingQueue(error))) opening = null
      throw error
    }
  }

  return {
    async send(postings) {
      // If SQS is away, one timeout is enough.
      let failed = false
      const unsent = await inBatches(postings, async (batch) => {
        if (failed) return batch
        return call(async ({ aws, client, main }) => {
          const { Failed = [] } = await client.send(
            new aws.SendMessageBatchCommand({ QueueUrl: main, Entries: batch.map(toEntry) }),
            deadline(),
          )
          for (const { Code, Message } of Failed.slice(0, 1)) {
            options.report('SQS rejected a message; sending it again later', new Error(`${Code}: ${Message}`))
          }
          return Failed.flatMap(({ Id }) => batch[Number(Id)] ?? [])
        }).catch((error) => {
          if (!failed) options.report('SQS could not be told of new jobs; trying again later', error)
          failed = true
          return batch
        })
      })
      return unsent.flat()
    },

    async receive({ waitSeconds, visibilitySeconds, signal }) {
      const timeout = AbortSignal.timeout(waitSeconds * 1_000 + timeoutMilliseconds)
      const messages = await call(({ aws, client, main }) =>
        receive({ aws, client, url: main, waitSeconds, visibilitySeconds, signal: AbortSignal.any([signal, timeout]) }),
      )
      return messages.flatMap((message) => read(message, false, options.report))
    },

    async receiveDead(visibilitySeconds) {
      const signal = AbortSignal.timeout(timeoutMilliseconds)
      const messages = await call(({ aws, client, dead }) =>
        receive({ aws, client, url: dead, waitSeconds: 0, visibilitySeconds, signal }),
      )
      return messages.length === 0 ? null : messages.flatMap((message) => read(message, true, options.report))
    },

    async hide(messages) {
      const change = (batch: HiddenMessage[]) =>
        call(async ({ aws, client, main, dead }) => {
          const { Failed = [] } = await client.send(
            new aws.ChangeMessageVisibilityBatchCommand({
              QueueUrl: batch[0]?.message.dead ? dead : main,
              Entries: batch.map(({ message, seconds }, index) => ({
                Id: String(index),
                ReceiptHandle: message.receipt,
                VisibilityTimeout: Math.min(maxHiddenSeconds, Math.max(0, Math.ceil(seconds))),
              })),
            }),
            deadline(),
          )
          return Failed.flatMap(({ Id }) => batch[Number(Id)]?.message ?? [])
        })
      return (await inBatches(messages, change, ({ message }) => message.dead)).flat()
    },

    async remove(messages) {
      const remove = (batch: ReceivedMessage[]) =>
        call(({ aws, client, main, dead }) =>
          client.send(
            new aws.DeleteMessageBatchCommand({
              QueueUrl: batch[0]?.dead ? dead : main,
              Entries: batch.map(({ receipt }, index) => ({ Id: String(index), ReceiptHandle: receipt })),
            }),
            deadline(),
          ),
        )
      await inBatches(messages, remove, ({ dead }) => dead)
    },

    close() {
      opening?.then(({ client }) => client.destroy()).catch(() => {})
    },
  }
}

type Aws = typeof import('@aws-sdk/client-sqs')
type OpenQueues = { aws: Aws; client: SQSClient; main: string; dead: string }

async function isOpen(opening: Promise<OpenQueues>): Promise<boolean> {
  return opening.then(
    () => true,
    () => false,
  )
}

/** Creates the queues, or checks those an operator has created. */
async function openQueues({ name, report, maxReceiveCount = highestReceiveCount }: SqsOptions): Promise<OpenQueues> {
  // Only now, because it takes time and memory that an installation without SQS need not spend.
  const aws = await import('@aws-sdk/client-sqs')
  // Otherwise the client would follow the host in a queue's URL rather than the configured endpoint.
  const client = new aws.SQSClient({ useQueueUrlAsEndpoint: false })
  try {
    const dead = await openQueue({ aws, client }, `${name}-dead.fifo`, { MessageRetentionPeriod: '1209600' })
    const deadArn = dead.attributes.QueueArn ?? ''
    const main = await openQueue({ aws, client }, `${name}.fifo`, {
      MessageRetentionPeriod: '1209600',
      DeduplicationScope: 'messageGroup',
      FifoThroughputLimit: 'perMessageGroupId',
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn: deadArn, maxReceiveCount }),
    })
    const policy = main.attributes.RedrivePolicy ?? ''
    if (deadArn === '' || !policy.includes(deadArn)) {
      throw new Error(`The SQS queue ${name}.fifo must have ${name}-dead.fifo as its dead-letter queue`)
    }
    const given = Number(/"maxReceiveCount"\s*:\s*"?(\d+)/.exec(policy)?.[1])
    if (given < lowReceiveCount) {
      const problem = `SQS gives up on messages of ${name}.fifo too early; set its maximum receives to ${highestReceiveCount}`
      report(problem, new Error(`The maximum is ${given}. A message that waits for its turn is received more often`))
    }
    return { aws, client, main: main.url, dead: dead.url }
  } catch (error) {
    client.destroy()
    throw error
  }
}

async function openQueue(
  { aws, client }: Pick<OpenQueues, 'aws' | 'client'>,
  name: string,
  attributes: Record<string, string>,
): Promise<{ url: string; attributes: Partial<Record<string, string>> }> {
  const found = await client.send(new aws.GetQueueUrlCommand({ QueueName: name }), deadline()).catch((error) => {
    if (!isMissingQueue(error)) throw error
    const Attributes = { FifoQueue: 'true', ...attributes }
    return client.send(new aws.CreateQueueCommand({ QueueName: name, Attributes }), deadline())
  })
  const url = found.QueueUrl ?? ''
  const read = new aws.GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['QueueArn', 'RedrivePolicy'] })
  const { Attributes = {} } = await client.send(read, deadline())
  return { url, attributes: Attributes }
}

const deadline = () => ({ abortSignal: AbortSignal.timeout(timeoutMilliseconds) })

function isMissingQueue(error: unknown): boolean {
  return error instanceof Error && /QueueDoesNotExist|NonExistentQueue/.test(error.name)
}

/**
 * One message group per delivery, so that no delivery waits for another's retry. A retry that waited in our table is not
 * the message that SQS got within the last five minutes.
 */
function toEntry({ deliveryId, organizationId, round, receives, dueAt, deliveryKey }: Posting, index: number) {
  return {
    Id: String(index),
    MessageBody: JSON.stringify({ deliveryId }),
    MessageGroupId: deliveryId,
    MessageDeduplicationId: `${deliveryKey}:${round}${receives > 0 ? `:${receives}` : ''}`,
    MessageAttributes: {
      organization: { DataType: 'String', StringValue: organizationId },
      round: { DataType: 'Number', StringValue: String(round) },
      dueAt: { DataType: 'Number', StringValue: String(dueAt) },
    },
  }
}

async function receive(options: {
  aws: Aws
  client: SQSClient
  url: string
  waitSeconds: number
  visibilitySeconds: number
  signal: AbortSignal
}): Promise<Message[]> {
  const { aws, client, url, waitSeconds, visibilitySeconds, signal } = options
  const { Messages = [] } = await client.send(
    new aws.ReceiveMessageCommand({
      QueueUrl: url,
      MaxNumberOfMessages: batchSize,
      WaitTimeSeconds: waitSeconds,
      VisibilityTimeout: visibilitySeconds,
      MessageAttributeNames: ['All'],
    }),
    { abortSignal: signal },
  )
  return Messages
}

const idPattern = /^[\w-]{1,200}$/
const maxRound = 2 ** 31 - 1

/** A message that is not ours is left to the queue, which gives up on it in the end. */
function read(
  { MessageId, Body = '', ReceiptHandle = '', MessageAttributes = {} }: Message,
  dead: boolean,
  report: SqsOptions['report'],
): ReceivedMessage[] {
  try {
    const { deliveryId }: { deliveryId?: unknown } = JSON.parse(Body)
    const organizationId = MessageAttributes.organization?.StringValue
    const round = Number(MessageAttributes.round?.StringValue)
    const dueAt = Number(MessageAttributes.dueAt?.StringValue)
    const isRound = Number.isInteger(round) && round > 0 && round <= maxRound
    // Bytes or numbers that PostgreSQL rejects would make the claim of every message beside it fail, again and again.
    if (
      typeof deliveryId !== 'string' ||
      !idPattern.test(deliveryId) ||
      !organizationId ||
      !isRound ||
      !Number.isFinite(dueAt)
    ) {
      throw new Error('It names no delivery')
    }
    return [{ deliveryId, organizationId, round, dueAt, receipt: ReceiptHandle, dead }]
  } catch (error) {
    report(`the SQS message ${MessageId} is not one of ours`, error)
    return []
  }
}

/** In batches of ten from the same queue, a few at a time. */
async function inBatches<Item, Result>(
  items: readonly Item[],
  work: (batch: Item[]) => Promise<Result>,
  isDead: (item: Item) => boolean = () => false,
): Promise<Result[]> {
  const batches: Item[][] = []
  for (const group of Map.groupBy(items, isDead).values()) {
    for (let start = 0; start < group.length; start += batchSize) batches.push(group.slice(start, start + batchSize))
  }
  const results: Result[] = []
  for (let start = 0; start < batches.length; start += concurrentBatches) {
    results.push(...(await Promise.all(batches.slice(start, start + concurrentBatches).map(work))))
  }
  return results
}

const concurrentBatches = 8
