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
let skipNext = false

const { MONITOR_PORT } = process.env
// Worker threads load this too, but serve no connections.
if (isMainThread && MONITOR_PORT) watch(Number(MONITOR_PORT))

function watch(port: number): void {
  const listener = connect(port, '127.0.0.1')
  listener.unref()
  listener.on('error', () => {})
  const send = (report: Report) => void listener.write(`${JSON.stringify(report)}\n`)
  watchEventLoop(send)
  const openPorts = watchConnections()
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
function watchEventLoop(send: (report: Report) => void): void {
  let [used, at] = [cpuMilliseconds(), Date.now()]
  setInterval(() => {
    const [usedNow, now] = [cpuMilliseconds(), Date.now()]
    const milliseconds = usedNow - used - tickMilliseconds
    if (milliseconds > 20 && !skipNext) send({ kind: 'block', milliseconds, from: at, to: now })
    skipNext = false
    ;[used, at] = [usedNow, now]
  }, tickMilliseconds).unref()
}

function cpuMilliseconds(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

function watchConnections(): () => number[] {
  const open = new Set<Socket>()
  subscribe('net.server.socket', (message) => {
    if (!(message instanceof Object && 'socket' in message && message.socket instanceof Socket)) return
    const { socket } = message
    // Connections from the command line have no port.
    if (socket.remotePort === undefined) return
    open.add(socket)
    // No error listener here: the server must have its own.
    socket.once('close', () => open.delete(socket))
  })
  return () => [...open].map(({ remotePort = 0 }) => remotePort)
}

/** Runs a full garbage collection. The time it takes isn't the server's. */
function collect(): void {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  collectGarbage()
  collectGarbage()
  skipNext = true
}
