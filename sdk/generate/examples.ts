/**
 * The same document with an example beside every request body, put together from the examples of its fields. Without one
 * a generator makes up letters.
 */
export function withExamples(document: object): object {
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit)
    if (!isObject(value)) return value
    const copy = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, visit(inner)]))
    if (!isObject(copy.requestBody) || !isObject(copy.requestBody.content)) return copy
    const contents = Object.entries(copy.requestBody.content).map(([type, content]) => [
      type,
      isObject(content) && !('example' in content)
        ? { ...content, example: exampleOf(content.schema, document) }
        : content,
    ])
    return { ...copy, requestBody: { ...copy.requestBody, content: Object.fromEntries(contents) } }
  }
  return Object.fromEntries(Object.entries(document).map(([name, inner]) => [name, visit(inner)]))
}

/** What the schema shows for itself; fields without an example or a default are left out. */
function exampleOf(schema: unknown, document: object): unknown {
  const { examples, default: usual, properties } = resolved(schema, document)
  if (Array.isArray(examples)) return examples[0]
  if (!isObject(properties)) return usual
  const fields = Object.entries(properties).map(([name, field]) => [name, exampleOf(field, document)])
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined))
}

function resolved(schema: unknown, document: object): Record<string, unknown> {
  if (!isObject(schema)) return {}
  if (typeof schema.$ref !== 'string') return schema
  const names = schema.$ref.replace('#/', '').split('/')
  const found = names.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), document)
  return resolved(found, document)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
