import { createRandom, type Random } from '../../support/random.ts'
import { type HostileBytes, hostileBytes, largeResponse } from './bytes.ts'

/** How a client sends its bytes and treats the response. */
export type Behavior =
  | { kind: 'reads the response' }
  | { kind: 'sends in pieces'; pieceBytes: number }
  | { kind: 'ends its side' }
  | { kind: 'closes at once' }
  | { kind: 'resets'; afterBytes: number; pauseMilliseconds: number }
  | { kind: 'falls silent'; afterBytes: number; milliseconds: number; resets: boolean }
  | { kind: 'sends slowly'; pieceBytes: number; everyMilliseconds: number; milliseconds: number }
  | { kind: 'reads slowly'; everyMilliseconds: number; milliseconds: number }
  | { kind: 'does not read'; milliseconds: number; resets: boolean }

export type HostileConnection = HostileBytes & {
  /** Reproduces it with the same seed. Null for one of a crowd, which means nothing on its own. */
  index: number | null
  behavior: Behavior
}

const slow: ReadonlySet<Behavior['kind']> = new Set(['falls silent', 'sends slowly', 'reads slowly', 'does not read'])

/** Whether it spends most of its time waiting. */
export function isSlow({ behavior }: HostileConnection): boolean {
  return slow.has(behavior.kind)
}

/** The connection with this number and seed, independent of those before it. */
export function hostileConnection(seed: number, index: number): HostileConnection {
  const random = createRandom(`${seed}/${index}`)
  if (random.chance(0.95)) {
    const sent = hostileBytes(random)
    return { ...sent, index, behavior: quickBehavior(random, sent.bytes.length) }
  }
  const kind = random.pick(['falls silent', 'sends slowly', 'reads slowly', 'does not read', 'does not read'] as const)
  const sent = kind === 'falls silent' || kind === 'sends slowly' ? hostileBytes(random) : largeResponse(random)
  return { ...sent, index, behavior: slowBehavior(random, kind, sent.bytes.length) }
}

/** One of many that request something large at once and don't read it. */
export function idleReader(seed: number, index: number): HostileConnection {
  const random = createRandom(`${seed}/idle reader/${index}`)
  return {
    ...largeResponse(random),
    index: null,
    behavior: { kind: 'does not read', milliseconds: 20_000, resets: random.chance(0.5) },
  }
}

function quickBehavior(random: Random, length: number): Behavior {
  const choice = random.between(1, 100)
  if (choice <= 50) return { kind: 'reads the response' }
  if (choice <= 80)
    return { kind: 'resets', afterBytes: random.between(0, length), pauseMilliseconds: random.pick([0, 0, 5, 20]) }
  if (choice <= 90) return { kind: 'ends its side' }
  if (choice <= 95) return { kind: 'closes at once' }
  // A large body in single bytes would exceed the server's timeout.
  return { kind: 'sends in pieces', pieceBytes: Math.max(random.between(1, 10), Math.ceil(length / 200)) }
}

function slowBehavior(random: Random, kind: string, length: number): Behavior {
  const milliseconds = random.between(500, 4_000)
  const resets = random.chance(0.5)
  switch (kind) {
    case 'falls silent':
      return { kind, afterBytes: random.between(0, length), milliseconds, resets }
    case 'sends slowly':
      return { kind, pieceBytes: random.between(1, 20), everyMilliseconds: random.between(10, 200), milliseconds }
    case 'reads slowly':
      return { kind, everyMilliseconds: random.between(10, 200), milliseconds }
    default:
      return { kind: 'does not read', milliseconds, resets }
  }
}
