import { type NextPiece, readBody } from './body.ts'
import type { HeaderSource } from './headers.ts'
import { readImage } from './image.ts'
import type { ResultStore } from './store.ts'
import type { ResultCompleted } from './types.ts'
import { secretsOf, verify } from './verify.ts'

export type ReceiverOptions = {
  /** The signing secret, or both of them during a rotation. */
  secret: string | readonly string[]
  /** Stores events until they are processed, and their IDs for good. */
  seen: ResultStore
  /** Your work, done after the response. Runs again for the same result if it failed or the process died in the middle. */
  onResult(event: ResultCompleted, image: Uint8Array): void | Promise<void>
  /** Gets every error and the result it belongs to. Without it, only the error's name is printed. */
  onError?(error: unknown, resultId: string | null): void
  now?: () => Date
}

/** Keeps a serverless platform alive until the work is done. */
export type Context = { waitUntil?(work: Promise<unknown>): void }

export type Receiver = {
  /** For frameworks built on Fetch's Request and Response. */
  handle(request: Request, context?: Context): Promise<Response>
  /** For Node's `http` and frameworks built on it. */
  node(request: NodeRequest, response: NodeResponse): Promise<void>
  /**
   * Processes events that a failure or a crash left behind. Call it at startup, and from time to time. Errors go to
   * `onError`.
   */
  resume(): Promise<void>
  /** Resolves when every event accepted so far has been processed or has failed. For a clean shutdown. */
  idle(): Promise<void>
}

export type NodeRequest = {
  method?: string | undefined
  headers: HeaderSource
  readableEnded?: boolean
  /** Where a parser may have put the raw bytes, which are as good as the stream. */
  body?: unknown
  rawBody?: unknown
  [Symbol.asyncIterator](): { next: NextPiece }
}

export type NodeResponse = {
  writeHead(status: number, headers: Record<string, string>): unknown
  end(body: string): unknown
}

const LIMIT = 2_000_000

const noStore =
  'createReceiver needs a store as `seen`: await openFileStore(folder) from @partner-interview/sdk/node, createMemoryStore() to try things out, or your own ResultStore'

/** Does what a receiver has to do, in the right order: size, signature, event, image, store, respond, process. */
export function createReceiver(options: ReceiverOptions): Receiver {
  const { secret, seen, onResult, now = () => new Date() } = options
  secretsOf(secret)
  if (typeof seen?.add !== 'function') throw new TypeError(noStore)
  if (typeof onResult !== 'function')
    throw new TypeError('createReceiver needs onResult, a function that takes the event')
  const working = new Set<Promise<void>>()

  return {
    async handle(request, context = {}) {
      const reader = request.bodyUsed ? null : request.body?.getReader()
      const pieces = reader === undefined ? nothing : reader && (() => reader.read())
      const { reply, work } = await receive(request.method, request.headers, pieces)
      if (work) context.waitUntil?.(work)
      return new Response(reply.body, { status: reply.status, headers: reply.headers })
    },
    async node(request, response) {
      const { reply } = await receive(request.method ?? '', request.headers, piecesOf(request))
      response.writeHead(reply.status, reply.headers)
      response.end(reply.body)
    },
    resume: () => track(processUnfinished()),
    async idle() {
      while (working.size > 0) await Promise.all(working)
    },
  }

  async function receive(method: string, headers: HeaderSource, pieces: NextPiece | null): Promise<Received> {
    if (method !== 'POST') return refuse(405, 'Only POST is accepted', { allow: 'POST' })
    if (pieces === null) {
      const error = new Error('The body was already read. Mount the receiver before any body parser.')
      void report(error, null)
      return refuse(500, error.message)
    }
    const body = await readBody(pieces, LIMIT).catch(() => undefined)
    if (body === undefined) return refuse(400, 'The body ended early')
    if (body === null) return refuse(413, 'The body is larger than 2,000,000 bytes')

    const verified = await verify(body, headers, secret, { now: now() })
    if (!verified.ok) return refuse(verified.status, verified.detail)
    const { event } = verified
    const read = readImage(event.thumbnail.dataBase64)
    if ('fault' in read) return refuse(422, read.fault)

    try {
      if (!(await seen.add(event))) return { reply: answer(200, { received: true, repeated: true }) }
    } catch (error) {
      report(error, event.resultId)
      return refuse(500, 'The event could not be stored')
    }
    return { reply: answer(200, { received: true }), work: processLater(event, read.image) }
  }

  /** In a later turn of the event loop: even synchronous work must not delay the response. */
  function processLater(event: ResultCompleted, image: Uint8Array): Promise<void> {
    return track(new Promise<void>((resolve) => setTimeout(resolve, 0)).then(() => process(event, image)))
  }

  /** The work must not reject: often nobody waits for it, and Node ends a process for that. */
  function track(work: Promise<void>): Promise<void> {
    working.add(work)
    return work.finally(() => working.delete(work))
  }

  async function processUnfinished(): Promise<void> {
    try {
      for await (const event of seen.unfinished()) {
        const read = readImage(event.thumbnail.dataBase64)
        if ('image' in read) await process(event, read.image)
        else await fail(new Error(read.fault), event.resultId)
      }
    } catch (error) {
      report(error, null)
    }
  }

  async function process(event: ResultCompleted, image: Uint8Array): Promise<void> {
    const { resultId } = event
    try {
      await onResult(event, image)
      await seen.done(resultId)
    } catch (error) {
      await fail(error, resultId)
    }
  }

  async function fail(error: unknown, resultId: string): Promise<void> {
    try {
      await seen.failed(resultId)
    } catch (second) {
      report(second, resultId)
    }
    report(error, resultId)
  }

  /** Nothing waits for it: an onError that hangs must not keep other events from being processed. */
  function report(error: unknown, resultId: string | null): void {
    const { onError = printName } = options
    const reporting = async () => onError(error, resultId)
    reporting().catch((second: unknown) =>
      console.error(`onError failed with ${nameOf(second)} for ${resultId ?? 'a request'}.`),
    )
  }
}

/** Not its message: a database or parser error can quote the event. */
function printName(error: unknown, resultId: string | null): void {
  console.error(`${nameOf(error)} while receiving ${resultId ?? 'a request'}. Set onError to see it.`)
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'Error'
}

type Reply = { status: number; headers: Record<string, string>; body: string }
type Received = { reply: Reply; work?: Promise<void> }

function refuse(status: number, error: string, headers: Record<string, string> = {}): Received {
  return { reply: answer(status, { error }, headers) }
}

/** The service stores the start of the body in the delivery's history, so it says why. */
function answer(status: number, body: object, headers: Record<string, string> = {}): Reply {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
}

function piecesOf(request: NodeRequest): NextPiece | null {
  for (const raw of [request.rawBody, request.body]) {
    if (typeof raw === 'string' || raw instanceof Uint8Array) return only(raw)
  }
  if (request.readableEnded) return null
  const iterator = request[Symbol.asyncIterator]()
  // The iterator is never closed from here: that would end the connection before the response is sent.
  return () => iterator.next()
}

const nothing: NextPiece = async () => ({ done: true })

function only(value: Uint8Array | string): NextPiece {
  let given = false
  return async () => {
    if (given) return { done: true }
    given = true
    return { value }
  }
}
