import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

/** Writes .br and .gz next to every file, so the server never compresses anything itself. */
export function precompress(): Plugin {
  return {
    name: 'precompress',
    async writeBundle({ dir = '' }, bundle) {
      for (const name of Object.keys(bundle).filter((name) => name !== 'index.html')) {
        const path = join(dir, name)
        const plain = await readFile(path)
        const br = await promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })
        const gz = await promisify(gzip)(plain, { level: 9 })
        // Compression can make a small file larger.
        if (br.length < plain.length) await writeFile(`${path}.br`, br)
        if (gz.length < plain.length) await writeFile(`${path}.gz`, gz)
      }
    },
  }
}
