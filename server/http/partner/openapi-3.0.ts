/**
 * The document for code generators, most of which know only OpenAPI 3.0: the same paths and schemas, no `webhooks`. The
 * event stays among the schemas.
 */
export function asOpenApi30(document: Record<string, unknown>): Record<string, unknown> {
  const { webhooks: _, info, ...rest } = document
  return { ...toRecord(downgrade(rest)), openapi: '3.0.3', info: linkLicense(toRecord(info)) }
}

/** Rewrites the JSON Schema keywords that 3.0 does not support. Everything else is the same in both. */
function downgrade(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(downgrade)
  if (!isRecord(value)) return value
  const { type, const: only, examples, contentEncoding, contentMediaType: _, ...rest } = value
  const copy = Object.fromEntries(Object.entries(rest).map(([name, inner]) => [name, downgradeField(name, inner)]))
  return {
    ...copy,
    ...(Array.isArray(type) && { type: type.find((one) => one !== 'null'), nullable: true }),
    ...(typeof type === 'string' && { type }),
    ...(only !== undefined && { enum: [only] }),
    // A schema has a list of examples. A media type has an object of them, which 3.0 supports.
    ...(Array.isArray(examples) && { example: examples[0] }),
    ...(isRecord(examples) && { examples }),
    ...(contentEncoding === 'base64' && { format: 'byte' }),
  }
}

/** Property names and example values can look like keywords without being any. */
function downgradeField(name: string, value: unknown): unknown {
  if (name === 'example' || name === 'default') return value
  if (name !== 'properties' || !isRecord(value)) return downgrade(value)
  return Object.fromEntries(Object.entries(value).map(([property, schema]) => [property, downgrade(schema)]))
}

/** 3.1 names a license by its identifier; 3.0 links to its text. */
function linkLicense({ license: _, ...info }: Record<string, unknown>): Record<string, unknown> {
  return { ...info, license: { name: 'MIT', url: 'https://opensource.org/license/mit' } }
}

function toRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {}
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
