import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from './errors.ts'

export type JsonLimits = { values: number; depth: number }

/** Reads bodies as JSON, and none that would take long to read: what costs time is the number of values, not their length. */
export function acceptJson(app: FastifyInstance, most: JsonLimits): void {
  // Not a promise: every request with a body would pay for it.
  const read = (_request: FastifyRequest, body: Buffer, done: (error: null, value: unknown) => void) => {
    refuseCostly(body, most)
    done(null, parseStrictly(body))
  }
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, read)
}

/** Before the body is read: one that is compressed, or in another alphabet, would only be called bad JSON. */
export function refuseEncodedBodies(
  { headers }: FastifyRequest,
  _reply: FastifyReply,
  _payload: unknown,
  done: () => void,
): void {
  const { 'content-encoding': encoding, 'content-type': type = '' } = headers
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') throw new Refusal('encoded_body')
  const charset = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(type)?.[1]?.toLowerCase()
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') throw new Refusal('not_utf8')
  done()
}

/** Looks at the bytes alone, in one pass. Whether they are JSON at all is for the parser to say. */
function refuseCostly(body: Buffer, most: JsonLimits): void {
  if (body.length <= Math.min(most.values, most.depth)) return
  let values = 1
  let depth = 0
  let isText = false
  for (let index = 0; index < body.length; index += 1) {
    const byte = body[index]
    if (isText) {
      if (byte === backslash) index += 1
      else if (byte === quote) isText = false
    } else if (byte === quote) isText = true
    else if (byte === comma) values += 1
    else if (byte === openBracket || byte === openBrace) depth += 1
    else if (byte === closeBracket || byte === closeBrace) depth -= 1
    if (depth > most.depth) throw new Refusal('nested_too_deeply')
    if (values > most.values) throw new Refusal('too_many_values')
  }
}

const [quote, backslash, comma, openBracket, openBrace, closeBracket, closeBrace] = Buffer.from('"\\,[{]}')

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
