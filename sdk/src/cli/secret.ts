import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

export const secretVariable = 'PARTNER_WEBHOOK_SECRET'

/** The signing secret from the option, the environment or a prompt. Null if there is no one to ask. */
export async function findSecret(given: string | undefined): Promise<string | null> {
  const known = given ?? process.env[secretVariable]
  if (known !== undefined && known !== '') return known
  if (!process.stdin.isTTY) return null
  const asked = await askHidden('Signing secret (hidden): ')
  return asked === '' ? null : asked
}

async function askHidden(question: string): Promise<string> {
  process.stderr.write(question)
  // readline itself writes the terminal's echo. This discards it.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  const answer = await reader.question('')
  reader.close()
  process.stderr.write('\n')
  return answer
}
