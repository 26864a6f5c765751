/**
 * Returns a copy of a WebAssembly module whose memory has exactly this many pages of 64 KiB, from the start and for good.
 * The module cannot use more, whatever it is fed. No option of its own and no limit on a thread ensures that.
 */
export function withFixedMemory(wasm: Uint8Array, pages: number): Uint8Array<ArrayBuffer> {
  const module = new Uint8Array(wasm)
  let at = PREAMBLE_BYTES
  while (at < module.length) {
    const section = module[at]
    const size = readNumber(module, at + 1)
    if (section === MEMORY_SECTION) {
      const [memories, flags] = module.subarray(size.end)
      if (memories !== 1 || flags !== HAS_MAXIMUM) throw new Error('The module must have one memory with a maximum.')
      const minimum = readNumber(module, size.end + 2)
      const maximum = readNumber(module, minimum.end)
      writeNumber(module, size.end + 2, minimum.end, pages)
      writeNumber(module, minimum.end, maximum.end, pages)
      return module
    }
    at = size.end + size.value
  }
  throw new Error('The module has no memory.')
}

const PREAMBLE_BYTES = 8
const MEMORY_SECTION = 5
const HAS_MAXIMUM = 1

/** Numbers in a module are stored seven bits to a byte, lowest first; the top bit says that another byte follows. */
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

/** Keeps the number of bytes so that nothing after them moves. */
function writeNumber(module: Uint8Array, start: number, end: number, value: number): void {
  let rest = value
  for (let at = start; at < end; at += 1) {
    module[at] = (rest & 127) | (at < end - 1 ? 128 : 0)
    rest >>>= 7
  }
  if (rest !== 0) throw new Error('The module has no room for such a large memory size.')
}
