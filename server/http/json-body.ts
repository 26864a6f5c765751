import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from './errors.ts'

export type JsonLimits = { values: number; depth: number }

/** Parses JSON bodies, but rejects those that would take long: parsing time depends on the number of values, not on bytes. */
export function acceptJson(app: FastifyInstance, max: JsonLimits): void {
  // A callback, because a promise would cost every request with a body.
  const read = (_request: FastifyRequest, body: Buffer, done: (error: null, value: unknown) => void) => {
    rejectCostly(body, max)
    done(null, parseStrictly(body))
  }
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, read)
}

/** Runs before the body is parsed. A compressed body, or one in another charset, would only be reported as bad JSON. */
export function rejectEncodedBodies(
  { headers }: FastifyRequest,
  _reply: FastifyReply,
  _payload: unknown,
  done: () => void,
): void {
  // Some clients name a charset with every request.
  if (hasBody(headers)) rejectEncoded(headers)
  done()
}

function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function rejectEncoded({ 'content-encoding': encoding, 'content-type': type = '' }: IncomingHttpHeaders): void {
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') throw new Refusal('encoded_body')
  const charset = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(type)?.[1]?.toLowerCase()
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') throw new Refusal('not_utf8')
}

/** Counts values and depth in one pass over the bytes. It does not check that they are valid JSON; the parser does. */
function rejectCostly(body: Buffer, max: JsonLimits): void {
  if (body.length <= Math.min(max.values, max.depth)) return
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
    if (depth > max.depth) throw new Refusal('nested_too_deeply')
    if (values > max.values) throw new Refusal('too_many_values')
  }
}

const [quote, backslash, comma, openBracket, openBrace, closeBracket, closeBrace] = Buffer.from('"\\,[{]}')

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses a body as JSON in strict UTF-8. Keys such as `__proto__` stay plain keys, so the schema rejects them by name
 * like any other unknown field.
 */
function parseStrictly(body: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(body))
  } catch {
    throw new Refusal('invalid_json')
  }
}
