import { BLOCK_READERS, type ScanData } from './jpeg-blocks.ts'
import { type Fault, malformed } from './jpeg-fault.ts'

/**
 * Reads a scan's data code by code and returns the position of the marker after it. This decodes no pixels: it finds what
 * decoders silently accept, such as codes that no table has, coefficients past the last, and leftover bytes.
 */
export function readEntropyData(bytes: Uint8Array, start: number, scan: ScanData): number | Fault {
  const unstuffed = new Uint8Array(bytes.length - start + LARGEST_BLOCK_BYTES)
  const data = new DataView(unstuffed.buffer)
  const readBlocks = BLOCK_READERS[scan.coding]
  let at = start
  let unit = 0
  for (let interval = 0; ; interval += 1) {
    const part = unstuff(bytes, at, unstuffed)
    at = part.end
    if (at === bytes.length) return malformed('The file ends before the image does.')
    const units = Math.min(scan.unitsPerRestart, scan.units - unit)
    const bits = part.length * 8
    const bitsRead = readBlocks({ data, bits, scan, unit, units })
    if (bitsRead === null) return malformed(`The image data is corrupt before position ${at}.`)
    if (bits - bitsRead >= 8) return malformed(`There is too much image data before position ${at}.`)
    unit += units
    if (unit === scan.units) return at
    const marker = at
    while (bytes[at] === 0xff) at += 1
    if (bytes[at] !== FIRST_RESTART + (interval % 8)) {
      return malformed(`The restart marker at position ${marker} is missing.`)
    }
    at += 1
  }
}

const FIRST_RESTART = 0xd0

/** How far a reader may run past the end before it notices: 64 codes of at most 16 bits, each followed by at most 15 bits. */
const LARGEST_BLOCK_BYTES = 256

/** Copies data up to the next marker, without the zero byte after each FF. */
function unstuff(bytes: Uint8Array, start: number, unstuffed: Uint8Array): { length: number; end: number } {
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
