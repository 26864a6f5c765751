import type { FastifyReply, FastifyRequest } from 'fastify'

/** Takes white space off the ends of these fields before they are measured. A dot reaches into an object. */
export function trimmed(...fields: string[]) {
  const paths = fields.map((field) => field.split('.'))
  return (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
    for (const path of paths) trimAt(request.body, path)
    done()
  }
}

function trimAt(value: unknown, [name, ...rest]: string[]): void {
  if (!isRecord(value) || name === undefined || !Object.hasOwn(value, name)) return
  const field = value[name]
  if (rest.length > 0) trimAt(field, rest)
  else if (typeof field === 'string') value[name] = field.trim()
}

/** A query holds only text; `limit` is the one number in it. Anything but digits stays text, and is refused as such. */
export async function numericLimit(request: FastifyRequest): Promise<void> {
  const { query } = request
  if (isRecord(query) && typeof query.limit === 'string' && /^\d{1,9}$/.test(query.limit)) {
    query.limit = Number(query.limit)
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
