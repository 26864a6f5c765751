import { type NameAnswer, startNameServer } from '../support/name-server.ts'
import { type Receiver as Stranger, startReceiver } from '../support/receiver.ts'
import { selfSigned } from '../support/tls.ts'

export const lies = [
  'does not exist',
  'cannot be looked up',
  'is not answered for',
  'has a private address',
  'has a private address, too',
  'is an alias of a metadata service',
  'leads to a forbidden machine',
  'leads to a stranger',
  'changes its mind with each question',
] as const
export type Lie = (typeof lies)[number]

export type Names = {
  /** For the resolver of the servers. */
  address: string
  lie(lie: Lie | null): void
  /** What reached machines that nothing may reach. */
  leaks(): string[]
  close(): Promise<void>
}

export const stranger = '127.0.0.67'
const forbidden = '127.0.0.66'

/**
 * A name server that says 127.0.0.1 for every name, and lies about one of them when told to. Behind two of its lies
 * somebody listens: on an address that the service may not reach at all, and on one where another certificate is shown.
 */
export async function startNames({ misnamed, port }: { misnamed: string; port: number }): Promise<Names> {
  // Elsewhere than on Linux, 127.0.0.1 is the only address of its kind.
  const traps = process.platform === 'linux'
  const [guarded, other] = traps ? await Promise.all([trap(forbidden, port), trap(stranger, port)]) : []
  let current: Lie | null = null
  let questions = 0
  const honest: NameAnswer = [{ type: 'A', address: '127.0.0.1' }]

  const server = await startNameServer((type, name) => {
    if (type === 'AAAA') return []
    return name === misnamed && current !== null ? answerOf(current, questions++) : honest
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

function answerOf(lie: Lie, question: number): NameAnswer {
  const at = (...addresses: string[]): NameAnswer => addresses.map((address) => ({ type: 'A', address }))
  switch (lie) {
    case 'does not exist':
      return 'NXDOMAIN'
    case 'cannot be looked up':
      return 'SERVFAIL'
    case 'is not answered for':
      return 'silence'
    case 'has a private address':
      return at('10.0.0.7')
    case 'has a private address, too':
      return at('127.0.0.1', '10.0.0.7')
    case 'is an alias of a metadata service':
      return [
        { type: 'CNAME', target: 'metadata.test' },
        { type: 'A', address: '169.254.169.254' },
      ]
    case 'leads to a forbidden machine':
      return at(forbidden)
    case 'leads to a stranger':
      return at(stranger)
    case 'changes its mind with each question':
      return at(question % 2 === 0 ? '127.0.0.1' : forbidden)
  }
}
