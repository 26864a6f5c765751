import type { Command } from 'commander'
import { reencryptSecondFactors } from '../server/auth/reencrypt.ts'
import { sealedSignOn } from '../server/auth/sign-on-settings.ts'
import type { SecretsKeys } from '../server/endpoints/secrets.ts'
import { checkSecretsKey, reencryptSecrets, SecretsKeyMismatch } from '../server/endpoints/secrets-key.ts'
import { sealedNotifications } from '../server/notifications/sealed-values.ts'
import type { Services } from '../server/services.ts'
import { CommandFault, leaf, type Run } from './command.ts'

export function secretsCommands(program: Command, run: Run): void {
  const secrets = program.command('secrets').description('what is stored encrypted under SECRETS_KEY')

  leaf(secrets, 'rotate', 're-encrypt everything from SECRETS_KEY_PREVIOUS to SECRETS_KEY').action(() =>
    run(async (services) => {
      const keys = await secretsKeysOf(services)
      // First, because the other one marks the database as done.
      const factors = await reencryptSecondFactors(services.database, keys)
      if (factors.unreadable.length > 0) {
        throw new CommandFault(
          `Re-encrypted ${factors.reencrypted}. Neither key opens the two-step verification of ${factors.unreadable.join(', ')}. Turn it off with member reset-second-factor, then run this again`,
        )
      }
      const sealed = [...sealedNotifications, ...sealedSignOn]
      const others = await reencryptSecrets(services.database, keys, sealed)
      const { unreadable } = others
      const reencrypted = factors.reencrypted + others.reencrypted
      if (unreadable.length > 0) {
        throw new CommandFault(
          `Re-encrypted ${reencrypted}. Neither key opens the secrets of ${unreadable.join(', ')}. Set new ones with webhook rotate, with chat-webhook set, or for single sign-on on the Security page, then run this again`,
        )
      }
      const count = reencrypted === 1 ? 'one secret' : `${reencrypted} secrets`
      return { json: { reencrypted }, text: `Re-encrypted ${count}. Everything is now encrypted under SECRETS_KEY.` }
    }),
  )
}

/** Checked against the database first: the server couldn't read a secret encrypted under another key. */
export async function secretsKeysOf({ database, secretsKey, config }: Services): Promise<SecretsKeys> {
  if (!secretsKey) throw new CommandFault('This needs SECRETS_KEY. Set it to the value the server uses')
  const keys = { current: secretsKey, previous: config.secretsKeyPrevious }
  try {
    await checkSecretsKey(database, keys)
  } catch (error) {
    throw error instanceof SecretsKeyMismatch ? new CommandFault(error.message) : error
  }
  return keys
}
