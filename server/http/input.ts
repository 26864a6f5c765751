import type { FastifyReply, FastifyRequest } from 'fastify'

/** Treats null as absent in these optional fields. A dot reaches into an object. */
export function withoutNulls(...fields: string[]) {
  const paths = fields.map((field) => field.split('.'))
  return (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
    for (const path of paths) changeAt(request.body, path, (value) => (value === null ? undefined : value))
    done()
  }
}

/** Trims these fields before their length is checked. A dot reaches into an object. */
export function trimmed(...fields: string[]) {
  const paths = fields.map((field) => field.split('.'))
  return (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
    for (const path of paths) {
      changeAt(request.body, path, (value) => (typeof value === 'string' ? value.trim() : value))
    }
    done()
  }
}

function changeAt(value: unknown, [name, ...rest]: string[], change: (field: unknown) => unknown): void {
  if (!isRecord(value) || name === undefined || !Object.hasOwn(value, name)) return
  if (rest.length > 0) {
    changeAt(value[name], rest, change)
    return
  }
  const changed = change(value[name])
  if (changed === undefined) delete value[name]
  else value[name] = changed
}

/** Converts `limit`, the only number in a query. Anything but digits stays a string, so the schema rejects it. */
export async function numericLimit(request: FastifyRequest): Promise<void> {
  const { query } = request
  if (isRecord(query) && typeof query.limit === 'string' && /^\d{1,9}$/.test(query.limit)) {
    query.limit = Number(query.limit)
  }
}

/** Accepts times as people type them: a date alone, or an unencoded `+`, which arrives as a space. */
export function readableTimes(...names: string[]) {
  return ({ query }: FastifyRequest, _reply: FastifyReply, done: () => void) => {
    for (const name of names) changeAt(query, [name], (value) => (typeof value === 'string' ? wholeTime(value) : value))
    done()
  }
}

function wholeTime(text: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return `${text}T00:00:00.000Z`
  return text.replace(/ (\d\d:\d\d)$/, '+$1')
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
