import { setImmediate } from 'node:timers/promises'
import { connect, type SecureContext, type TLSSocket } from 'node:tls'
import type { buildConnector, Client } from 'undici'
import type { Destination } from './destination.ts'
import { skipContinue } from './skip-continue.ts'
import { secureContextFor, tlsOptions } from './tls.ts'

/** One TLS connection to one pinned address, for one request at a time. */
export type Connection = {
  client: Client
  /** Milliseconds it took to connect for the current request; null if the connection was reused. */
  dial: { connect: number | null; tls: number | null } | null
  /** Called with the number of response bytes so far, once undici has parsed them. */
  onRead: ((bytes: number) => void) | null
  readBefore: number
  /** Nothing but interim responses has arrived yet. */
  awaitsResponse: boolean
  socket: TLSSocket | null
  idleSince: number
  pool: AddressPool
}

/** The connections of one origin to one address. A name that moves to another address gets another pool. */
type AddressPool = {
  key: string
  destination: Destination
  Client: typeof Client
  open: number
  idle: Connection[]
  waiting: ((connection: Connection) => void)[]
}

export type Connections = {
  /** Null if no connection became available before the signal aborted. */
  acquire(destination: Destination, signal: AbortSignal): Promise<Connection | null>
  release(connection: Connection): void
  drop(connection: Connection): void
  /** Closes each connection as soon as its request is done. */
  close(): Promise<void>
}

// As many as a worker has deliveries in flight: organizations may share a receiver under different paths, and one whose
// path hangs must not take every connection.
export const maxPerAddress = 192
const maxIdleConnections = 256

export type ConnectionsOptions = {
  /** A certificate authority to trust besides the public ones. */
  extraCa: string | null
  idleTimeoutMilliseconds?: number
}

// A request sent while the receiver is closing the connection is lost and waits a minute for its next attempt, so we stay
// well below the receivers' own idle timeouts. The shortest common one is gunicorn's two seconds, and an endpoint that
// gets less than one event a second won't notice the extra handshakes.
const defaultIdleTimeout = 1_000

/**
 * Not undici's Pool: it doesn't tell which request it connects for, so a deadline couldn't abort the connect, and a
 * request wouldn't know whether its connection was reused.
 */
