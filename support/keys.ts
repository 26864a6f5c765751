import type { Database } from '../server/database/database.ts'
import { mintKey, scopes } from '../server/organizations/api-keys.ts'
import { createOrganization } from '../server/organizations/organizations.ts'

/** Creates an organization with this many keys, each with every scope, for servers in other processes. */
export async function newKeys(database: Database, count: number): Promise<string[]> {
  const { id: organizationId } = await createOrganization(database, 'Acme', new Date())
  const options = { organizationId, label: 'test', scopes: [...scopes], createdBy: 'test' }
  const keys = Array.from({ length: count }, () => mintKey(database, options, new Date()))
  return (await Promise.all(keys)).map(({ key }) => key)
}

export async function newKey(database: Database): Promise<string> {
  const [key = ''] = await newKeys(database, 1)
  return key
}
