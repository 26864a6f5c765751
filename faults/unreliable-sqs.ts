import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { type SqsServer, sqsEnvironment, startSqs } from '../support/sqs.ts'
import type { Faults } from './injection.ts'

/** An SQS server behind a proxy that misbehaves. */
export type UnreliableSqs = {
  /** For servers, through the proxy. */
  environment: Record<string, string>
  faults: Faults
  /** Names the next server that makes such a request, which never gets a response. Null: none did in time. */
  intercept(interception: Interception, milliseconds: number): Promise<string | null>
  /** How many messages of the service are in SQS. */
  count(): number
  /** How many requests of each kind SQS got. */
  requests: ReadonlyMap<string, number>
  close(): Promise<void>
}

/** `before` the request reaches SQS, or `after` SQS has done what it asked for. */
export type Interception = { action: string; moment: 'before' | 'after' }

/** Lets `intercept` tell the servers apart: the AWS SDK puts this into its user agent. */
export function sqsIdentity(server: string): Record<string, string> {
  return { AWS_SDK_UA_APP_ID: server }
}

const queueName = 'faults'

const misbehaviors = [
  'is away',
  'is slow',
  'responds with 500',
  'throttles',
  'responds with garbage',
  'loses responses',
  'delivers twice',
  'lets visibility expire during attempts',
] as const

export async function startUnreliableSqs(): Promise<UnreliableSqs> {
  const sqs: SqsServer = await startSqs()
  const requests = new Map<string, number>()
  let misbehavior: (typeof misbehaviors)[number] | null = null
  let trap: (Interception & { caught: (server: string) => void }) | null = null

  function isTrapped(action: string, moment: Interception['moment'], { headers }: IncomingMessage): boolean {
    if (trap?.action !== action || trap.moment !== moment) return false
    trap.caught(/app\/(\S+)/.exec(headers['user-agent'] ?? '')?.[1] ?? '')
    trap = null
    return true
  }

  async function pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await Array.fromAsync(incoming as AsyncIterable<Buffer>))
    const action = String(incoming.headers['x-amz-target']).replace('AmazonSQS.', '')
    requests.set(action, (requests.get(action) ?? 0) + 1)
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const now = misbehavior
    if (now === 'is away') return void incoming.socket.destroy()
    if (now === 'responds with 500') return fail(response, 500, 'InternalFailure')
    if (now === 'throttles') return fail(response, 400, 'ThrottlingException')
    if (now === 'responds with garbage') return void response.end('<html>\0 proxy error')
    if (now === 'is slow') await setTimeout(1_500)
    // No answer, not even a broken connection: the client would repeat the request at once.
    if (isTrapped(action, 'before', incoming)) return
    const { headers } = incoming
    const answer = await forward(sqs.port, { headers, body, signal: gone.signal })
    const isEmpty = action === 'ReceiveMessage' && !answer.body.includes('ReceiptHandle')
    if (now === 'loses responses') return void incoming.socket.destroy()
    if (!isEmpty && isTrapped(action, 'after', incoming)) return
    if (action === 'ReceiveMessage' && !isEmpty) {
      if (now === 'delivers twice') await makeVisible(headers, body, answer.body)
      // Most attempts are under way by then.
      if (now === 'lets visibility expire during attempts') {
        void setTimeout(300).then(() => makeVisible(headers, body, answer.body).catch(() => {}))
      }
    }
    response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.body)
  }

  async function makeVisible(headers: IncomingHttpHeaders, asked: Buffer, answered: Buffer): Promise<void> {
    for (const body of visibilityRequests(asked, answered)) {
      const target = { 'x-amz-target': 'AmazonSQS.ChangeMessageVisibility', 'content-length': String(body.length) }
      await forward(sqs.port, { headers: { ...headers, ...target }, body, signal: AbortSignal.timeout(5_000) })
    }
  }

  const proxy = createServer((incoming, response) => {
    pass(incoming, response).catch(() => incoming.socket.destroy())
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port')

  const faults: Faults = misbehaviors.map((one) => [
    `SQS ${one}`,
    async (random) => {
      misbehavior = one
      await setTimeout(random.between(500, 6_000))
      misbehavior = null
    },
  ])
  return {
    environment: { QUEUE: 'sqs', SQS_QUEUE: queueName, ...sqsEnvironment(address.port) },
    faults,
    async intercept(interception, milliseconds) {
      const caught = Promise.withResolvers<string | null>()
      trap = { ...interception, caught: caught.resolve }
      const tooLate = new AbortController()
      const timeout = setTimeout(milliseconds, null, { signal: tooLate.signal }).catch(() => null)
      const server = await Promise.race([caught.promise, timeout])
      tooLate.abort()
      trap = null
      return server
    },
    count() {
      const { waiting, received } = sqs.count(`${queueName}.fifo`)
      return waiting + received
    },
    requests,
    async close() {
      proxy.closeAllConnections()
      proxy.close()
      await sqs.close()
    },
  }
}

function fail(response: ServerResponse, status: number, type: string): void {
  const body = JSON.stringify({ __type: `com.amazonaws.sqs#${type}`, message: 'Injected' })
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-errortype': type }).end(body)
}

type Forwarded = { headers: IncomingHttpHeaders; body: Buffer; signal: AbortSignal }

async function forward(
  port: number,
  { headers, body, signal }: Forwarded,
): Promise<{ status: number; type: string; body: Buffer }> {
  const outgoing = request({ port, host: '127.0.0.1', path: '/', method: 'POST', headers, signal })
  outgoing.end(body)
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  const answer = Buffer.concat(await Array.fromAsync(response as AsyncIterable<Buffer>))
  return { status: response.statusCode ?? 500, type: response.headers['content-type'] ?? '', body: answer }
}

/**
 * The requests that make SQS hand out again what it has just handed out, as if its visibility had expired: the first
 * worker still has it.
 */
function visibilityRequests(asked: Buffer, answered: Buffer): Buffer[] {
  const { QueueUrl }: { QueueUrl: string } = JSON.parse(asked.toString())
  const { Messages = [] }: { Messages?: { ReceiptHandle: string }[] } = JSON.parse(answered.toString())
  return Messages.map(({ ReceiptHandle }) =>
    Buffer.from(JSON.stringify({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 })),
  )
}
