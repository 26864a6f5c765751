/**
 * Returns a copy of a WebAssembly module whose memory cannot grow past this many pages of 64 KiB. No option of the codec
 * and no limit on a thread guarantees that.
 */
export function withMemoryLimit(wasm: Uint8Array, pages: number): Uint8Array<ArrayBuffer> {
  let at = PREAMBLE_BYTES
  while (at < wasm.length) {
    const size = readNumber(wasm, at + 1)
    const end = size.end + size.value
    if (wasm[at] === MEMORY_SECTION) {
      const [memories, flags] = wasm.subarray(size.end)
      if (memories !== 1 || (flags !== 0 && flags !== HAS_MAXIMUM)) throw new Error('The module must have one memory.')
      const minimum = readNumber(wasm, size.end + 2).value
      const memory = [1, HAS_MAXIMUM, ...writeNumber(minimum), ...writeNumber(pages)]
      const section = [MEMORY_SECTION, memory.length, ...memory]
      return Uint8Array.from([...wasm.subarray(0, at), ...section, ...wasm.subarray(end)])
    }
    at = end
  }
  throw new Error('The module has no memory.')
}

const PREAMBLE_BYTES = 8
const MEMORY_SECTION = 5
const HAS_MAXIMUM = 1

/** LEB128: seven bits per byte, lowest first; the top bit means that another byte follows. */
function readNumber(module: Uint8Array, start: number): { value: number; end: number } {
  let value = 0
  let at = start
  for (let scale = 1; ; scale *= 128) {
    const byte = module[at]
    if (byte === undefined) throw new Error('The module is truncated.')
    value += (byte & 127) * scale
    at += 1
    if (byte < 128) return { value, end: at }
  }
}

function writeNumber(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...writeNumber(value >>> 7)]
}
