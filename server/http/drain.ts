import { once } from 'node:events'
import { Server } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Connections } from './connections.ts'

export type DrainOptions = {
  /** Aborted when the whole service goes away, not when another process takes this one's place. */
  stopping?: AbortSignal | undefined
  stopDelaySeconds?: number | undefined
}

// A client that sends on a kept connection at least this often meets no closed one.
const graceMilliseconds = 500
const lookEvery = 20

/**
 * A server that closes does so without a failed request. From the first moment on every answer says `Connection: close`;
 * connections that are new or kept get some time to bring a request and be told so, and only then are the silent ones
 * closed. Node's own close would begin with them, and meet requests that are just coming in.
 */
export function drainBeforeClosing(
  app: FastifyInstance,
  { stopping, stopDelaySeconds = 0 }: DrainOptions,
  { connections, mostMilliseconds }: { connections: Connections; mostMilliseconds: number },
): void {
  app.addHook('preClose', async () => {
    if (!app.server.listening) return
    // Load balancers see /readyz fail meanwhile, and look elsewhere.
    if (stopping?.aborted) await setTimeout(stopDelaySeconds * 1000)
    const closed = once(app.server, 'close')
    // No new connections; among several processes, the others get them. An HTTP server's own method does more than that.
    Server.prototype.close.call(app.server)
    const until = performance.now() + graceMilliseconds
    while ((await openConnections(app.server)) > 0 && performance.now() < until) await setTimeout(lookEvery)
    connections.closeUnused()
    app.server.closeIdleConnections()
    // A server that closes no longer looks at how long a request takes to arrive.
    connections.closeAllIn(mostMilliseconds)
    await closed
  })
  app.addHook('onClose', async () => connections.stop())
}

function openConnections(server: Server): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )
}
