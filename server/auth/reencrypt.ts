import sql from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import type { SecretsKeys } from '../endpoints/secrets.ts'
import { storeSecondFactor } from '../organizations/members.ts'
import { keyring } from './keyring.ts'

/** Re-encrypts second factors under the current key, while the service runs. `unreadable` are users. */
export async function reencryptSecondFactors(
  database: Queryable,
  keys: SecretsKeys,
): Promise<{ reencrypted: number; unreadable: string[] }> {
  const rows = await database.query<{ userId: string; secret: string; codes: string }>(
    sql`select user_id as "userId", secret, backup_codes as codes from second_factors order by user_id`,
  )
  const result = { reencrypted: 0, unreadable: [] as string[] }
  if (rows.length === 0) return result
  const { parseEnvelope, symmetricDecrypt, symmetricEncrypt } = await import('better-auth/crypto')
  const secrets = keyring(keys)
  const currentVersion = secrets[0]?.version ?? 0
  const key = { keys: new Map(secrets.map(({ version, value }) => [version, value])), currentVersion }
  const renew = async (data: string) => symmetricEncrypt({ key, data: await symmetricDecrypt({ key, data }) })
  for (const { userId, secret, codes } of rows) {
    const versions = [secret, codes].map((data) => parseEnvelope(data)?.version ?? -1)
    if (versions.every((version) => version === currentVersion)) continue
    if (!versions.every((version) => key.keys.has(version))) {
      result.unreadable.push(userId)
      continue
    }
    const next = { secret: await renew(secret), codes: await renew(codes) }
    await storeSecondFactor(database, userId, { before: { secret, codes }, next })
    result.reencrypted += 1
  }
  return result
}
