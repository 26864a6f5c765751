import { connect } from 'node:net'

export type WireAnswer = { status: number; headers: Headers; text: string; body: unknown }

/** Sends these very bytes over a connection of their own and reads the answer to its end: for what fetch would not send. */
export async function exchange(url: string, request: string | Uint8Array): Promise<WireAnswer> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.setTimeout(10_000, () => socket.destroy(new Error('No whole answer within ten seconds')))
  // The server may answer and close before it has read everything: then the answer is what counts.
  socket.on('error', () => {})
  socket.write(request)
  let received = Buffer.alloc(0)
  for await (const chunk of socket.iterator({ destroyOnReturn: true })) {
    received = Buffer.concat([received, chunk])
    const answer = parse(received.toString(), request.toString().startsWith('HEAD '))
    if (answer) return answer
  }
  throw new Error(`The connection ended without a whole answer: ${JSON.stringify(received.toString())}`)
}

export type RequestParts = { method?: string; path?: string; headers?: Record<string, string>; body?: string }

/** A request as text. Nothing is added to it but the host and the length of a body, and nothing is checked. */
export function requestText({ method = 'GET', path = '/', headers = {}, body }: RequestParts): string {
  const length =
    body === undefined || 'transfer-encoding' in headers ? {} : { 'content-length': Buffer.byteLength(body) }
  const lines = Object.entries({ host: 'test', ...length, ...headers }).map(([name, value]) => `${name}: ${value}`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
}

function parse(text: string, headersOnly: boolean): WireAnswer | null {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return null
  const [first = '', ...lines] = text.slice(0, end).split('\r\n')
  const rest = text.slice(end + 4)
  const status = Number(first.split(' ')[1])
  if (status < 200) return parse(rest, headersOnly)
  const headers = new Headers(
    lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  )
  const length = headersOnly ? 0 : Number(headers.get('content-length') ?? 0)
  if (Buffer.byteLength(rest) < length) return null
  return { status, headers, text: rest, body: rest === '' ? null : JSON.parse(rest) }
}
