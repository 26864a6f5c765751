import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Schema, Type } from '../schema.ts'

/** Marks what `orAbsent` made. The document shows it as a field that may be null. */
export const nullIsAbsent = 'x-null-is-absent'

/** A field that may be left out, or null, which is the same: `withoutNulls` removes it before the body is checked. */
export function orAbsent<Value>(schema: Schema<Value>) {
  return Type.Optional<Value>({ ...schema, [nullIsAbsent]: true })
}

/** Removes the nulls that mean absent from a body with this schema. */
export function withoutNulls(body: Schema) {
  const paths = pathsOf(body)
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

function pathsOf(schema: unknown): string[][] {
  if (!isRecord(schema) || !isRecord(schema.properties)) return []
  return Object.entries(schema.properties).flatMap(([name, property]) => {
    const inner = pathsOf(property).map((path) => [name, ...path])
    return isRecord(property) && property[nullIsAbsent] === true ? [[name], ...inner] : inner
  })
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
