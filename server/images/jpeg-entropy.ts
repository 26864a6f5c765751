import { BLOCK_READERS, type ScanData } from './jpeg-blocks.ts'
import { type Fault, malformed } from './jpeg-fault.ts'

/**
 * Reads a scan's data code by code and returns the position of the marker after it. It decodes no pixels, but finds what
 * decoders silently accept: codes that are in no table, coefficients past the last one, leftover bytes.
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

/** How far a reader may run past the end before it notices: 64 codes of up to 16 bits, each followed by up to 15 bits. */
const LARGEST_BLOCK_BYTES = 256

/** Copies data up to the next marker, without the zero byte after each FF. */
function unstuff(bytes: Uint8Array, start: number, unstuffed: Uint8Array): { length: number; end: number } {
  // Several times faster than a loop over the bytes.
  const searched = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  let at = start
  let length = 0
  for (;;) {
    const found = searched.indexOf(0xff, at)
    const stuffed = found !== -1 && bytes[found + 1] === 0
    const end = found === -1 ? bytes.length : stuffed ? found + 1 : found
    unstuffed.set(bytes.subarray(at, end), length)
    length += end - at
    if (!stuffed) return { length, end }
    at = end + 1
  }
}
