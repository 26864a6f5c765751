/** A server with the fault that FAULT names, for hostile connections to find. It listens on PORT and says `ready`. */
import { createServer } from 'node:http'

const { FAULT, PORT } = process.env
const held: unknown[] = []

const server = createServer((request, response) => {
  if (request.url === '/healthz') return void response.end()
  if (FAULT === 'holds the loop') compute(150)
  if (FAULT === 'holds memory') held.push(Buffer.alloc(4_000_000, 'a'))
  response.writeHead(FAULT === 'answers 500' ? 500 : 200).end('fine')
})
// Nobody listens for errors of the first, or ends the second.
server.on('connect', (_request, socket) => socket.write('HTTP/1.1 200 OK\r\n\r\n'))
server.on('upgrade', (_request, socket) => socket.on('error', () => {}))
server.listen(Number(PORT), '127.0.0.1', () => console.log('ready'))

/** On a busy machine that takes longer than the clock says. */
function compute(milliseconds: number): void {
  const { user } = process.threadCpuUsage()
  while (process.threadCpuUsage().user - user < milliseconds * 1000) Math.sqrt(milliseconds)
}
