import { connect, type SecureContext, type TLSSocket } from 'node:tls'
import { type buildConnector, Client } from 'undici'
import type { Destination } from './destination.ts'
import { towards, trust } from './tls.ts'

/** One TLS connection to one pinned address, for one request at a time. */
export type Connection = {
  client: Client
  /** How long dialling took for the request at hand, in milliseconds; null when a kept connection carries it. */
  dial: { connect: number | null; tls: number | null } | null
  /** Told how many bytes of answer have come so far, after they were looked at. */
  onRead: ((bytes: number) => void) | null
  readBefore: number
  socket: TLSSocket | null
  lane: Lane
}

/** The connections of one origin to one address. A name that moves to another address starts another lane. */
type Lane = {
  key: string
  destination: Destination
  open: number
  idle: Connection[]
  waiting: ((connection: Connection) => void)[]
}

export type Connections = {
  /** A kept connection or a new one; null when all were busy until the signal came. */
  take(destination: Destination, signal: AbortSignal, wanted: 'any' | 'fresh'): Promise<Connection | null>
  giveBack(connection: Connection): void
  drop(connection: Connection): void
  /** Closes each connection as soon as its request is done. */
  close(): Promise<void>
}

// As many as a worker has deliveries under way. Organizations may share a receiver, each with a path of its own: those
// whose part of it hangs must not take all connections from the others.
export const mostPerAddress = 128
const mostIdle = 256

/**
 * Keeps connections for reuse. Not with undici's own pool: that does not tell which request it dials for, so a deadline
 * could not call off the dialling, nor could a request know whether it went out on a kept connection.
 */
export function createConnections(options: { extraCa?: string }): Connections {
  const secureContext = trust(options.extraCa)
  const lanes = new Map<string, Lane>()
  const idle = new Set<Connection>()
  const closing = Promise.withResolvers<void>()
  let open = 0
  let closed = false

  async function take(destination: Destination, signal: AbortSignal, wanted: 'any' | 'fresh') {
    if (signal.aborted) return null
    const lane = laneOf(destination)
    const kept = wanted === 'any' ? lane.idle.pop() : undefined
    if (kept !== undefined) {
      idle.delete(kept)
      return readied(kept)
    }
    return lane.open < mostPerAddress ? openIn(lane) : waitIn(lane, signal)
  }

  function laneOf(destination: Destination): Lane {
    const key = `${destination.url.host} ${destination.address}`
    const lane = lanes.get(key) ?? { key, destination, open: 0, idle: [], waiting: [] }
    lanes.set(key, lane)
    return lane
  }

  function openIn(lane: Lane): Connection {
    const client = new Client(lane.destination.url.origin, {
      connect: (_, callback) => dial(connection, secureContext, callback),
      allowH2: false,
      maxHeaderSize: 16_384,
      // The deadline of the attempt is the only clock while a request runs.
      headersTimeout: 0,
      bodyTimeout: 0,
      // Most servers keep an idle connection for five seconds or more. One that says how long is believed, less a margin.
      keepAliveTimeout: 4_000,
      keepAliveTimeoutThreshold: 2_000,
      keepAliveMaxTimeout: 60_000,
    })
    const connection: Connection = { client, dial: null, onRead: null, readBefore: 0, socket: null, lane }
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

  function giveBack(connection: Connection) {
    if (closed) return drop(connection)
    const next = connection.lane.waiting.shift()
    if (next !== undefined) return next(readied(connection))

    // Should its socket be closed while idle, the client dials the same address anew for its next request.
    connection.lane.idle.push(connection)
    idle.add(connection)
    const [longestIdle] = idle
    if (idle.size > mostIdle && longestIdle !== undefined) drop(longestIdle)
  }

  function drop(connection: Connection) {
    const { lane } = connection
    if (idle.delete(connection)) lane.idle.splice(lane.idle.indexOf(connection), 1)
    void connection.client.destroy()
    // The client does not know of a socket that is still dialling.
    connection.socket?.destroy()
    lane.open -= 1
    open -= 1
    lane.waiting.shift()?.(openIn(lane))
    if (lane.open === 0) lanes.delete(lane.key)
    if (closed && open === 0) closing.resolve()
  }

  function close() {
    closed = true
    for (const connection of idle) drop(connection)
    if (open === 0) closing.resolve()
    return closing.promise
  }

  return { take, giveBack, drop, close }
}

function readied(connection: Connection): Connection {
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
    ...towards(connection.lane.destination, secureContext),
    // Said aloud, because an environment variable could change the default.
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
    // Only now, so that the client's own listener has read and understood what there is.
    socket.on('readable', () => connection.onRead?.(socket.bytesRead - connection.readBefore))
  })
  socket.on('error', (error) => {
    if (done) return
    done = true
    callback(error, null)
  })
}
