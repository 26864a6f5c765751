import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript'

/** The TypeScript types of everything in the document. */
export async function typesOf(document: OpenAPI3): Promise<string> {
  // A field with a default may still be left out of a request.
  const types = astToString(await openapiTypescript(document, { defaultNonNullable: false }))
  return `// Made from /openapi.json by \`npm run generate\`. Change the service, not this file.\n\n${types}`
}
