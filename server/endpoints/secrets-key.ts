import sql from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
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
): Promise<{ reencrypted: number; unreadable: string[] }> {
  let reencrypted = 0
  const unreadable: string[] = []
  let after = ''
  for (;;) {
    const rows = await database.query<{ owner: string; sealed: Buffer }>(sql`
      select organization_id as owner, sealed_secret as sealed from webhook_endpoints
      where organization_id > ${after} order by organization_id limit ${batchSize}`)
    for (const { owner, sealed } of rows) {
      const changed = await reencryptOne(database, keys, owner, sealed)
      if (changed === 'unreadable') unreadable.push(owner)
      if (changed === 'reencrypted') reencrypted += 1
    }
    const last = rows.at(-1)
    if (rows.length < batchSize || !last) break
    after = last.owner
  }
  if (unreadable.length === 0) {
    const mark = seal(keys.current, markText, markOwner)
    await database.query(sql`
      insert into secrets_key_mark (sealed_mark) values (${mark})
      on conflict (only_one) do update set sealed_mark = excluded.sealed_mark`)
  }
  return { reencrypted, unreadable }
}

const batchSize = 500

async function reencryptOne(
  database: Queryable,
  keys: SecretsKeys,
  owner: string,
  sealed: Buffer,
): Promise<'reencrypted' | 'kept' | 'unreadable'> {
  let found = sealed
  for (;;) {
    if (tryUnseal(keys.current, found, owner) !== null) return 'kept'
    const secret = keys.previous && tryUnseal(keys.previous, found, owner)
    if (secret === null) return 'unreadable'
    const [changed] = await database.query(sql`
      update webhook_endpoints set sealed_secret = ${seal(keys.current, secret, owner)}
      where organization_id = ${owner} and sealed_secret = ${found} returning 1`)
    if (changed) return 'reencrypted'
    // It has changed in the meantime, perhaps by a process that still uses the previous key.
    const [now] = await database.query<{ sealed: Buffer }>(
      sql`select sealed_secret as sealed from webhook_endpoints where organization_id = ${owner}`,
    )
    if (!now) return 'kept'
    found = now.sealed
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
