import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript'

/** TypeScript types for everything in the document. */
export async function typesOf(document: OpenAPI3): Promise<string> {
  // A field with a default can still be left out of a request.
  const types = astToString(await openapiTypescript(document, { defaultNonNullable: false }))
  return `// Generated from /openapi.json by \`npm run generate\`. Edit the service's schemas, not this file.\n\n${types}`
}
