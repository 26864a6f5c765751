/** The coefficients a scan carries: `first` to `last`, down to `bit`; earlier scans have sent them down to `previousBit`. */
export type Band = { first: number; last: number; previousBit: number; bit: number }

// Zero takes one bit, everything else five or more (DC) and nine or more (AC).
export const DC_COUNTS = [1, 0, 0, 0, 14, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
export const AC_COUNTS = [1, 0, 0, 0, 0, 0, 0, 0, 254, 1, 0, 0, 0, 0, 0, 0]

export type BitWriter = ReturnType<typeof createBitWriter>

export function createBitWriter() {
  const bytes: number[] = []
  let pending = 0
  let pendingBits = 0

  function put(bits: number, length: number): void {
    for (let bit = length - 1; bit >= 0; bit -= 1) {
      pending = (pending << 1) | ((bits >> bit) & 1)
      pendingBits += 1
      if (pendingBits < 8) continue
      bytes.push(pending)
      if (pending === 0xff) bytes.push(0)
      pending = 0
      pendingBits = 0
    }
  }

  function align(): void {
    while (pendingBits > 0) put(1, 1)
  }

  return {
    put,
    code: ([bits, length]: [number, number]) => put(bits, length),
    restart(number: number): void {
      align()
      bytes.push(0xff, 0xd0 + (number % 8))
    },
    finish(): Buffer {
      align()
      return Buffer.from(bytes)
    },
  }
}

export function writeSequentialBlock(writer: BitWriter, block: Int16Array, _scan: unknown, prediction: number): number {
  const [dc = 0, ...ac] = block
  const next = writeDifference(writer, dc, prediction)
  writeRuns(writer, ac)
  return next
}

export function writeDcBits(writer: BitWriter, block: Int16Array, scan: Band, prediction: number): number {
  const value = (block[0] ?? 0) >> scan.bit
  if (scan.previousBit === 0) return writeDifference(writer, value, prediction)
  writer.put(value & 1, 1)
  return 0
}

export function writeAcBand(writer: BitWriter, block: Int16Array, scan: Band): number {
  const shifted = [...block.subarray(scan.first, scan.last + 1)].map((value) => Math.trunc(value / (1 << scan.bit)))
  if (scan.previousBit === 0) writeRuns(writer, shifted)
  else writeRefinement(writer, shifted)
  return 0
}

/** A run of empty blocks in a progressive scan, up to 32,767 at a time. */
export function writeEmptyBlocks(writer: BitWriter, count: number): void {
  for (let left = count; left > 0; ) {
    const size = Math.min(14, 31 - Math.clz32(left))
    const run = Math.min(left, 2 ** (size + 1) - 1)
    writer.code(acCode(size << 4))
    writer.put(run - 2 ** size, size)
    left -= run
  }
}

/** A number as its bit count and its bits. A negative number is written as one less. */
function magnitude(value: number): { size: number; bits: number } {
  const size = 32 - Math.clz32(Math.abs(value))
  return { size, bits: value < 0 ? value + (1 << size) - 1 : value }
}

function writeDifference(writer: BitWriter, value: number, prediction: number): number {
  const { size, bits } = magnitude(value - prediction)
  writer.code(dcCode(size))
  writer.put(bits, size)
  return value
}

function writeRuns(writer: BitWriter, values: number[]): void {
  let run = 0
  for (const value of values) {
    if (value === 0) {
      run += 1
      continue
    }
    for (; run > 15; run -= 16) writer.code(acCode(0xf0))
    const { size, bits } = magnitude(value)
    writer.code(acCode((run << 4) | size))
    writer.put(bits, size)
    run = 0
  }
  if (run > 0) writer.code(acCode(0))
}

/** New coefficients are coded as runs over those still zero. The next bits of known coefficients follow each code. */
function writeRefinement(writer: BitWriter, values: number[]): void {
  const lastNew = values.findLastIndex((value) => Math.abs(value) === 1)
  let run = 0
  let corrections: number[] = []
  function flush(): void {
    for (const bit of corrections) writer.put(bit, 1)
    corrections = []
  }
  for (const [index, value] of values.entries()) {
    if (value === 0) {
      run += 1
      continue
    }
    while (run > 15 && index <= lastNew) {
      writer.code(acCode(0xf0))
      flush()
      run -= 16
    }
    if (Math.abs(value) > 1) {
      corrections.push(Math.abs(value) & 1)
      continue
    }
    writer.code(acCode((run << 4) | 1))
    writer.put(value > 0 ? 1 : 0, 1)
    flush()
    run = 0
  }
  if (run > 0 || corrections.length > 0) {
    writer.code(acCode(0))
    flush()
  }
}

function dcCode(symbol: number): [bits: number, length: number] {
  if (symbol === 0) return [0, 1]
  return symbol <= 14 ? [15 + symbol, 5] : [60, 6]
}

function acCode(symbol: number): [bits: number, length: number] {
  if (symbol === 0) return [0, 1]
  return symbol <= 254 ? [255 + symbol, 9] : [1020, 10]
}
