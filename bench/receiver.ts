/** A TLS receiver in a process of its own: reads each event, answers 200, and tells how many came and when. */
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createAuthority } from '../test/support/tls.ts'

const authority = createAuthority()
const { cert, key } = authority.issue({ names: ['localhost'] })
const arrivals: number[] = []

const server = createServer({ cert, key }, (request, response) => {
  request.resume()
  request.on('end', () => {
    arrivals.push(performance.timeOrigin + performance.now())
    response.end()
  })
})

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.send?.({ ready: { url: `https://localhost:${port}/events`, ca: authority.ca } })
})

process.on('message', (message) => {
  if (message === 'reset') arrivals.length = 0
  process.send?.(message === 'times' ? arrivals : arrivals.length)
})
process.on('disconnect', () => process.exit())
