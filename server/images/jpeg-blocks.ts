import { entryAt, type HuffmanLookup, windowAt } from './jpeg-huffman.ts'

/** What a scan's data must contain. A unit is one or more blocks, each read with the tables of its component. */
export type ScanData = {
  units: number
  unitsPerRestart: number
  tables: { dc: HuffmanLookup | null; ac: HuffmanLookup | null }[]
  /** Whole blocks, or a step of a progressive image. */
  coding: 'whole' | 'dc' | 'dc refinement' | 'ac' | 'ac refinement'
  first: number
  last: number
  nonzero: Uint32Array
}

/** The blocks between two restarts: `units` of them starting at `unit`, in `bits` of data. */
type Interval = { data: DataView; bits: number; scan: ScanData; unit: number; units: number }

/** Each reads the blocks of an interval and returns how many bits they take, or null if they are corrupt. */
export const BLOCK_READERS: Record<ScanData['coding'], (interval: Interval) => number | null> = {
  whole: readWholeBlocks,
  dc: readDc,
  'dc refinement': readDcRefinement,
  ac: readAc,
  'ac refinement': readAcRefinement,
}

const SIXTEEN_ZEROS = 0xf0

function readWholeBlocks({ data, bits, scan, units }: Interval): number | null {
  let position = 0
  for (let left = units; left > 0; left -= 1) {
    for (const { dc, ac } of scan.tables) {
      if (dc === null || ac === null) return null
      const difference = entryAt(dc, data, position)
      if (difference === 0) return null
      position += difference >>> 8
      for (let index = 1; index < 64; index += 1) {
        const entry = entryAt(ac, data, position)
        if (entry === 0) return null
        position += entry >>> 8
        const symbol = entry & 255
        if (symbol === 0) break
        index += symbol >>> 4
        if (index > 63 || ((symbol & 15) === 0 && symbol !== SIXTEEN_ZEROS)) return null
      }
      if (position > bits) return null
    }
  }
  return position
}

function readDc({ data, bits, scan, units }: Interval): number | null {
  let position = 0
  for (let left = units; left > 0; left -= 1) {
    for (const { dc } of scan.tables) {
      const entry = dc === null ? 0 : entryAt(dc, data, position)
      if (entry === 0) return null
      position += entry >>> 8
      if (position > bits) return null
    }
  }
  return position
}

function readDcRefinement({ bits, scan, units }: Interval): number | null {
  const position = units * scan.tables.length
  return position > bits ? null : position
}

function readAc({ data, bits, scan, unit, units }: Interval): number | null {
  const { first, last, nonzero } = scan
  const ac = scan.tables[0]?.ac
  if (!ac) return null
  let position = 0
  let emptyBlocks = 0
  for (let block = unit; block < unit + units; block += 1) {
    if (emptyBlocks > 0) {
      emptyBlocks -= 1
      continue
    }
    for (let index = first; index <= last; index += 1) {
      const entry = entryAt(ac, data, position)
      if (entry === 0) return null
      position += entry >>> 8
      const run = (entry & 255) >>> 4
      const size = entry & 15
      if (size === 0 && run < 15) {
        emptyBlocks = (1 << run) - 1 + (windowAt(data, position) >>> (16 - run))
        position += run
        break
      }
      index += run
      if (index > last) return null
      if (size > 0) {
        const word = 2 * block + (index >>> 5)
        nonzero[word] = (nonzero[word] ?? 0) | (1 << (index & 31))
      }
    }
    if (position > bits) return null
  }
  return emptyBlocks > 0 ? null : position
}

/** Each coefficient that is already nonzero takes one more bit; runs count only those that are still zero. */
function readAcRefinement({ data, bits, scan, unit, units }: Interval): number | null {
  const { first, last, nonzero } = scan
  const ac = scan.tables[0]?.ac
  if (!ac) return null
  let position = 0
  let emptyBlocks = 0
  for (let block = unit; block < unit + units; block += 1) {
    let lower = nonzero[2 * block] ?? 0
    let upper = nonzero[2 * block + 1] ?? 0
    let index = first
    while (index <= last && emptyBlocks === 0) {
      const entry = entryAt(ac, data, position)
      if (entry === 0) return null
      position += entry >>> 8
      const size = entry & 15
      let zeros = (entry & 255) >>> 4
      if (size > 1) return null
      if (size === 0 && zeros < 15) {
        emptyBlocks = (1 << zeros) + (windowAt(data, position) >>> (16 - zeros))
        position += zeros
        break
      }
      for (; index <= last; index += 1) {
        if (((index < 32 ? lower : upper) >>> (index & 31)) & 1) position += 1
        else if (zeros === 0) break
        else zeros -= 1
      }
      if (index > last) return null
      if (index < 32) lower |= size << index
      else upper |= size << (index & 31)
      index += 1
    }
    nonzero[2 * block] = lower
    nonzero[2 * block + 1] = upper
    if (emptyBlocks > 0) {
      position += countOnes(lower & wordMask(index, last)) + countOnes(upper & wordMask(index - 32, last - 32))
      emptyBlocks -= 1
    }
    if (position > bits) return null
  }
  return emptyBlocks > 0 ? null : position
}

/** The bits from `first` to `last` that fall into a word of 32. */
function wordMask(first: number, last: number): number {
  if (first > 31 || last < 0 || first > last) return 0
  return (-1 << Math.max(first, 0)) & (-1 >>> (31 - Math.min(last, 31)))
}

function countOnes(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
