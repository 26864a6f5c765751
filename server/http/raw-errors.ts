import { randomUUID } from 'node:crypto'
import { type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type ErrorCode, errors, publicText } from './errors.ts'

/** Sends our usual error format for what never becomes a request: broken HTTP, oversized headers, CONNECT. */
export function handleRawErrors(server: Server): void {
  server.removeAllListeners('clientError')
  server.on('clientError', (error: Error & { code?: string }, socket: Socket) => {
    respondAndClose(socket, codes[error.code ?? ''] ?? 'bad_http')
  })
  // We are not a proxy, so no method is allowed on the target of a CONNECT.
  server.on('connect', (_request, socket: Socket) => respondAndClose(socket, 'method_not_allowed', ['allow: ']))
  // Ignore unknown expectations and serve the request as usual.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

const codes: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

// A client that has not read its response by then never will.
const lingerMilliseconds = 5_000

function respondAndClose(socket: Socket, code: ErrorCode, headers: string[] = []): void {
  // The server no longer owns this socket: without a listener, a reset by the client would crash the process.
  socket.on('error', () => socket.destroy())
  socket.setTimeout(lingerMilliseconds, () => socket.destroy())
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const { status } = errors[code]
  const body = JSON.stringify({ error: publicText(code) })
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${randomUUID()}`,
      'cache-control: no-store',
      'x-content-type-options: nosniff',
      'connection: close',
      ...headers,
      '',
      body,
    ].join('\r\n'),
  )
}
