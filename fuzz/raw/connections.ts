import { createRandom, type Random } from '../../support/random.ts'
import { type HostileBytes, hostileBytes, largeAnswer } from './bytes.ts'

/** How a client behaves that has these bytes to send. */
export type Manner =
  | { does: 'reads the answer' }
  | { does: 'sends in pieces'; pieceBytes: number }
  | { does: 'ends its side' }
  | { does: 'closes at once' }
  | { does: 'resets'; afterBytes: number; pauseMilliseconds: number }
  | { does: 'falls silent'; afterBytes: number; milliseconds: number; resets: boolean }
  | { does: 'sends slowly'; pieceBytes: number; everyMilliseconds: number; milliseconds: number }
  | { does: 'reads slowly'; everyMilliseconds: number; milliseconds: number }
  | { does: 'does not read'; milliseconds: number; resets: boolean }

export type HostileConnection = HostileBytes & {
  /** By which it can be had again; null for one of a crowd, which is nothing by itself. */
  index: number | null
  manner: Manner
}

const slow: ReadonlySet<Manner['does']> = new Set(['falls silent', 'sends slowly', 'reads slowly', 'does not read'])

/** Whether most of its time is waiting. */
export function isSlow({ manner }: HostileConnection): boolean {
  return slow.has(manner.does)
}

/** The connection with this number under this seed, whatever happened to those before it. */
export function hostileConnection(seed: number, index: number): HostileConnection {
  const random = createRandom(`${seed}/${index}`)
  if (random.chance(0.95)) {
    const sent = hostileBytes(random)
    return { ...sent, index, manner: quickManner(random, sent.bytes.length) }
  }
  const does = random.pick(['falls silent', 'sends slowly', 'reads slowly', 'does not read', 'does not read'] as const)
  const sent = does === 'falls silent' || does === 'sends slowly' ? hostileBytes(random) : largeAnswer(random)
  return { ...sent, index, manner: slowManner(random, does, sent.bytes.length) }
}

/** One of many that ask for something large at the same time and do not read it. */
export function idleReader(seed: number, index: number): HostileConnection {
  const random = createRandom(`${seed}/idle reader/${index}`)
  return {
    ...largeAnswer(random),
    index: null,
    manner: { does: 'does not read', milliseconds: 20_000, resets: random.chance(0.5) },
  }
}

function quickManner(random: Random, length: number): Manner {
  const choice = random.between(1, 100)
  if (choice <= 50) return { does: 'reads the answer' }
  if (choice <= 80)
    return { does: 'resets', afterBytes: random.between(0, length), pauseMilliseconds: random.pick([0, 0, 5, 20]) }
  if (choice <= 90) return { does: 'ends its side' }
  if (choice <= 95) return { does: 'closes at once' }
  // A large body in single bytes would take longer than the server waits.
  return { does: 'sends in pieces', pieceBytes: Math.max(random.between(1, 10), Math.ceil(length / 200)) }
}

function slowManner(random: Random, does: string, length: number): Manner {
  const milliseconds = random.between(500, 4_000)
  const resets = random.chance(0.5)
  switch (does) {
    case 'falls silent':
      return { does, afterBytes: random.between(0, length), milliseconds, resets }
    case 'sends slowly':
      return { does, pieceBytes: random.between(1, 20), everyMilliseconds: random.between(10, 200), milliseconds }
    case 'reads slowly':
      return { does, everyMilliseconds: random.between(10, 200), milliseconds }
    default:
      return { does: 'does not read', milliseconds, resets }
  }
}
