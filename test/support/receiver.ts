import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer, type Server, type Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import { type Authority, type Certificate, createAuthority } from './tls.ts'

export type ReceivedRequest = {
  method: string
  url: string
  headers: IncomingHttpHeaders
  /** Names and values in turn, spelled and ordered as they came. */
  rawHeaders: string[]
  /** The very bytes of the body. */
  body: Buffer
  /** The name asked for in the TLS handshake; null when the client sent none. */
  servername: string | null
  /** 1 for the first connection, 2 for the second, … */
  connection: number
}

export type Answer = { status?: number; headers?: Record<string, string>; body?: string | Uint8Array }

/** What to say to a request: an answer, or nothing at all when the function deals with the response itself. */
export type Respond = (
  request: ReceivedRequest,
  response: ServerResponse,
) => Answer | undefined | Promise<Answer | undefined>

export type Receiver = {
  port: number
  /** The authority that signed its certificate, as PEM: for `createPoster({ extraCa })` or a CA file. */
  ca: string
  /** https://<name>:<port><path> */
  url(path?: string, name?: string): string
  requests: ReceivedRequest[]
  /** TCP connections accepted so far, whatever became of them. */
  connections(): number
  /** Of these, the ones still open. */
  openConnections(): number
  /** Changes what is answered from now on; 200 with an empty body until then. */
  answer(respond: Respond | Answer): void
  close(): Promise<void>
}

export type ReceiverOptions = {
  /** DNS names and addresses of its certificate. */
  names?: readonly string[]
  host?: string
  /** One it picks itself unless told. */
  port?: number
  authority?: Authority
  certificate?: Certificate
}

/** A real HTTPS server on loopback that records what it gets and answers as told. */
export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const { authority, certificate } = identity(options)
  const requests: ReceivedRequest[] = []
  const numbers = new WeakMap<Socket, number>()
  let respond: Respond = () => ({})
  let secured = 0

  const server = createHttpsServer(certificate, async (incoming, response) => {
    const request = await receive(incoming, numbers.get(incoming.socket) ?? 0)
    requests.push(request)
    const answer = await respond(request, response)
    if (answer !== undefined) response.writeHead(answer.status ?? 200, answer.headers).end(answer.body)
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

/** A TLS server that speaks no HTTP of its own: for answers no decent server would give. */
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

type Listening = Pick<Receiver, 'port' | 'url' | 'connections' | 'openConnections' | 'close'>

async function listen(server: Server, { host = '127.0.0.1', port: wanted = 0 }: ReceiverOptions): Promise<Listening> {
  const sockets = new Set<Socket>()
  let accepted = 0
  server.on('connection', (socket: Socket) => {
    accepted += 1
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(wanted, host, resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port')
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
