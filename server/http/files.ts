import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'

const encodings = ['br', 'gzip'] as const
type Encoding = (typeof encodings)[number]

export type File = {
  type: string
  etag: string
  identity: Buffer
  /** The same content, compressed at build time. */
  compressed: Partial<Record<Encoding, Buffer>>
}

/**
 * The built files of one folder, each read once. A thousand slow readers then share one buffer instead of holding a
 * thousand open files.
 */
export function createFiles(folder: URL): { find(name: string): Promise<File | null> } {
  const files = new Map<string, Promise<File | null>>()
  return {
    async find(name) {
      if (!/^[\w-][\w.-]{0,127}$/.test(name)) return null
      const found = files.get(name) ?? load(folder, name)
      files.set(name, found)
      // A file that is missing or unreadable now may be there later.
      const file = await found.catch((error) => {
        files.delete(name)
        throw error
      })
      if (!file) files.delete(name)
      return file
    },
  }
}

async function load(folder: URL, name: string): Promise<File | null> {
  const read = (suffix: string) => readFile(new URL(`./${name}${suffix}`, folder)).catch(unlessMissing)
  const [identity, br, gzip] = await Promise.all([read(''), read('.br'), read('.gz')])
  if (!identity) return null
  return fileOf(types[extname(name)] ?? 'application/octet-stream', identity, {
    ...(br && { br }),
    ...(gzip && { gzip }),
  })
}

function unlessMissing(error: Error & { code?: string }): null {
  if (error.code === 'ENOENT' || error.code === 'EISDIR') return null
  throw error
}

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

export function fileOf(type: string, identity: Buffer, compressed: File['compressed'] = {}): File {
  return { type, identity, compressed, etag: createHash('sha256').update(identity).digest('base64url').slice(0, 22) }
}

export function sendFile(request: FastifyRequest, reply: FastifyReply, file: File, cacheControl: string) {
  const encoding = encodings.find((one) => file.compressed[one] && accepts(request.headers['accept-encoding'], one))
  const etag = `"${encoding ? `${file.etag}-${encoding}` : file.etag}"`
  reply.headers({ etag, 'cache-control': cacheControl, vary: 'accept-encoding' })
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  if (encoding) reply.header('content-encoding', encoding)
  return reply.type(file.type).send((encoding && file.compressed[encoding]) ?? file.identity)
}

function accepts(header = '', encoding: Encoding): boolean {
  return header.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })
}