export function createConnections(options: ConnectionsOptions): Connections {
  const idleTimeout = options.idleTimeoutMilliseconds ?? defaultIdleTimeout
  const secureContext = secureContextFor(options.extraCa)
  const pools = new Map<string, AddressPool>()
  const idle = new Set<Connection>()
  const closing = Promise.withResolvers<void>()
  let open = 0
  let closed = false
  // Loaded on the first request, because it is large and startup does not need it.
  let undici: Promise<typeof import('undici')> | undefined

  async function acquire(destination: Destination, signal: AbortSignal) {
    undici ??= import('undici')
    const { Client } = await undici
    if (signal.aborted) return null
    const pool = poolFor(destination, Client)
    const idleConnection = takeIdle(pool)
    if (idleConnection === undefined && pool.open < maxPerAddress) return openConnection(pool)

    const connection = idleConnection ?? (await waitForConnection(pool, signal))
    if (connection === null || connection.socket === null) return connection
    const reusable = await isReusable(connection, idleTimeout)
    if (!signal.aborted) return reusable ? prepareReuse(connection) : replace(connection)
    drop(connection)
    return null
  }

  function poolFor(destination: Destination, Client: AddressPool['Client']): AddressPool {
    const key = `${destination.url.host} ${destination.address}`
    const pool = pools.get(key) ?? { key, destination, Client, open: 0, idle: [], waiting: [] }
    pools.set(key, pool)
    return pool
  }

  function takeIdle(pool: AddressPool): Connection | undefined {
    const connection = pool.idle.pop()
    if (connection !== undefined) idle.delete(connection)
    return connection
  }

  function openConnection(pool: AddressPool): Connection {
    const client = new pool.Client(pool.destination.url.origin, {
      connect: (_, callback) => dial(connection, secureContext, callback),
      allowH2: false,
      maxHeaderSize: 16_384,
      // The attempt's deadline is the only timeout of a request.
      headersTimeout: 0,
      bodyTimeout: 0,
      // A shorter timeout in the receiver's Keep-Alive header is honored, minus a second to be safe.
      keepAliveTimeout: idleTimeout,
      keepAliveMaxTimeout: idleTimeout,
      keepAliveTimeoutThreshold: 1_000,
    })
    const connection: Connection = {
      client,
      dial: null,
      onRead: null,
      readBefore: 0,
      awaitsResponse: true,
      socket: null,
      idleSince: 0,
      pool,
    }
    client.on('disconnect', () => {
      if (idle.has(connection)) drop(connection)
    })
    pool.open += 1
    open += 1
    return connection
  }

  function waitForConnection(pool: AddressPool, signal: AbortSignal): Promise<Connection | null> {
    return new Promise((resolve) => {
      const receive = (connection: Connection) => {
        signal.removeEventListener('abort', leave)
        resolve(connection)
      }
      const leave = () => {
        pool.waiting.splice(pool.waiting.indexOf(receive), 1)
        resolve(null)
      }
      pool.waiting.push(receive)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  /** Replaces a connection that turned out to be closed. The new one goes to the caller, not to the next in line. */
  function replace(connection: Connection): Connection {
    discard(connection)
    return openConnection(connection.pool)
  }

  function release(connection: Connection) {
    if (closed) return drop(connection)
    const { pool } = connection
    connection.idleSince = performance.now()
    const next = pool.waiting.shift()
    if (next !== undefined) return next(connection)

    pool.idle.push(connection)
    idle.add(connection)
    const [oldest] = idle
    if (idle.size > maxIdleConnections && oldest !== undefined) drop(oldest)
  }

  function drop(connection: Connection) {
    const { pool } = connection
    discard(connection)
    pool.waiting.shift()?.(openConnection(pool))
    if (pool.open === 0) pools.delete(pool.key)
    if (closed && open === 0) closing.resolve()
  }

  function discard(connection: Connection) {
    const { pool } = connection
    if (idle.delete(connection)) pool.idle.splice(pool.idle.indexOf(connection), 1)
    void connection.client.destroy()
    // The client does not know about a socket that is still connecting.
    connection.socket?.destroy()
    pool.open -= 1
    open -= 1
  }

  function close() {
    closed = true
    for (const connection of idle) drop(connection)
    if (open === 0) closing.resolve()
    return closing.promise
  }

  return { acquire, release, drop, close }
}

/** Checked before writing: the receiver may have closed the connection, or not have read the last request. */
async function isReusable({ socket, idleSince }: Connection, idleTimeout: number): Promise<boolean> {
  await pollSockets()
  // The client has its own idle timer, but it fires late when the process is busy.
  if (performance.now() - idleSince >= idleTimeout) return false
  if (socket === null || socket.destroyed || socket.readableEnded || !socket.writable) return false
  return socket.readableLength === 0 && socket.writableLength === 0
}

let nextPoll: Promise<void> | null = null

/** Requests that begin together share a poll. */
function pollSockets(): Promise<void> {
  nextPoll ??= poll()
  return nextPoll
}

// A socket learns that its peer has closed it when the event loop polls. An immediate scheduled during the poll phase
// runs before the next poll, so one is not enough; the second always runs after one.
async function poll(): Promise<void> {
  await setImmediate()
  nextPoll = null
  await setImmediate()
}

function prepareReuse(connection: Connection): Connection {
  connection.dial = null
  connection.readBefore = connection.socket?.bytesRead ?? 0
  connection.awaitsResponse = true
  return connection
}

// No session resumption: a resumed session skips the hostname check.
function dial(connection: Connection, secureContext: SecureContext, callback: buildConnector.Callback): void {
  const started = performance.now()
  const timing: Connection['dial'] = { connect: null, tls: null }
  let done = false

  const socket = connect({
    ...tlsOptions(connection.pool.destination, secureContext),
    // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED changes the default.
    rejectUnauthorized: true,
  })
  Object.assign(connection, { dial: timing, socket, readBefore: 0, awaitsResponse: true })

  socket.setNoDelay(true)
  socket.once('connect', () => {
    timing.connect = performance.now() - started
  })
  socket.once('secureConnect', () => {
    done = true
    timing.tls = performance.now() - started - (timing.connect ?? 0)
    // Before the client's own listener.
    skipContinue(socket, connection)
    callback(null, socket)
    // Registered after the client's own listener, so it runs once the data has been parsed.
    socket.on('readable', () => connection.onRead?.(socket.bytesRead - connection.readBefore))
  })
  socket.on('error', (error) => {
    if (done) return
    done = true
    callback(error, null)
  })
}
