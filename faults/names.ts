import { type NameAnswer, startNameServer } from '../support/name-server.ts'
import { type Receiver as Stranger, startReceiver } from '../support/receiver.ts'
import { selfSigned } from '../support/tls.ts'

export const lies = [
  'does not exist',
  'cannot be looked up',
  'gets no response',
  'has a private address',
  'also has a private address',
  'is an alias for a metadata service',
  'resolves to a forbidden machine',
  'resolves to a stranger',
  'changes with each query',
] as const
export type Lie = (typeof lies)[number]

export type Names = {
  /** For the servers' resolvers. */
  address: string
  lie(lie: Lie | null): void
  /** Connections and requests to machines that nothing may reach. */
  leaks(): string[]
  close(): Promise<void>
}

export const stranger = '127.0.0.67'
const forbidden = '127.0.0.66'

/**
 * A name server that returns 127.0.0.1 for every name, and can lie about one of them. Two of its lies point to real
 * listeners: on an address the service may not connect to, and on one with a certificate for another name.
 */
export async function startNames({ misnamed, port }: { misnamed: string; port: number }): Promise<Names> {
  // Only Linux has more loopback addresses than 127.0.0.1.
  const traps = process.platform === 'linux'
  const [guarded, other] = traps ? await Promise.all([trap(forbidden, port), trap(stranger, port)]) : []
  let current: Lie | null = null
  let queries = 0
  const honest: NameAnswer = [{ type: 'A', address: '127.0.0.1' }]

  const server = await startNameServer((type, name) => {
    if (type === 'AAAA') return []
    return name === misnamed && current !== null ? responseFor(current, queries++) : honest
  })
  return {
    address: server.address,
    lie(lie) {
      current = lie
    },
    leaks: () => [
      ...(guarded && guarded.connections() > 0 ? [`${guarded.connections()} connections to a forbidden address`] : []),
      ...(other && other.requests.length > 0 ? [`${other.requests.length} events to a stranger`] : []),
    ],
    async close() {
      await Promise.all([server.close(), guarded?.close(), other?.close()])
    },
  }
}

function trap(host: string, port: number): Promise<Stranger> {
  return startReceiver({ host, port, certificate: selfSigned({ names: ['stranger.test'] }) })
}

function responseFor(lie: Lie, query: number): NameAnswer {
  const at = (...addresses: string[]): NameAnswer => addresses.map((address) => ({ type: 'A', address }))
  switch (lie) {
    case 'does not exist':
      return 'NXDOMAIN'
    case 'cannot be looked up':
      return 'SERVFAIL'
    case 'gets no response':
      return 'silence'
    case 'has a private address':
      return at('10.0.0.7')
    case 'also has a private address':
      return at('127.0.0.1', '10.0.0.7')
    case 'is an alias for a metadata service':
      return [
        { type: 'CNAME', target: 'metadata.test' },
        { type: 'A', address: '169.254.169.254' },
      ]
    case 'resolves to a forbidden machine':
      return at(forbidden)
    case 'resolves to a stranger':
      return at(stranger)
    case 'changes with each query':
      return at(query % 2 === 0 ? '127.0.0.1' : forbidden)
  }
}
