import { EventEmitter, once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import type { Environment } from './process.ts'

export type Report =
  /**
   * The event loop was blocked for this much CPU time, between these wall-clock times. `ports`: of the connections that
   * were open on the server at some point in between, even if their clients had given up on a slow server before.
   */
  | { kind: 'block'; milliseconds: number; from: number; to: number; ports: number[] }
  | { kind: 'state'; rss: number; open: number }
  | { kind: 'connections'; ports: number[] }
  | { kind: 'collected'; rss: number }

export type LoopBlock = Extract<Report, { kind: 'block' }>

export type Command = 'collect' | 'connections'

export type Monitoring = {
  /** The environment variables that make a server report here. */
  environment: Environment
  /** Resolves when a server has connected. */
  connected(): Promise<void>
  /** Replaces the listener that is called whenever the event loop was blocked. */
  onBlock(listener: (block: LoopBlock) => void): void
  /** The last report, at most 200 ms old. */
  state(): { rss: number; open: number }
  /** When that report arrived, in milliseconds since 1970. */
  heardAt(): number
  /** Memory in bytes after a full garbage collection; null if the server has exited. */
  collect(): Promise<number | null>
  /** The remote ports of open connections; null if the server has exited. */
  connections(): Promise<number[] | null>
  close(): Promise<void>
}

/** Listens to the monitor in one server at a time. */
export async function startMonitoring(): Promise<Monitoring> {
  const reports = new EventEmitter<{ [Kind in Report['kind']]: [Extract<Report, { kind: Kind }>] }>()
  let monitored: Socket | null = null
  let gone = new AbortController()
  let connected = Promise.withResolvers<void>()
  let state = { rss: 0, open: 0 }
  let heardAt = Date.now()
  const listener = createServer((socket) => {
    monitored = socket
    const leaving = new AbortController()
    gone = leaving
    connected.resolve()
    socket.on('close', () => {
      leaving.abort()
      if (gone === leaving) connected = Promise.withResolvers()
    })
    // Killing the server makes both the socket and the line reader fail.
    socket.on('error', () => {})
    const lines = createInterface({ input: socket }).on('error', () => {})
    lines.on('line', (line) => {
      const report: Report = JSON.parse(line)
      if (report.kind === 'state') [state, heardAt] = [report, Date.now()]
      else if (report.kind === 'block') reports.emit('block', report)
      else if (report.kind === 'collected') reports.emit('collected', report)
      else reports.emit('connections', report)
    })
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new Error('The monitor has no port')

  const ask = async <Kind extends 'collected' | 'connections'>(command: Command, kind: Kind) => {
    monitored?.write(`${JSON.stringify(command)}\n`)
    // Longer than any block seen so far.
    const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(300_000)])
    const [report] = await once(reports, kind, { signal }).catch((error) => {
      if (gone.signal.aborted) return [null]
      throw error
    })
    return report
  }
  return {
    environment: {
      NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'server-monitor.ts')).href}`,
      MONITOR_PORT: String(address.port),
    },
    connected: () => connected.promise,
    onBlock(listener) {
      reports.removeAllListeners('block')
      reports.on('block', listener)
    },
    state: () => state,
    heardAt: () => heardAt,
    collect: async () => (await ask('collect', 'collected'))?.rss ?? null,
    connections: async () => (await ask('connections', 'connections'))?.ports ?? null,
    async close() {
      monitored?.destroy()
      listener.close()
    },
  }
}
