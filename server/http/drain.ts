import { once } from 'node:events'
import { Server } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Connections } from './client-connections.ts'

export type DrainOptions = {
  /** Aborted when the whole service shuts down, not when another process replaces this one. */
  stopping?: AbortSignal | undefined
  stopDelaySeconds?: number | undefined
}

// A keep-alive client that sends at least this often never hits a closed connection.
const graceMilliseconds = 500
const pollMilliseconds = 20

/**
 * Shuts down without failing a request. Every response now says `Connection: close`. Open connections get a grace period
 * to send one more request and see that header; only then are the idle ones closed. Node's own close starts by closing
 * the idle ones, and can hit requests that are just arriving.
 */
export function drainBeforeClosing(
  app: FastifyInstance,
  { stopping, stopDelaySeconds = 0 }: DrainOptions,
  { connections, maxMilliseconds }: { connections: Connections; maxMilliseconds: number },
): void {
  app.addHook('preClose', async () => {
    if (!app.server.listening) return
    // Meanwhile load balancers see /readyz fail and send traffic elsewhere.
    if (stopping?.aborted) await setTimeout(stopDelaySeconds * 1000)
    const closed = once(app.server, 'close')
    // Stop listening, so other processes get the new connections. http.Server's own close would also close idle ones.
    Server.prototype.close.call(app.server)
    const until = performance.now() + graceMilliseconds
    while ((await openConnections(app.server)) > 0 && performance.now() < until) await setTimeout(pollMilliseconds)
    connections.closeUnused()
    app.server.closeIdleConnections()
    // Node no longer enforces its request timeout on a closing server.
    connections.closeAllIn(maxMilliseconds)
    await closed
  })
  app.addHook('onClose', async () => connections.stop())
}

function openConnections(server: Server): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )
}
