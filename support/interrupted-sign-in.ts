import assert from 'node:assert/strict'
import { createSignIn } from '../server/auth/sign-in.ts'
import type { Database } from '../server/database/database.ts'
import { appUrl, type Service } from './service.ts'

/** Begins a sign-in during which something happens once: after its password is checked, before its session exists. */
export async function signInWhile(
  { database, secretsKey, time }: Service,
  person: { email: string; password: string },
  happens: () => Promise<unknown>,
) {
  let happened = false
  const interrupted: Database = {
    ...database,
    async execute(text, values) {
      if (text.startsWith('insert into "sessions"') && !happened) {
        happened = true
        await happens()
      }
      return database.execute(text, values)
    },
  }
  const secretsKeys = { current: secretsKey, previous: null }
  const signIn = createSignIn({ database: interrupted, secretsKeys, appUrl, clock: () => time.now })
  const { email, password } = person
  const begun = await signIn.begin({ email, password, device: { address: '198.51.100.1', userAgent: 'test' } })
  assert.ok(happened)
  return begun
}
