/** A Huffman table as the file defines it: how many codes have each length from 1 to 16, and their symbols. */
export type HuffmanTable = { counts: Uint8Array; symbols: Uint8Array; lookup: HuffmanLookup | null }

/**
 * An entry is a symbol and, from bit 8 up, the number of bits it takes: those of its code plus those of the number after
 * it, whose length is the symbol's lower half.
 */
export type HuffmanLookup = {
  /** Indexed by the next ten bits: the entry of the code they start with, or 0 if there is none or it is longer. */
  short: Uint16Array
  /** For longer codes, by length: the first code, and the index of its entry. */
  firstCodes: Int32Array
  firstEntries: Int32Array
  counts: Uint8Array
  entries: Uint16Array
}

const SHORT_BITS = 10

/** Codes are assigned in order, shortest first. They must fit into their lengths, and none may be all ones. */
export function codesFit(counts: Uint8Array): boolean {
  let code = 0
  for (const [index, count] of counts.entries()) {
    code += count
    if (count > 0 && code >= 1 << (index + 1)) return false
    code <<= 1
  }
  return true
}

/** Built on demand, because a file may define thousands of tables and use none. */
export function lookupOf(table: HuffmanTable): HuffmanLookup {
  table.lookup ??= createLookup(table)
  return table.lookup
}

function createLookup({ counts, symbols }: HuffmanTable): HuffmanLookup {
  const short = new Uint16Array(1 << SHORT_BITS)
  const entries = new Uint16Array(symbols.length)
  const firstCodes = new Int32Array(17)
  const firstEntries = new Int32Array(17)
  let code = 0
  let index = 0
  for (let length = 1; length <= 16; length += 1) {
    firstCodes[length] = code
    firstEntries[length] = index
    for (let left = counts[length - 1] ?? 0; left > 0; left -= 1) {
      const symbol = symbols[index] ?? 0
      const entry = ((length + (symbol & 15)) << 8) | symbol
      entries[index] = entry
      const spare = SHORT_BITS - length
      if (spare >= 0) short.fill(entry, code << spare, (code + 1) << spare)
      code += 1
      index += 1
    }
    code <<= 1
  }
  return { short, firstCodes, firstEntries, counts, entries }
}

/** The entry of the code at this bit position, or 0 if the table has no such code. */
export function entryAt(table: HuffmanLookup, data: DataView, position: number): number {
  const window = windowAt(data, position)
  const entry = table.short[window >>> (16 - SHORT_BITS)] ?? 0
  return entry === 0 ? longEntry(table, window) : entry
}

/** The 16 bits at this position. */
export function windowAt(data: DataView, position: number): number {
  return (data.getUint32(position >>> 3) << (position & 7)) >>> 16
}

function longEntry(table: HuffmanLookup, window: number): number {
  for (let length = SHORT_BITS + 1; length <= 16; length += 1) {
    const offset = (window >>> (16 - length)) - (table.firstCodes[length] ?? 0)
    if (offset < (table.counts[length - 1] ?? 0)) return table.entries[(table.firstEntries[length] ?? 0) + offset] ?? 0
  }
  return 0
}
