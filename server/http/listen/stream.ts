import type { FastifyReply } from 'fastify'
import type { ListenerMessage, Sink } from '../../listeners/follow.ts'
import { userAgent } from '../../outbound/post.ts'
import { publicText } from '../errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The response has no end of its own, so how long it took says nothing. */
    isEndless?: boolean
  }
}

/**
 * Server-sent events over a response. It begins with the first message; until then the request can still be refused.
 */
export function openStream(reply: FastifyReply): Sink {
  const { raw: response } = reply
  const ended = new AbortController()
  // Not the response's close: it is missed if the client left earlier, or if the response still waits for its turn.
  const { socket } = reply.request.raw
  if (socket.destroyed) ended.abort()
  else socket.once('close', () => ended.abort())

  function begin(): void {
    reply.hijack()
    // The client reads slowly or resets the connection: neither is an error here.
    response.on('error', () => {})
    for (const [name, value = ''] of Object.entries(reply.getHeaders())) response.setHeader(name, value)
    // nginx would hold events back until its buffer is full.
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
  }

  return {
    signal: ended.signal,
    async send(message) {
      if (ended.signal.aborted) return
      if (!response.headersSent) begin()
      response.cork()
      for (const piece of written(message)) response.write(piece)
      response.uncork()
      if (response.writableNeedDrain) await drained(response, ended.signal)
    },
    close() {
      if (response.headersSent && !ended.signal.aborted) {
        // Half an event is of no use; the listener gets it again when it comes back.
        if (response.writableLength > 0) response.destroy()
        else response.end()
      }
      ended.abort()
    },
  }
}

function drained(response: NodeJS.EventEmitter, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const done = () => resolve()
  response.once('drain', done)
  signal.addEventListener('abort', done)
  return promise.finally(() => {
    response.off('drain', done)
    signal.removeEventListener('abort', done)
  })
}

/** The body of an event has no line breaks, so it fits into one `data` line, byte for byte. */
function written(message: ListenerMessage): (string | Buffer)[] {
  switch (message.type) {
    case 'ready': {
      const { listener, hasLost, position } = message
      const { organizationName: organization, secret, expiresAt } = listener
      return [event('ready', { organization, secret, expiresAt, userAgent, hasLost }, position)]
    }
    case 'event':
      return [`id: ${message.position}\nevent: result.completed\ndata: `, message.body, '\n\n']
    case 'waiting':
    case 'skipped': {
      const { type, resultId, error, detail, position } = message
      return [event(type, { resultId, error, detail }, position)]
    }
    case 'ended':
      return [event('ended', { error: publicText(endTexts[message.reason]) })]
    case 'keep_alive':
      return [': keep-alive\n\n']
  }
}

function event(name: string, data: object, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}

const endTexts = {
  expired: 'listen_token_expired',
  revoked: 'listen_token_revoked',
  inactive: 'organization_inactive',
} as const
