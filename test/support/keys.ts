import type { Database } from '../../server/database/database.ts'
import { mintKey, scopes } from '../../server/organizations/api-keys.ts'
import { createOrganization } from '../../server/organizations/organizations.ts'

/** Keys with all scopes of one new organization, for servers that run in processes of their own. */
export async function newKeys(database: Database, count: number): Promise<string[]> {
  const { id: organizationId } = await createOrganization(database, 'Acme', new Date())
  const wanted = { organizationId, label: 'test', scopes: [...scopes], createdBy: 'test' }
  const made = Array.from({ length: count }, () => mintKey(database, wanted, new Date()))
  return (await Promise.all(made)).map(({ key }) => key)
}

export async function newKey(database: Database): Promise<string> {
  const [key = ''] = await newKeys(database, 1)
  return key
}
