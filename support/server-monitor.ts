/**
 * Loaded into a server before its own code. Reports to a local port, line by line, how long the event loop was blocked,
 * how much memory the server uses, and which connections are open.
 */
import { subscribe } from 'node:diagnostics_channel'
import { connect, Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'
import type { Command, Report } from './server-monitoring.ts'

const tickMilliseconds = 5
/** CPU milliseconds used for the monitor's own work, which are not the server's. */
let ownMilliseconds = 0

const { MONITOR_PORT } = process.env
// Worker threads load this too, but serve no connections.
if (isMainThread && MONITOR_PORT) watch(Number(MONITOR_PORT))

function watch(port: number): void {
  const listener = connect(port, '127.0.0.1')
  listener.unref()
  listener.on('error', () => {})
  const send = (report: Report) => void listener.write(`${JSON.stringify(report)}\n`)
  const { openPorts, seenSince } = watchConnections()
  watchEventLoop(send, seenSince)
  const state = (): Report => ({ kind: 'state', rss: process.memoryUsage.rss(), open: openPorts().length })
  setInterval(() => send(state()), 200).unref()
  const commands = createInterface({ input: listener }).on('error', () => {})
  commands.on('line', (line) => {
    const command: Command = JSON.parse(line)
    if (command === 'connections') send({ kind: 'connections', ports: openPorts() })
    else {
      collect()
      send({ kind: 'collected', rss: process.memoryUsage.rss() })
    }
  })
}

/**
 * The timer runs at most once per iteration of the loop, so the CPU time its thread used in between is the length of the
 * longest iteration, give or take one tick. Time in which another process had the CPU doesn't count.
 */
function watchEventLoop(send: (report: Report) => void, seenSince: () => number[]): void {
  let [used, at] = [cpuMilliseconds(), Date.now()]
  setInterval(() => {
    const [usedNow, now] = [cpuMilliseconds(), Date.now()]
    const milliseconds = usedNow - used - ownMilliseconds - tickMilliseconds
    const ports = seenSince()
    if (milliseconds > 20) send({ kind: 'block', milliseconds, from: at, to: now, ports })
    ownMilliseconds = 0
    ;[used, at] = [usedNow, now]
  }, tickMilliseconds).unref()
}

function cpuMilliseconds(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** `seenSince`: the ports of connections that were open at any time since it was last called. */
function watchConnections(): { openPorts(): number[]; seenSince(): number[] } {
  const open = new Set<Socket>()
  const openPorts = () => [...open].map(({ remotePort = 0 }) => remotePort)
  let seen = new Set<number>()
  subscribe('net.server.socket', (message) => {
    if (!(message instanceof Object && 'socket' in message && message.socket instanceof Socket)) return
    const { socket } = message
    // Connections from the command line have no port.
    if (socket.remotePort === undefined) return
    open.add(socket)
    seen.add(socket.remotePort)
    // No error listener here: the server must have its own.
    socket.once('close', () => open.delete(socket))
  })
  return {
    openPorts,
    seenSince() {
      const ports = [...seen]
      seen = new Set(openPorts())
      return ports
    },
  }
}

/** Runs a full garbage collection. */
function collect(): void {
  const before = cpuMilliseconds()
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  collectGarbage()
  collectGarbage()
  // Only this, not the whole iteration: a request may block the loop in the same one.
  ownMilliseconds += cpuMilliseconds() - before
}
