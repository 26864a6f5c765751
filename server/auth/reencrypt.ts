import type { Database } from '../database/database.ts'
import type { SecretsKeys } from '../endpoints/secrets.ts'
import {
  type EncryptedFactor,
  listSecondFactors,
  lockSecondFactor,
  replaceSecondFactor,
} from '../organizations/second-factors.ts'
import { keyring } from './keyring.ts'

/** Re-encrypts second factors under the current key, while the service runs. `unreadable` are users' addresses. */
export async function reencryptSecondFactors(
  database: Database,
  keys: SecretsKeys,
): Promise<{ reencrypted: number; unreadable: string[] }> {
  const { parseEnvelope, symmetricDecrypt, symmetricEncrypt } = await import('better-auth/crypto')
  const secrets = keyring(keys)
  const currentVersion = secrets[0]?.version ?? 0
  const key = { keys: new Map(secrets.map(({ version, value }) => [version, value])), currentVersion }
  const versionsOf = ({ secret, codes }: EncryptedFactor) =>
    [secret, codes].map((data) => parseEnvelope(data)?.version ?? -1)
  const isCurrent = (factor: EncryptedFactor) => versionsOf(factor).every((version) => version === currentVersion)
  const renew = async (data: string) => symmetricEncrypt({ key, data: await symmetricDecrypt({ key, data }) })

  const unreadable = new Map<string, string>()
  let reencrypted = 0
  for (;;) {
    const all = await listSecondFactors(database)
    const outdated = all.filter((factor) => !isCurrent(factor) && !unreadable.has(factor.userId))
    if (outdated.length === 0) return { reencrypted, unreadable: [...unreadable.values()] }
    for (const { userId } of outdated) {
      // Read again under a lock: since it was listed, it may have changed, even by a process that has the old key.
      await database.transaction(async (transaction) => {
        const found = await lockSecondFactor(transaction, userId)
        if (!found || isCurrent(found)) return
        if (!versionsOf(found).every((version) => key.keys.has(version))) {
          unreadable.set(userId, found.email)
          return
        }
        const next = { secret: await renew(found.secret), codes: await renew(found.codes) }
        await replaceSecondFactor(transaction, userId, next)
        reencrypted += 1
      })
    }
  }
}
