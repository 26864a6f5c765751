import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { type ConnectionLimits, limits } from './limits.ts'

export type Connections = ReturnType<typeof createConnections>

type Client = {
  /** Requests on this connection whose response is not complete. */
  running: number
  /** The latest of them. */
  request: IncomingMessage | null
  /** Since when the client has had unread data continuously. */
  unreadSince: number | null
}

/**
 * The connections of this process, with limits on what clients can use. Unread responses, unfinished requests and open
 * sockets all cost memory.
 */
export function createConnections(max: ConnectionLimits, { held = false } = {}) {
  // Ordered by last activity, the longest idle first.
  const clients = new Map<Socket, Client>()
  const checking = setInterval(dropSlowReaders, max.checkEvery).unref()

  const released = Promise.withResolvers<void>()
  let handle: RequestListener = () => {}
  const server = createServer(
    {
      // Otherwise Node responds to a request without a host by itself, with an empty body.
      requireHostHeader: false,
      maxHeaderSize: limits.headerBytes,
      requestTimeout: max.request,
      headersTimeout: max.request,
      connectionsCheckingInterval: max.checkEvery,
      keepAliveTimeout: max.idle,
    },
    (request, response) => {
      const client = clients.get(request.socket)
      // Already closed because of an earlier request. The rest of the packet gets no response.
      if (!client || client.running === max.pipelined) return drop(request.socket)
      client.running += 1
      client.request = request
      response.once('close', () => {
        client.running -= 1
        if (client.running === 0) client.request = null
        if (clients.delete(request.socket)) clients.set(request.socket, client)
      })
      if (held) void released.promise.then(() => handle(request, response))
      else handle(request, response)
    },
  )
  server.setTimeout(max.silence)
  server.on('connection', admit)

  function admit(socket: Socket): void {
    if (clients.size >= max.connections) makeRoom()
    if (clients.size >= max.connections) {
      socket.destroy()
      return
    }
    clients.set(socket, { running: 0, request: null, unreadSince: null })
    socket.once('close', () => clients.delete(socket))
  }

  /** Closes an idle connection, or else one whose client we wait for: otherwise a thousand slow clients would keep out all others. */
  function makeRoom(): void {
    const open = [...clients]
    const idle = open.find(([, { running }]) => running === 0)
    const [socket] = idle ?? open.find(([socket, client]) => waitsForClient(socket, client)) ?? []
    if (socket) drop(socket)
  }

  function drop(socket: Socket): void {
    clients.delete(socket)
    socket.destroy()
  }

  /** Node drops a client that reads nothing at all, but one that reads a byte now and then could hold a response for days. */
  function dropSlowReaders(): void {
    const now = performance.now()
    for (const [socket, client] of clients) {
      client.unreadSince = socket.writableLength === 0 ? null : (client.unreadSince ?? now)
      if (client.unreadSince !== null && now - client.unreadSince >= max.response) drop(socket)
    }
  }

  return {
    server,
    /** For Fastify's `serverFactory`. */
    serve(handler: RequestListener): Server {
      handle = handler
      return server
    },
    /** Accepts requests from now on. They are handled after `release`. */
    async listen({ host, port }: { host: string; port: number }): Promise<void> {
      server.listen({ host, port })
      await once(server, 'listening')
    },
    release(): void {
      held = false
      released.resolve()
    },
    /** Closes connections that never sent a byte. Node does not count them as idle. */
    closeUnused(): void {
      for (const socket of clients.keys()) if (socket.bytesRead === 0) drop(socket)
    },
    /** Closes the connections that are still open when the shutdown deadline passes. */
    closeAllIn(milliseconds: number): void {
      setTimeout(() => [...clients.keys()].forEach(drop), milliseconds).unref()
    },
    stop(): void {
      clearInterval(checking)
    },
  }
}

/** Part of its request has not arrived, or it has not read its response. */
function waitsForClient(socket: Socket, { request }: Client): boolean {
  return request?.complete === false || socket.writableLength > 0
}
