import { createRequire } from 'node:module'

/** Checks whether another build of libjpeg-turbo decodes every pixel of an image without an error or a warning. */
export async function createFullDecoder(): Promise<{ decodes(bytes: Uint8Array): Promise<boolean> }> {
  let codec = await createCodec({ print() {}, printErr() {} })
  return {
    async decodes(bytes) {
      try {
        const decoder = new codec.JPEGDecoder()
        decoder.getEncodedBuffer(bytes.length).set(bytes)
        decoder.decode()
        decoder.delete()
        return true
      } catch {
        codec = await createCodec({ print() {}, printErr() {} })
        return false
      }
    },
  }
}

type Codec = {
  JPEGDecoder: new () => { getEncodedBuffer(size: number): Uint8Array; decode(): void; delete(): void }
}

const require = createRequire(import.meta.url)
const createCodec: (options: object) => Promise<Codec> = require('@cornerstonejs/codec-libjpeg-turbo-8bit/decodewasmjs')
