import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer, type Server, type Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import { type Authority, type Certificate, createAuthority } from './tls.ts'

export type ReceivedRequest = {
  method: string
  url: string
  headers: IncomingHttpHeaders
  /** Names and values alternating, with the original spelling and order. */
  rawHeaders: string[]
  /** The exact bytes of the body. */
  body: Buffer
  /** The server name in the TLS handshake; null if the client sent none. */
  servername: string | null
  /** 1 for the first connection, 2 for the second, … */
  connection: number
}

export type ReceiverResponse = { status?: number; headers?: Record<string, string>; body?: string | Uint8Array }

/** Responds to a request. Returns undefined if it writes the response itself. */
export type Responder = (
  request: ReceivedRequest,
  response: ServerResponse,
) => ReceiverResponse | undefined | Promise<ReceiverResponse | undefined>

export type Receiver = {
  port: number
  /** The CA that signed its certificate, as PEM: for `createPoster({ extraCa })` or a CA file. */
  ca: string
  /** https://<name>:<port><path> */
  url(path?: string, name?: string): string
  requests: ReceivedRequest[]
  /** TCP connections accepted so far, open or not. */
  connections(): number
  /** TCP connections still open. */
  openConnections(): number
  /** Sets how it responds from now on. Default: 200 with an empty body. */
  answer(respond: Responder | ReceiverResponse): void
  close(): Promise<void>
}

export type ReceiverOptions = {
  /** DNS names and IP addresses in its certificate. */
  names?: readonly string[]
  host?: string
  /** Default: any free port. */
  port?: number
  authority?: Authority
  certificate?: Certificate
}

/** A real HTTPS server on loopback that records requests and responds as configured. */
export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const { authority, certificate } = identity(options)
  const requests: ReceivedRequest[] = []
  const numbers = new WeakMap<Socket, number>()
  let respond: Responder = () => ({})
  let secured = 0

  const server = createHttpsServer(certificate, async (incoming, response) => {
    const request = await receive(incoming, numbers.get(incoming.socket) ?? 0)
    requests.push(request)
    const chosen = await respond(request, response)
    if (chosen !== undefined) response.writeHead(chosen.status ?? 200, chosen.headers).end(chosen.body)
  })
  server.keepAliveTimeout = 60_000
  server.on('secureConnection', (socket) => numbers.set(socket, ++secured))
  const listening = await listen(server, options)

  return {
    ...listening,
    ca: authority.ca,
    requests,
    answer(next) {
      respond = typeof next === 'function' ? next : () => next
    },
  }
}

export type RawReceiver = Omit<Receiver, 'requests' | 'answer'>

/** A TLS server without HTTP, for responses that no well-behaved server would send. */
export async function startRawReceiver(
  converse: (socket: TLSSocket, tcp: Socket) => void,
  options: ReceiverOptions = {},
): Promise<RawReceiver> {
  const { authority, certificate } = identity(options)
  const secureContext = createSecureContext(certificate)
  const server = createServer((tcp) => {
    const socket = new TLSSocket(tcp, { isServer: true, secureContext })
    socket.on('error', () => {})
    socket.once('secure', () => converse(socket, tcp))
  })
  return { ...(await listen(server, options)), ca: authority.ca }
}

function identity(options: ReceiverOptions): { authority: Authority; certificate: Certificate } {
  const authority = options.authority ?? createAuthority()
  const names = options.names ?? ['localhost', 'hooks.example.com', '127.0.0.1', '127.0.0.2', '::1']
  return { authority, certificate: options.certificate ?? authority.issue({ names }) }
}

async function receive(incoming: IncomingMessage, connection: number): Promise<ReceivedRequest> {
  const body = Buffer.concat(await incoming.toArray().catch(() => []))
  const servername = 'servername' in incoming.socket ? incoming.socket.servername : null
  return {
    method: incoming.method ?? '',
    url: incoming.url ?? '',
    headers: incoming.headers,
    rawHeaders: incoming.rawHeaders,
    body,
    servername: typeof servername === 'string' ? servername : null,
    connection,
  }
}

type ListeningServer = Pick<Receiver, 'port' | 'url' | 'connections' | 'openConnections' | 'close'>

async function listen(
  server: Server,
  { host = '127.0.0.1', port: requestedPort = 0 }: ReceiverOptions,
): Promise<ListeningServer> {
  const sockets = new Set<Socket>()
  let accepted = 0
  server.on('connection', (socket: Socket) => {
    accepted += 1
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(requestedPort, host, resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The receiver has no port')
  const { port } = address
  return {
    port,
    url: (path = '/', name = 'localhost') => `https://${name}:${port}${path}`,
    connections: () => accepted,
    openConnections: () => sockets.size,
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      return closed
    },
  }
}
