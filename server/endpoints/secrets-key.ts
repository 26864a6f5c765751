import sql from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { type SealedColumn, sealedBatchSize, sealedColumn } from './sealed-columns.ts'
import { type SecretsKeys, seal, tryUnseal } from './secrets.ts'

export class SecretsKeyMismatch extends Error {
  override name = 'SecretsKeyMismatch'
}

/**
 * Returns which key the database belongs to, or throws if it is neither. A database without a mark, because it is new or
 * from an older version, belongs to the key that decrypts its secrets, and gets a mark.
 */
export async function checkSecretsKey(database: Queryable, keys: SecretsKeys): Promise<'current' | 'previous'> {
  const mark = (await readMark(database)) ?? (await firstMark(database, keys))
  const match = matchingKey(mark, keys)
  if (match === null) throw mismatch(keys)
  return match
}

async function firstMark(database: Queryable, keys: SecretsKeys): Promise<Buffer> {
  const [example] = await database.query<{ owner: string; sealed: Buffer }>(sql`
    select organization_id as owner, sealed_secret as sealed from webhook_endpoints order by organization_id limit 1`)
  const { current, previous } = keys
  const isOlder = example && previous && tryUnseal(previous, example.sealed, example.owner) !== null
  if (example && !isOlder && tryUnseal(current, example.sealed, example.owner) === null) throw mismatch(keys)
  const mark = seal(isOlder ? previous : current, markText, markOwner)
  // Another process may start concurrently with another key. The first one wins.
  await database.query(sql`insert into secrets_key_mark (sealed_mark) values (${mark}) on conflict do nothing`)
  return (await readMark(database)) ?? mark
}

/**
 * Re-encrypts everything under the current key while the service runs: a secret is only replaced if it has not changed
 * since it was read. The mark comes last, so that an interrupted run is noticed and repeated.
 */
export async function reencryptSecrets(
  database: Queryable,
  keys: SecretsKeys,
  otherColumns: readonly SealedColumn[] = [],
): Promise<{ reencrypted: number; unreadable: string[] }> {
  let reencrypted = 0
  const unreadable = new Set<string>()
  for (const column of [...signingSecrets, ...otherColumns]) {
    let after = ''
    for (;;) {
      const rows = await column.list(database, after)
      for (const { key, sealed } of rows) {
        const changed = await reencryptOne(database, keys, column, key, sealed)
        if (changed === 'unreadable' && !column.isExpendable) unreadable.add(column.ownerOf(key))
        if (changed === 'reencrypted') reencrypted += 1
      }
      const last = rows.at(-1)
      if (rows.length < sealedBatchSize || !last) break
      after = last.key
    }
  }
  if (unreadable.size === 0) {
    const mark = seal(keys.current, markText, markOwner)
    await database.query(sql`
      insert into secrets_key_mark (sealed_mark) values (${mark})
      on conflict (only_one) do update set sealed_mark = excluded.sealed_mark`)
  }
  return { reencrypted, unreadable: [...unreadable] }
}

// The next secret comes first: activating it moves it to the other column, which is read later.
const signingSecrets = [
  sealedColumn({ table: 'webhook_endpoints', key: 'organization_id', column: 'sealed_next_secret' }),
  sealedColumn({ table: 'webhook_endpoints', key: 'organization_id', column: 'sealed_secret' }),
]

async function reencryptOne(
  database: Queryable,
  keys: SecretsKeys,
  column: SealedColumn,
  key: string,
  sealed: Buffer,
): Promise<'reencrypted' | 'kept' | 'unreadable'> {
  const owner = column.ownerOf(key)
  let found = sealed
  for (;;) {
    if (tryUnseal(keys.current, found, owner) !== null) return 'kept'
    const secret = keys.previous && tryUnseal(keys.previous, found, owner)
    if (secret === null) return 'unreadable'
    if (await column.replace(database, key, found, seal(keys.current, secret, owner))) return 'reencrypted'
    // It has changed in the meantime, perhaps by a process that still uses the previous key.
    const now = await column.read(database, key)
    if (now === null) return 'kept'
    found = now
  }
}

async function readMark(database: Queryable): Promise<Buffer | null> {
  const [row] = await database.query<{ mark: Buffer }>(sql`select sealed_mark as mark from secrets_key_mark`)
  return row?.mark ?? null
}

const markOwner = 'secrets key mark'
const markText = 'This database belongs to this key'

function matchingKey(mark: Buffer, { current, previous }: SecretsKeys): 'current' | 'previous' | null {
  if (tryUnseal(current, mark, markOwner) !== null) return 'current'
  return previous && tryUnseal(previous, mark, markOwner) !== null ? 'previous' : null
}

function mismatch({ previous }: SecretsKeys): SecretsKeyMismatch {
  const subject =
    previous === null ? 'SECRETS_KEY does not belong' : 'Neither SECRETS_KEY nor SECRETS_KEY_PREVIOUS belongs'
  return new SecretsKeyMismatch(
    `${subject} to this database: its signing secrets were encrypted with another key. Set SECRETS_KEY to that key.`,
  )
}
