import { HUFFMAN_TABLES, RESTART_INTERVAL, SCAN, skipFill, split } from './jpeg.ts'

/**
 * Whether the data of a sequential single-scan image can be read to the last bit as the standard says. It works bit by bit
 * and without lookup tables, so that it is simple and doesn't share mistakes with the code it is compared with.
 */
export function readsToTheLastBit(jpeg: Uint8Array): boolean {
  const tables = new Map<number, Map<string, number>>()
  let restartInterval = 0
  let components: { sampling: [number, number] }[] = []
  let size: [number, number] = [0, 0]
  for (const { marker, body, data } of split(jpeg)) {
    const bytes = Buffer.from(body)
    if (marker === HUFFMAN_TABLES) readTables(bytes, tables)
    if (marker === RESTART_INTERVAL) restartInterval = bytes.readUInt16BE(0)
    if (marker === 0xc0 || marker === 0xc1) {
      size = [bytes.readUInt16BE(3), bytes.readUInt16BE(1)]
      components = Array.from({ length: bytes.readUInt8(5) }, (_, index) => {
        const sampling = bytes.readUInt8(7 + 3 * index)
        return { sampling: [sampling >> 4, sampling & 15] }
      })
    }
    if (marker !== SCAN || !data) continue
    const alone = components.length === 1
    const across = alone ? 1 : Math.max(...components.map(({ sampling }) => sampling[0]))
    const down = alone ? 1 : Math.max(...components.map(({ sampling }) => sampling[1]))
    const blocks = components.flatMap(({ sampling }, index) => {
      const chosen = bytes.readUInt8(2 + 2 * index)
      const pair = [tables.get(chosen >> 4), tables.get(16 + (chosen & 15))] as const
      return Array.from({ length: alone ? 1 : sampling[0] * sampling[1] }, () => pair)
    })
    let left = Math.ceil(size[0] / (8 * across)) * Math.ceil(size[1] / (8 * down))
    for (const interval of intervalsOf(data)) {
      const units = Math.min(left, restartInterval || left)
      if (units === 0 || !readInterval(interval, units, blocks)) return false
      left -= units
    }
    if (left > 0) return false
  }
  return true
}

function readTables(bytes: Buffer, tables: Map<number, Map<string, number>>): void {
  for (let at = 0; at < bytes.length; ) {
    const codes = new Map<string, number>()
    let symbol = at + 17
    let code = 0
    for (let length = 1; length <= 16; length += 1) {
      for (let count = bytes.readUInt8(at + length); count > 0; count -= 1) {
        codes.set(code.toString(2).padStart(length, '0'), bytes.readUInt8(symbol))
        code += 1
        symbol += 1
      }
      code *= 2
    }
    tables.set(bytes.readUInt8(at), codes)
    at = symbol
  }
}

/** The bits between restart markers. */
function intervalsOf(data: Uint8Array): string[] {
  const intervals = ['']
  for (let at = 0; at < data.length; at += 1) {
    const byte = data[at] ?? 0
    const escaped = byte === 0xff
    if (escaped) at = skipFill(data, at)
    if (escaped && data[at] !== 0) intervals.push('')
    else intervals.push((intervals.pop() ?? '') + byte.toString(2).padStart(8, '0'))
  }
  return intervals
}

type Codes = Map<string, number> | undefined

function readInterval(bits: string, units: number, blocks: (readonly [Codes, Codes])[]): boolean {
  let at = 0
  function symbol(codes: Codes): number {
    for (let length = 1; length <= 16; length += 1) {
      const found = codes?.get(bits.slice(at, at + length))
      if (found === undefined) continue
      at += length
      return found
    }
    return -1
  }
  for (let unit = 0; unit < units; unit += 1) {
    for (const [dc, ac] of blocks) {
      const size = symbol(dc)
      if (size < 0) return false
      at += size
      for (let index = 1; index <= 63; index += 1) {
        const next = symbol(ac)
        if (next < 0) return false
        if (next === 0) break
        if (next % 16 === 0 && next !== 0xf0) return false
        index += next >> 4
        if (index > 63) return false
        at += next & 15
      }
      if (at > bits.length) return false
    }
  }
  return bits.length - at < 8
}
