import type { FastifyRequest } from 'fastify'
import { Refusal } from './errors.ts'

/** Not a promise: every request with a body would pay for it. */
export function readJson(_request: FastifyRequest, body: Buffer, done: (error: null, value: unknown) => void): void {
  done(null, parseStrictly(body))
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a body as JSON, strictly as UTF-8. Keys such as `__proto__` stay plain keys, so that the schema refuses them
 * by name like any other it does not know.
 */
function parseStrictly(body: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(body))
  } catch {
    throw new Refusal('invalid_json')
  }
}
