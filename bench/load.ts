import { connect, type Socket } from 'node:net'

export type Call = { method: 'GET' | 'POST'; path: string; body?: string }

export type Caller = (call: Call) => Promise<string>

// The limit is 120 requests per key and minute.
const requestsPerKey = 100

/**
 * Calls on its own keep-alive connection. Any response but a 2xx is an error. The load generator shares the machine with
 * what is measured, and an HTTP library would take a fifth of the CPU time, so this reads no more of a response than it
 * needs.
 */
export function openCaller(url: string, takeKey: () => string): Caller {
  const { host } = new URL(url)
  const send = openConnection(url)
  let key = ''
  let used = requestsPerKey
  return async ({ method, path, body }) => {
    if (used === requestsPerKey) {
      key = takeKey()
      used = 0
    }
    used++
    const headers = [`host: ${host}`, `x-service-api-key: ${key}`]
    if (body !== undefined) headers.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`)
    const { status, text } = await send(`${method} ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body ?? ''}`)
    if (status >= 200 && status <= 299) return text
    throw new Error(`${method} ${path} responded with ${status}: ${text}`)
  }
}

type Response = { status: number; text: string }

/** Sends one request after another. Every response must have a Content-Length. */
function openConnection(url: string): (request: string) => Promise<Response> {
  const { hostname, port } = new URL(url)
  let socket: Socket | null = null
  let answer = Promise.withResolvers<Response>()
  let received = ''

  function open(): Socket {
    const opened = connect({ host: hostname, port: Number(port), noDelay: true })
    // One character per byte, because Content-Length counts bytes.
    opened.setEncoding('latin1')
    opened.on('data', read)
    opened.on('error', (error) => answer.reject(error))
    // Servers close connections that were idle for some seconds.
    opened.on('close', () => {
      socket = null
      answer.reject(new Error('The server closed the connection'))
    })
    return opened
  }

  function read(part: string): void {
    received += part
    const bodyAt = received.indexOf('\r\n\r\n') + 4
    const length = /\r\ncontent-length: (\d+)/i.exec(received)?.[1]
    if (bodyAt < 4 || length === undefined || received.length < bodyAt + Number(length)) return
    const text = Buffer.from(received.slice(bodyAt), 'latin1').toString()
    const status = Number(received.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length))
    received = ''
    answer.resolve({ status, text })
  }

  return (request) => {
    answer = Promise.withResolvers()
    socket ??= open()
    socket.write(request)
    return answer.promise
  }
}

/** Each client sends its next request as soon as it has a response, until time is up. */
export async function requestsPerSecond(callers: Caller[], call: Call, milliseconds: number): Promise<number> {
  const start = performance.now()
  let answered = 0
  const calling = callers.map(async (caller) => {
    while (performance.now() < start + milliseconds) {
      await caller(call)
      answered++
    }
  })
  await Promise.all(calling)
  return (answered / (performance.now() - start)) * 1000
}
