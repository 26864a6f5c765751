import { setImmediate } from 'node:timers/promises'
import { connect, type SecureContext, type TLSSocket } from 'node:tls'
import { type buildConnector, Client } from 'undici'
import type { Destination } from './destination.ts'
import { createTrust, tlsOptions } from './tls.ts'

/** One TLS connection to one pinned address, for one request at a time. */
export type Connection = {
  client: Client
  /** How long dialing took for the current request, in milliseconds; null when a kept connection carries it. */
  dial: { connect: number | null; tls: number | null } | null
  /** Called with the number of response bytes so far, once undici has parsed them. */
  onRead: ((bytes: number) => void) | null
  readBefore: number
  socket: TLSSocket | null
  idleSince: number
  lane: Lane
}

/** The connections of one origin to one address. A name that moves to another address gets another lane. */
type Lane = {
  key: string
  destination: Destination
  open: number
  idle: Connection[]
  waiting: ((connection: Connection) => void)[]
}

export type Connections = {
  /** A kept connection or a new one; null when none became available before the signal aborted. */
  take(destination: Destination, signal: AbortSignal): Promise<Connection | null>
  giveBack(connection: Connection): void
  drop(connection: Connection): void
  /** Closes each connection as soon as its request is done. */
  close(): Promise<void>
}

// As many as a worker has deliveries in flight. Organizations may share a receiver, each with its own path: those whose
// part of it hangs must not take every connection from the others.
export const mostPerAddress = 128
const mostIdle = 256

export type ConnectionsOptions = { extraCa?: string; longestIdleMilliseconds?: number }

// A request on a connection that the receiver is closing at that moment is lost and waits a minute for its next attempt,
// so reuse has to stay clear of the receivers' own limits. The shortest common one is gunicorn's two seconds, and an
// endpoint that gets less than an event a second does not notice the handshakes.
const defaultLongestIdle = 1_000

/**
 * Keeps connections for reuse. Not with undici's own pool: that does not say which request it dials for, so a deadline
 * could not abort the dialing, nor could a request know whether it went out on a kept connection.
 */
