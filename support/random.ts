import { createHash } from 'node:crypto'

/** Choices that are the same in every run with the same seed. */
export type Random = {
  /** An integer, both ends inclusive. */
  between(low: number, high: number): number
  chance(share: number): boolean
  pick<Item>(items: readonly Item[]): Item
  /** An independent sequence for one actor: its choices don't depend on how fast the others are. */
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
      if (item === undefined) throw new Error('Nothing to pick from')
      return item
    },
    branch: (name) => createRandom(`${seed}/${name}`),
  }
}
