import sql from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { type SecretsKeys, seal, tryUnseal } from '../endpoints/secrets.ts'
import { storeSecondFactor } from '../organizations/members.ts'
import { keyring } from './keyring.ts'
import { signOnOwner } from './sign-on-settings.ts'

/** Re-encrypts second factors and client secrets under the current key, while the service runs. */
export async function reencryptSignInSecrets(
  database: Queryable,
  keys: SecretsKeys,
): Promise<{ reencrypted: number; unreadable: string[] }> {
  const outcomes = [
    ...(await reencryptClientSecrets(database, keys)),
    ...(await reencryptSecondFactors(database, keys)),
  ]
  return {
    reencrypted: outcomes.filter(({ outcome }) => outcome === 'reencrypted').length,
    unreadable: outcomes.filter(({ outcome }) => outcome === 'unreadable').map(({ owner }) => owner),
  }
}

type Outcome = { owner: string; outcome: 'reencrypted' | 'kept' | 'unreadable' }

async function reencryptClientSecrets(database: Queryable, { current, previous }: SecretsKeys): Promise<Outcome[]> {
  const rows = await database.query<{ id: string; sealed: Buffer }>(
    sql`select organization_id as id, sealed_secret as sealed from single_sign_on order by organization_id`,
  )
  const outcomes: Outcome[] = []
  for (const { id, sealed } of rows) {
    const owner = signOnOwner(id)
    const secret = tryUnseal(current, sealed, owner) === null ? previous && tryUnseal(previous, sealed, owner) : 'kept'
    if (secret !== null && secret !== 'kept') {
      // Only if it has not changed since: whoever changed it used the current key.
      await database.query(sql`
        update single_sign_on set sealed_secret = ${seal(current, secret, owner)}
        where organization_id = ${id} and sealed_secret = ${sealed}`)
    }
    outcomes.push({ owner, outcome: secret === null ? 'unreadable' : secret === 'kept' ? 'kept' : 'reencrypted' })
  }
  return outcomes
}

async function reencryptSecondFactors(database: Queryable, keys: SecretsKeys): Promise<Outcome[]> {
  const rows = await database.query<{ userId: string; secret: string; codes: string }>(
    sql`select user_id as "userId", secret, backup_codes as codes from second_factors order by user_id`,
  )
  if (rows.length === 0) return []
  const { parseEnvelope, symmetricDecrypt, symmetricEncrypt } = await import('better-auth/crypto')
  const secrets = keyring(keys)
  const currentVersion = secrets[0]?.version ?? 0
  const key = { keys: new Map(secrets.map(({ version, value }) => [version, value])), currentVersion }
  const renew = async (data: string) => symmetricEncrypt({ key, data: await symmetricDecrypt({ key, data }) })
  const outcomes: Outcome[] = []
  for (const { userId, secret, codes } of rows) {
    const owner = `the second factor of ${userId}`
    const versions = [secret, codes].map((data) => parseEnvelope(data)?.version)
    if (versions.every((version) => version === currentVersion)) outcomes.push({ owner, outcome: 'kept' })
    else if (!versions.every((version) => version !== undefined && key.keys.has(version))) {
      outcomes.push({ owner, outcome: 'unreadable' })
    } else {
      const next = { secret: await renew(secret), codes: await renew(codes) }
      await storeSecondFactor(database, userId, { before: { secret, codes }, next })
      outcomes.push({ owner, outcome: 'reencrypted' })
    }
  }
  return outcomes
}
