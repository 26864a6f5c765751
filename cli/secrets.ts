import type { Command } from 'commander'
import type { SecretsKeys } from '../server/endpoints/secrets.ts'
import { checkSecretsKey, reencryptSecrets, SecretsKeyMismatch } from '../server/endpoints/secrets-key.ts'
import type { Services } from '../server/services.ts'
import { CommandFault, leaf, type Run } from './command.ts'

export function secretsCommands(program: Command, run: Run): void {
  const secrets = program.command('secrets').description('what is encrypted under SECRETS_KEY')

  leaf(secrets, 'rotate', 'encrypt under SECRETS_KEY what is still under SECRETS_KEY_PREVIOUS').action(() =>
    run(async (services) => {
      const { reencrypted, unreadable } = await reencryptSecrets(services.database, await secretsKeysOf(services))
      if (unreadable.length > 0) {
        throw new CommandFault(
          `Re-encrypted ${reencrypted}. Neither key opens the signing secrets of ${unreadable.join(', ')}. Set new ones with webhook rotate, then run this again`,
        )
      }
      const count = reencrypted === 1 ? 'one secret' : `${reencrypted} secrets`
      return { json: { reencrypted }, text: `Re-encrypted ${count}. Everything is under SECRETS_KEY now.` }
    }),
  )
}

/** The keys, once they are known to belong to the database: a secret under another key would be lost to the server. */
export async function secretsKeysOf({ database, secretsKey, config }: Services): Promise<SecretsKeys> {
  if (!secretsKey) throw new CommandFault('SECRETS_KEY is needed for this: set it to the value the server uses')
  const keys = { current: secretsKey, previous: config.secretsKeyPrevious }
  try {
    await checkSecretsKey(database, keys)
  } catch (error) {
    throw error instanceof SecretsKeyMismatch ? new CommandFault(error.message) : error
  }
  return keys
}
