/** A server with the bug that BUG names, for hostile connections to find. Listens on PORT and prints `ready`. */
import { createServer } from 'node:http'

const { BUG, PORT } = process.env
const leaked: unknown[] = []

const server = createServer((request, response) => {
  if (request.url === '/healthz') return void response.end()
  if (BUG === 'blocks the loop') compute(150)
  if (BUG === 'leaks memory') leaked.push(Buffer.alloc(4_000_000, 'a'))
  response.writeHead(BUG === 'responds with 500' ? 500 : 200).end('fine')
})
// The first has no error listener, and nothing ends the second.
server.on('connect', (_request, socket) => socket.write('HTTP/1.1 200 OK\r\n\r\n'))
server.on('upgrade', (_request, socket) => socket.on('error', () => {}))
server.listen(Number(PORT), '127.0.0.1', () => console.log('ready'))

/** CPU time, because wall-clock time means little on a busy machine. */
function compute(milliseconds: number): void {
  const { user } = process.threadCpuUsage()
  while (process.threadCpuUsage().user - user < milliseconds * 1000) Math.sqrt(milliseconds)
}
