import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { type ConnectionLimits, limits } from './limits.ts'

export type Connections = ReturnType<typeof createConnections>

type Client = {
  /** Requests of this connection that are not answered to the end. */
  running: number
  /** Since when there is always something that it has not taken yet. */
  owedSince: number | null
}

/**
 * The connections of this process, of which clients may take only so much: the answers they do not read, the requests
 * they do not finish and the sockets they hold are all memory of ours.
 */
export function createConnections(most: ConnectionLimits, { held = false } = {}) {
  // The one that has been quiet for longest comes first.
  const clients = new Map<Socket, Client>()
  const looking = setInterval(dropSlowReaders, most.lookEvery).unref()

  const released = Promise.withResolvers<void>()
  let handle: RequestListener = () => {}
  const server = createServer(
    {
      // Node would answer a request without a host by itself, with an empty body.
      requireHostHeader: false,
      maxHeaderSize: limits.headerBytes,
      requestTimeout: most.request,
      headersTimeout: most.request,
      connectionsCheckingInterval: most.lookEvery,
      keepAliveTimeout: most.idle,
    },
    (request, response) => {
      const client = clients.get(request.socket)
      // Closed for what it sent before; what came in the same packet is not worth an answer.
      if (!client || client.running === most.pipelined) return drop(request.socket)
      client.running += 1
      response.once('close', () => {
        client.running -= 1
        if (clients.delete(request.socket)) clients.set(request.socket, client)
      })
      if (held) void released.promise.then(() => handle(request, response))
      else handle(request, response)
    },
  )
  server.setTimeout(most.silence)
  server.on('connection', admit)

  function admit(socket: Socket): void {
    if (clients.size >= most.connections) makeRoom()
    if (clients.size >= most.connections) {
      socket.destroy()
      return
    }
    clients.set(socket, { running: 0, owedSince: null })
    socket.once('close', () => clients.delete(socket))
  }

  function makeRoom(): void {
    const idle = [...clients].find(([, { running }]) => running === 0)
    if (idle) drop(idle[0])
  }

  function drop(socket: Socket): void {
    clients.delete(socket)
    socket.destroy()
  }

  /** Node drops a client that takes nothing at all; one that takes a byte now and then could hold an answer for days. */
  function dropSlowReaders(): void {
    const now = performance.now()
    for (const [socket, client] of clients) {
      client.owedSince = socket.writableLength === 0 ? null : (client.owedSince ?? now)
      if (client.owedSince !== null && now - client.owedSince >= most.answer) drop(socket)
    }
  }

  return {
    server,
    /** For Fastify's `serverFactory`. */
    serve(handler: RequestListener): Server {
      handle = handler
      return server
    },
    /** Requests are accepted from now on, and answered once they are released. */
    async listen({ host, port }: { host: string; port: number }): Promise<void> {
      server.listen({ host, port })
      await once(server, 'listening')
    },
    release(): void {
      held = false
      released.resolve()
    },
    /** Closes those on which nobody has ever sent a byte: to Node they are not idle, they have not begun. */
    closeUnused(): void {
      for (const socket of clients.keys()) if (socket.bytesRead === 0) drop(socket)
    },
    /** Closes what is still open when a stopping server has waited long enough. */
    closeAllIn(milliseconds: number): void {
      setTimeout(() => [...clients.keys()].forEach(drop), milliseconds).unref()
    },
    stop(): void {
      clearInterval(looking)
    },
  }
}
