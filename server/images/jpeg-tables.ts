import { type Fault, malformed } from './jpeg-fault.ts'
import { codesFit, type HuffmanTable } from './jpeg-huffman.ts'

export type KnownTables = {
  quantizationTables: Set<number>
  dcTables: Map<number, HuffmanTable>
  acTables: Map<number, HuffmanTable>
}

export function readQuantizationTables(segment: Uint8Array, known: KnownTables): Fault | null {
  if (segment.length === 0) return malformed('A segment of quantization tables is empty.')
  let at = 0
  while (at < segment.length) {
    const head = segment[at] ?? 0
    const bytesPerValue = (head >> 4) + 1
    const table = head & 15
    at += 1
    if (bytesPerValue > 2 || table > 3) return malformed('A quantization table has an invalid number or precision.')
    if (at + 64 * bytesPerValue > segment.length) return malformed('A quantization table is cut short.')
    for (const end = at + 64 * bytesPerValue; at < end; at += bytesPerValue) {
      const zero = segment[at] === 0 && (bytesPerValue === 1 || segment[at + 1] === 0)
      if (zero) return malformed('A quantization table contains a zero.')
    }
    known.quantizationTables.add(table)
  }
  return null
}

export function readHuffmanTables(segment: Uint8Array, known: KnownTables): Fault | null {
  if (segment.length === 0) return malformed('A segment of Huffman tables is empty.')
  let at = 0
  while (at < segment.length) {
    const head = segment[at] ?? 0
    const codeClass = head >> 4
    const table = head & 15
    if (codeClass > 1 || table > 3) return malformed('A Huffman table has an invalid number or class.')
    const counts = segment.subarray(at + 1, at + 17)
    const symbolCount = counts.reduce((sum, count) => sum + count, 0)
    const symbols = segment.subarray(at + 17, at + 17 + symbolCount)
    if (counts.length < 16 || symbols.length < symbolCount) return malformed('A Huffman table is cut short.')
    if (symbolCount === 0 || symbolCount > 256 || !codesFit(counts)) {
      return malformed('A Huffman table contains impossible codes.')
    }
    if (codeClass === 0 && symbols.some((symbol) => symbol > 15)) {
      return malformed('A Huffman table contains an impossible symbol.')
    }
    const tables = codeClass === 0 ? known.dcTables : known.acTables
    tables.set(table, { counts, symbols, lookup: null })
    at += 17 + symbolCount
  }
  return null
}