export function createConnections(options: ConnectionsOptions): Connections {
  const longestIdle = options.longestIdleMilliseconds ?? defaultLongestIdle
  const secureContext = createTrust(options.extraCa)
  const lanes = new Map<string, Lane>()
  const idle = new Set<Connection>()
  const closing = Promise.withResolvers<void>()
  let open = 0
  let closed = false

  async function take(destination: Destination, signal: AbortSignal) {
    if (signal.aborted) return null
    const lane = laneOf(destination)
    const kept = takeIdle(lane)
    if (kept === undefined && lane.open < mostPerAddress) return openIn(lane)

    const connection = kept ?? (await waitIn(lane, signal))
    if (connection === null || connection.socket === null) return connection
    const reusable = await isReusable(connection, longestIdle)
    if (!signal.aborted) return reusable ? prepareReuse(connection) : replace(connection)
    drop(connection)
    return null
  }

  function laneOf(destination: Destination): Lane {
    const key = `${destination.url.host} ${destination.address}`
    const lane = lanes.get(key) ?? { key, destination, open: 0, idle: [], waiting: [] }
    lanes.set(key, lane)
    return lane
  }

  function takeIdle(lane: Lane): Connection | undefined {
    const connection = lane.idle.pop()
    if (connection !== undefined) idle.delete(connection)
    return connection
  }

  function openIn(lane: Lane): Connection {
    const client = new Client(lane.destination.url.origin, {
      connect: (_, callback) => dial(connection, secureContext, callback),
      allowH2: false,
      maxHeaderSize: 16_384,
      // The deadline of the attempt is the only clock while a request runs.
      headersTimeout: 0,
      bodyTimeout: 0,
      // A receiver that announces how long it keeps a connection is believed, less a margin of a second.
      keepAliveTimeout: longestIdle,
      keepAliveMaxTimeout: longestIdle,
      keepAliveTimeoutThreshold: 1_000,
    })
    const connection: Connection = { client, dial: null, onRead: null, readBefore: 0, socket: null, idleSince: 0, lane }
    client.on('disconnect', () => {
      if (idle.has(connection)) drop(connection)
    })
    lane.open += 1
    open += 1
    return connection
  }

  function waitIn(lane: Lane, signal: AbortSignal): Promise<Connection | null> {
    return new Promise((resolve) => {
      const receive = (connection: Connection) => {
        signal.removeEventListener('abort', leave)
        resolve(connection)
      }
      const leave = () => {
        lane.waiting.splice(lane.waiting.indexOf(receive), 1)
        resolve(null)
      }
      lane.waiting.push(receive)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  /** A new connection in the place of one that turned out to be closed, ahead of those that wait for a place. */
  function replace(connection: Connection): Connection {
    discard(connection)
    return openIn(connection.lane)
  }

  function giveBack(connection: Connection) {
    if (closed) return drop(connection)
    const { lane } = connection
    connection.idleSince = performance.now()
    const next = lane.waiting.shift()
    if (next !== undefined) return next(connection)

    lane.idle.push(connection)
    idle.add(connection)
    const [oldest] = idle
    if (idle.size > mostIdle && oldest !== undefined) drop(oldest)
  }

  function drop(connection: Connection) {
    const { lane } = connection
    discard(connection)
    lane.waiting.shift()?.(openIn(lane))
    if (lane.open === 0) lanes.delete(lane.key)
    if (closed && open === 0) closing.resolve()
  }

  function discard(connection: Connection) {
    const { lane } = connection
    if (idle.delete(connection)) lane.idle.splice(lane.idle.indexOf(connection), 1)
    void connection.client.destroy()
    // The client does not know of a socket that is still dialing.
    connection.socket?.destroy()
    lane.open -= 1
    open -= 1
  }

  function close() {
    closed = true
    for (const connection of idle) drop(connection)
    if (open === 0) closing.resolve()
    return closing.promise
  }

  return { take, giveBack, drop, close }
}

/** Looks before anything is written: the receiver may have closed the connection, or not have read the last request. */
async function isReusable({ socket, idleSince }: Connection, longestIdle: number): Promise<boolean> {
  await pollSockets()
  // The client closes what was idle for too long, but by a timer that starts late when the process is busy.
  if (performance.now() - idleSince >= longestIdle) return false
  if (socket === null || socket.destroyed || socket.readableEnded || !socket.writable) return false
  return socket.readableLength === 0 && socket.writableLength === 0
}

// A socket learns that its peer has closed it when the event loop polls. During the poll phase one immediate is not
// enough: it runs before the next poll. The second is sure to run after one.
async function pollSockets(): Promise<void> {
  await setImmediate()
  await setImmediate()
}

function prepareReuse(connection: Connection): Connection {
  connection.dial = null
  connection.readBefore = connection.socket?.bytesRead ?? 0
  return connection
}

// Sessions are not resumed: a resumed one skips the check of the name.
function dial(connection: Connection, secureContext: SecureContext, callback: buildConnector.Callback): void {
  const started = performance.now()
  const timing: Connection['dial'] = { connect: null, tls: null }
  let done = false

  const socket = connect({
    ...tlsOptions(connection.lane.destination, secureContext),
    // Explicit, because an environment variable could change the default.
    rejectUnauthorized: true,
  })
  Object.assign(connection, { dial: timing, socket, readBefore: 0 })

  socket.setNoDelay(true)
  socket.once('connect', () => {
    timing.connect = performance.now() - started
  })
  socket.once('secureConnect', () => {
    done = true
    timing.tls = performance.now() - started - (timing.connect ?? 0)
    callback(null, socket)
    // Only now, so that the client's own listener has read and parsed what there is.
    socket.on('readable', () => connection.onRead?.(socket.bytesRead - connection.readBefore))
  })
  socket.on('error', (error) => {
    if (done) return
    done = true
    callback(error, null)
  })
}
