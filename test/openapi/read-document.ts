import assert from 'node:assert/strict'
import { Compile } from 'typebox/schema'

export type Json = Record<string, unknown>

export type Operation = {
  operationId: string
  summary: string
  parameters?: { name: string; in: string; required: boolean }[]
  requestBody?: { required: boolean; content: Record<string, { schema: Json; example?: unknown }> }
  responses: Record<string, Response>
}

export type Response = {
  description: string
  headers?: Record<string, unknown>
  content?: Record<string, { schema: Json; examples?: Record<string, { value: { error: string } }> }>
}

export type Document = {
  openapi: string
  servers: { url: string }[]
  security: Json[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Json>; securitySchemes: Record<string, Json> }
}

export async function readDocument(url: string, path = '/openapi.json'): Promise<Document> {
  const response = await fetch(`${url}${path}`)
  assert.equal(response.status, 200)
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
  return JSON.parse(await response.text())
}

export function operations({ paths }: Document): Map<string, Operation> {
  const named = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  )
  return new Map(named)
}

/** The schema errors of a value, which may have no additional fields. */
export function faultsBy(document: Document, schema: Json, value: unknown): string[] {
  const { components } = document
  const validator = Compile(closed({ components, ...schema }))
  if (validator.Check(value)) return []
  const [, errors] = validator.Errors(value)
  return errors.map(({ instancePath, message }) => `${instancePath} ${message}`)
}

/** The same schema without additional properties in any object. */
function closed(schema: Json): Json {
  const close = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(close)
    if (!isRecord(value)) return value
    const copy = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, close(inner)]))
    return value.type === 'object' ? { ...copy, additionalProperties: false } : copy
  }
  return Object.fromEntries(Object.entries(schema).map(([name, inner]) => [name, close(inner)]))
}

/** The fields of an object schema as paths with their types: `candidate.email: string`. */
export function fieldsOf(document: Document, schema: Json, prefix = ''): string[] {
  const { type, properties, required, items } = resolved(document, schema)
  if (type !== 'object') return [`${prefix}: ${type === 'array' ? `array of ${typeOf(items)}` : type}`]
  assert.ok(isRecord(properties) && Array.isArray(required))
  assert.deepEqual([...required].sort(), Object.keys(properties).sort(), `${prefix} has optional fields`)
  return Object.entries(properties).flatMap(([name, field]) => {
    assert.ok(isRecord(field))
    return fieldsOf(document, field, prefix === '' ? name : `${prefix}.${name}`)
  })
}

function resolved({ components }: Document, schema: Json): Json {
  if (typeof schema.$ref !== 'string') return schema
  const found = components.schemas[schema.$ref.replace('#/components/schemas/', '')]
  assert.ok(found, schema.$ref)
  return found
}

function typeOf(schema: unknown): unknown {
  return isRecord(schema) ? schema.type : undefined
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
