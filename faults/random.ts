import { createHash } from 'node:crypto'

/** Choices that are the same in every run with the same seed. */
export type Random = {
  /** A whole number, both ends included. */
  between(low: number, high: number): number
  chance(share: number): boolean
  pick<Item>(items: readonly Item[]): Item
  /** A sequence for an actor of its own: however fast the others are, its choices stay the same. */
  branch(name: string): Random
}

export function createRandom(seed: string): Random {
  let drawn = 0
  const next = () => createHash('sha256').update(`${seed}#${drawn++}`).digest().readUIntBE(0, 6) / 2 ** 48
  return {
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    chance: (share) => next() < share,
    pick(items) {
      const item = items[Math.floor(next() * items.length)]
      if (item === undefined) throw new Error('There is nothing to choose from')
      return item
    },
    branch: (name) => createRandom(`${seed}/${name}`),
  }
}
