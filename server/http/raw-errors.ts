import { randomUUID } from 'node:crypto'
import { type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type ErrorCode, errors, publicText } from './errors.ts'

/** What never becomes a request (broken HTTP, too many headers, CONNECT) is answered in the same form as everything else. */
export function answerRawErrors(server: Server): void {
  server.removeAllListeners('clientError')
  server.on('clientError', (error: Error & { code?: string }, socket: Socket) => {
    answerAndClose(socket, codes[error.code ?? ''] ?? 'bad_http')
  })
  // Whatever it asked to be connected with, no method is allowed on that here.
  server.on('connect', (_request, socket: Socket) => answerAndClose(socket, 'method_not_allowed', ['allow: ']))
  // An expectation we do not know is no reason to refuse: the request is served as if it were not there.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

const codes: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

// Whoever has not taken its answer by then never will.
const lingerMilliseconds = 5_000

function answerAndClose(socket: Socket, code: ErrorCode, headers: string[] = []): void {
  // The server has let go of this socket: if nobody listens, a reset by the client ends the process.
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
