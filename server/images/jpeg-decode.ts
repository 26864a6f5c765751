import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { MAXIMUM_DECODER_MEMORY } from './jpeg-cost.ts'
import { withFixedMemory } from './wasm-memory.ts'

export type DecodeOutcome = 'decoded' | 'undecodable' | 'out of memory'

export type JpegDecoder = { decode(bytes: Uint8Array): Promise<DecodeOutcome> }

/** Treats every warning of libjpeg-turbo as an error, and cannot use more memory than the contract allows. */
export async function createJpegDecoder(): Promise<JpegDecoder> {
  let warm: Instance | null = await createInstance()

  async function decode(bytes: Uint8Array): Promise<DecodeOutcome> {
    const reused = warm !== null
    const instance = warm ?? (await createInstance())
    const outcome = attempt(instance, bytes)
    // After an error the instance's memory may be corrupt, and what it allocated is never freed.
    warm = outcome === 'decoded' ? instance : null
    // Used memory may be fragmented. The verdict must not depend on earlier images.
    return outcome === 'out of memory' && reused ? decode(bytes) : outcome
  }

  return { decode }
}

type Instance = { codec: Codec; memory: { exhausted: boolean } }

/** The part of the package used here. */
type Codec = {
  JPEGDecoder: new () => { getEncodedBuffer(size: number): Uint8Array; decode(): void; delete(): void }
}

type CreateCodec = (options: {
  print(): void
  printErr(): void
  instantiateWasm(imports: object, received: (instance: { exports: object }) => object): object
}) => Promise<Codec>

// Missing from Node's types.
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: object) => { exports: object }
  Memory: new () => { grow(pages: number): number }
}

const require = createRequire(import.meta.url)
const createCodec: CreateCodec = require('@cornerstonejs/codec-libjpeg-turbo-8bit/decodewasmjs')
const wasm = readFileSync(require.resolve('@cornerstonejs/codec-libjpeg-turbo-8bit/decodewasm'))
const module = new WebAssembly.Module(withFixedMemory(wasm, MAXIMUM_DECODER_MEMORY / 65_536))

async function createInstance(): Promise<Instance> {
  const memory = { exhausted: false }
  const codec = await createCodec({
    print() {},
    printErr() {},
    instantiateWasm(imports, received) {
      const instance = new WebAssembly.Instance(module, imports)
      for (const exported of Object.values(instance.exports)) {
        if (!(exported instanceof WebAssembly.Memory)) continue
        // The codec does not say why it failed. It only tries to grow its memory when that is used up.
        exported.grow = () => {
          memory.exhausted = true
          throw new RangeError('The decoder has used up its memory.')
        }
      }
      return received(instance)
    },
  })
  return { codec, memory }
}

function attempt(instance: Instance, bytes: Uint8Array): DecodeOutcome {
  try {
    const decoder = new instance.codec.JPEGDecoder()
    decoder.getEncodedBuffer(bytes.length).set(bytes)
    decoder.decode()
    decoder.delete()
    return 'decoded'
  } catch {
    return instance.memory.exhausted ? 'out of memory' : 'undecodable'
  }
}
