import { connect } from 'node:net'

export type WireResponse = { status: number; headers: Headers; text: string; body: unknown }

/** Sends exactly these bytes over a new connection and reads one response, for requests that fetch would not send. */
export async function exchange(url: string, request: string | Uint8Array): Promise<WireResponse> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.setTimeout(60_000, () => socket.destroy(new Error('No complete response within a minute')))
  // The server may respond and close before it has read everything. Then only the response matters.
  socket.on('error', () => {})
  socket.write(request)
  let received = Buffer.alloc(0)
  for await (const chunk of socket.iterator({ destroyOnReturn: true })) {
    received = Buffer.concat([received, chunk])
    const response = parse(received.toString(), request.toString().startsWith('HEAD '))
    if (response) return response
  }
  throw new Error(`The connection closed before the response was complete: ${JSON.stringify(received.toString())}`)
}

export type RequestParts = { method?: string; path?: string; headers?: Record<string, string>; body?: string }

/** A request as text. Adds only the host and the content length, and checks nothing. */
export function requestText({ method = 'GET', path = '/', headers = {}, body }: RequestParts): string {
  const length =
    body === undefined || 'transfer-encoding' in headers ? {} : { 'content-length': Buffer.byteLength(body) }
  const lines = Object.entries({ host: 'test', ...length, ...headers }).map(([name, value]) => `${name}: ${value}`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
}

function parse(text: string, headersOnly: boolean): WireResponse | null {
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
