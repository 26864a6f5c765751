import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'

/** An unreliable proxy between the service and PostgreSQL. */
export type UnreliableProxy = {
  port: number
  /** Breaks every open connection, even in the middle of a message. */
  cut(): void
  /** Delays everything by this much from now on, each way. */
  delay(milliseconds: number): void
  /** Holds back everything until the returned function is called. */
  silence(): () => void
  close(): Promise<void>
}

export async function startProxy(targetPort: number): Promise<UnreliableProxy> {
  const ends = new Set<Socket>()
  let delay = 0
  let silent: Promise<void> | null = null

  const pass = async (from: Socket, to: Socket) => {
    for await (const chunk of from) {
      if (silent) await silent
      if (delay > 0) await setTimeout(delay)
      if (!to.write(chunk)) await once(to, 'drain')
    }
    to.end()
  }

  const server = createServer((near) => {
    const far = connect(targetPort, '127.0.0.1')
    const drop = () => {
      near.destroy()
      far.destroy()
    }
    for (const end of [near, far]) {
      end.setNoDelay(true)
      end.on('error', drop)
      end.on('close', () => ends.delete(end))
      ends.add(end)
    }
    pass(near, far).catch(drop)
    pass(far, near).catch(drop)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port')

  const cut = () => {
    for (const end of ends) end.destroy()
  }
  return {
    port: address.port,
    cut,
    delay(milliseconds) {
      delay = milliseconds
    },
    silence() {
      const over = Promise.withResolvers<void>()
      silent = over.promise
      return () => {
        silent = null
        over.resolve()
      }
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      cut()
      await closed
    },
  }
}
