import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { NodeRequest, Receiver } from '../../sdk/src/receiver.ts'
import type { Certificate } from '../../support/tls.ts'

export type Sent = { method?: string; headers: Record<string, string>; pieces: Uint8Array[] }
export type Reply = { status: number; allow: string | null; body: unknown }

/** The two ways to call a receiver, which must give the same results. */
export const doors: { name: string; send(receiver: Receiver, sent: Sent): Promise<Reply> }[] = [
  {
    name: 'handle(request)',
    async send(receiver, { method = 'POST', headers, pieces }) {
      const body = ReadableStream.from(pieces)
      const request = new Request('http://receiver.example/', {
        method,
        headers,
        ...(method === 'POST' && { body, duplex: 'half' }),
      })
      const response = await receiver.handle(request)
      return { status: response.status, allow: response.headers.get('allow'), body: await response.json() }
    },
  },
  {
    name: 'node(request, response)',
    async send(receiver, { method = 'POST', headers, pieces }) {
      const request: NodeRequest = {
        method,
        headers,
        [Symbol.asyncIterator]: () => ReadableStream.from(pieces).values(),
      }
      const reply: Reply = { status: 0, allow: null, body: null }
      await receiver.node(request, {
        writeHead(status, sent) {
          reply.status = status
          reply.allow = sent.allow ?? null
        },
        end(text) {
          reply.body = JSON.parse(text)
        },
      })
      return reply
    },
  },
]

export type Listening = { url: string; close(): Promise<void> }

/** A real server on loopback around a handler: HTTPS if given a certificate, otherwise HTTP. */
export async function listen(handler: RequestListener, certificate?: Certificate): Promise<Listening> {
  const server = certificate ? createTlsServer(certificate, handler) : createServer(handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `${certificate ? 'https' : 'http'}://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
