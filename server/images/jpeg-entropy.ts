import { BLOCK_READERS } from './jpeg-blocks.ts'
import { type Fault, malformed } from './jpeg-fault.ts'
import type { HuffmanLookup } from './jpeg-huffman.ts'

/** What a scan's data has to hold. Each unit is one block or a few in a row, each read with the tables of its component. */
export type ScanData = {
  units: number
  unitsPerRestart: number
  tables: { dc: HuffmanLookup | null; ac: HuffmanLookup | null }[]
  /** Whether the blocks come as a whole or in progressive steps, and which step it is. */
  coding: 'whole' | 'dc' | 'dc refinement' | 'ac' | 'ac refinement'
  first: number
  last: number
  nonzero: Uint32Array
}

/**
 * Reads a scan's data code by code and gives the position of the marker behind it. No pixel is made of it: this is about
 * what decoders let pass without a word, such as codes that no table has, coefficients past the last, and bytes left over.
 */
export function passEntropyData(bytes: Uint8Array, start: number, scan: ScanData): number | Fault {
  const unstuffed = new Uint8Array(bytes.length - start + LARGEST_BLOCK_BYTES)
  const data = new DataView(unstuffed.buffer)
  const readBlocks = BLOCK_READERS[scan.coding]
  let at = start
  let unit = 0
  for (let interval = 0; ; interval += 1) {
    const part = takeUnstuffed(bytes, at, unstuffed)
    at = part.end
    if (at === bytes.length) return malformed('The file ends before the image does.')
    const units = Math.min(scan.unitsPerRestart, scan.units - unit)
    const bits = part.length * 8
    const bitsRead = readBlocks({ data, bits, scan, unit, units })
    if (bitsRead === null) return malformed(`The image data is corrupt before position ${at}.`)
    if (bits - bitsRead >= 8) return malformed(`There is more image data than belongs there before position ${at}.`)
    unit += units
    if (unit === scan.units) return at
    const marker = at
    while (bytes[at] === 0xff) at += 1
    if (bytes[at] !== FIRST_RESTART + (interval % 8)) {
      return malformed(`The restart marker due at position ${marker} is not there.`)
    }
    at += 1
  }
}

const FIRST_RESTART = 0xd0

/** Room to read past the end before it is noticed: 64 codes of at most 16 bits, each with at most 15 bits behind it. */
const LARGEST_BLOCK_BYTES = 256

/** Copies data up to the next marker, without the zero byte behind each FF. */
function takeUnstuffed(bytes: Uint8Array, start: number, unstuffed: Uint8Array): { length: number; end: number } {
  let at = start
  let length = 0
  for (; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte === 0xff) {
      if (bytes[at + 1] !== 0) break
      at += 1
    }
    unstuffed[length] = byte
    length += 1
  }
  return { length, end: at }
}
