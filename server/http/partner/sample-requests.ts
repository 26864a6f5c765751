/** The part of an OpenAPI document that describes requests. Schemas are inline, not references. */
export type ApiDocument = {
  info: { title: string; description: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
}
type Operation = {
  operationId: string
  tags: [string]
  summary: string
  description: string
  parameters?: { name: string; in: 'path' | 'query'; description: string; example?: unknown; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}
type Schema = { examples?: unknown[]; default?: unknown; properties?: Record<string, Schema> }

/** One request, ready to send once its variables are set. */
export type SampleRequest = {
  tag: string
  operationId: string
  name: string
  description: string
  method: string
  /** With `{name}` for each path parameter. */
  path: string
  pathParameters: SampleParameter[]
  queryParameters: SampleParameter[]
  body: string | null
}
export type SampleParameter = { name: string; description: string; example: string }

/** `{{name}}` in a sample. Requests that need a template use the one created last. */
export const templateVariable = 'templateId'
const templateId = /\btpl_[0-9a-z]{26}\b/g

/** One request per operation, filled in from the examples in its schemas. */
export function sampleRequests({ paths }: ApiDocument): SampleRequest[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => sampleRequest(method.toUpperCase(), path, operation)),
  )
}

function sampleRequest(method: string, path: string, operation: Operation): SampleRequest {
  const { tags, operationId, summary, description, parameters = [], requestBody } = operation
  const body = requestBody && exampleOf(requestBody.content['application/json']?.schema ?? {})
  const parametersIn = (place: 'path' | 'query') =>
    parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, description, schema, example = exampleOf(schema) ?? '' }) => ({
        name,
        description,
        example: withVariables(String(example)),
      }))
  return {
    tag: tags[0],
    operationId,
    name: summary,
    description,
    method,
    path,
    pathParameters: parametersIn('path'),
    queryParameters: parametersIn('query'),
    body: body === undefined ? null : withVariables(JSON.stringify(body, null, 2)),
  }
}

/** The first example, or an object built from the examples of its fields. Skips fields with neither example nor default. */
function exampleOf({ examples, default: fallback, properties }: Schema): unknown {
  if (examples) return examples[0]
  if (!properties) return fallback
  const fields = Object.entries(properties).map(([name, field]) => [name, exampleOf(field)])
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined))
}

function withVariables(text: string): string {
  return text.replaceAll(templateId, `{{${templateVariable}}}`)
}
