import type { OpenAPI3 } from 'openapi-typescript'
import { collectionOf, collectionText } from './postman.ts'
import { requestFileOf } from './request-file.ts'
import { typesOf } from './types.ts'

/** Every file that is made from the document, by its path from the project's root. */
export async function filesFrom(document: OpenAPI3): Promise<Record<string, string>> {
  const collection = await collectionOf(document)
  return {
    'sdk/src/openapi.ts': await typesOf(document),
    'docs/partner-interview.postman_collection.json': collectionText(collection),
    'docs/partner-interview.http': requestFileOf(collection),
  }
}
