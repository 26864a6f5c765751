import type { IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:https'
import { createMemoryStore, createReceiver, type ResultCompleted, type ResultStore } from '../sdk/src/index.ts'

/** One request from the service, and the receiver's response. */
export type Arrival = { headers: IncomingHttpHeaders; status: number; body: string }

export type Receiver = {
  url: string
  seen: ResultStore
  /** The nth request, once it has been handled. */
  arrival(number: number): Promise<Arrival>
  /** The processed events: each result once. */
  processed: { event: ResultCompleted; image: Uint8Array }[]
}

/**
 * A receiver as a partner would build it, with the SDK and TLS, on a bad day: it can't store the first request, and its
 * response to the second is lost.
 */
export async function startReceiver(
  { cert, key, secret }: { cert: string; key: string; secret: string },
  leftovers: AsyncDisposableStack,
): Promise<Receiver> {
  const processed: Receiver['processed'] = []
  const seen = failingOnce(createMemoryStore())
  const receiver = createReceiver({
    secret,
    seen,
    onResult: (event, image) => void processed.push({ event, image }),
    // The demo prints it itself.
    onError: () => {},
  })

  const arrivals = [1, 2, 3].map(() => Promise.withResolvers<Arrival>())
  let requests = 0
  const server = createServer({ cert, key }, async (request, response) => {
    const number = ++requests
    // On a reused connection, the service could take the break for a stale connection and dial again immediately.
    response.shouldKeepAlive = false
    let status = 0
    let body = ''
    await receiver.node(request, {
      writeHead(code, headers) {
        status = code
        if (number !== 2) response.writeHead(code, headers)
      },
      end(text) {
        body = text
        if (number === 2) request.socket.destroy()
        else response.end(text)
      },
    })
    await receiver.idle()
    arrivals[number - 1]?.resolve({ headers: request.headers, status, body })
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  leftovers.defer(() => {
    server.closeAllConnections()
    server.close()
  })

  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port')
  return {
    url: `https://127.0.0.1:${address.port}/webhooks/interviews`,
    seen,
    processed,
    arrival(number) {
      const arrival = arrivals[number - 1]
      if (!arrival) throw new Error(`request ${number} is not expected`)
      return arrival.promise
    },
  }
}

function failingOnce(store: ResultStore): ResultStore {
  let first = true
  return {
    ...store,
    async add(event) {
      if (!first) return store.add(event)
      first = false
      throw new Error('The demo’s database is down')
    },
  }
}
