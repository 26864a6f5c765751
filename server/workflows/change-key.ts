import type { Database, Queryable } from '../database/database.ts'
import { recordActivity } from '../organizations/activity.ts'
import {
  type ApiKey,
  changeKey,
  hasRoomForKey,
  keyStatus,
  lockKey,
  mintKey,
  scopes,
} from '../organizations/api-keys.ts'
import type { Change } from './administer.ts'

type KeyChange = Change & { id: string }

/** Renames a key or changes when it expires. Null if there is no such key in the organization. */
export async function editKey(
  database: Database,
  change: KeyChange,
  wanted: { label?: string; expiresAt?: Date | null },
  now: Date,
): Promise<ApiKey | 'key_not_active' | null> {
  return database.transaction(async (transaction) => {
    const key = await lockActiveKey(transaction, change, now)
    if (key === null || key === 'key_not_active') return key
    const { label = key.label } = wanted
    const expiresAt = wanted.expiresAt === undefined ? toDate(key.expiresAt) : wanted.expiresAt
    const { organizationId, actor } = change
    const subject = `${label} (${key.id})`
    if (label !== key.label) {
      const detail = `was ${key.label}`
      await recordActivity(transaction, { organizationId, actor, action: 'key.renamed', subject, detail }, now)
    }
    if (expiresAt?.getTime() !== toDate(key.expiresAt)?.getTime()) {
      const entry = { organizationId, actor, action: 'key.expiry_changed', subject, endsAt: expiresAt } as const
      await recordActivity(transaction, entry, now)
    }
    return changeKey(transaction, key.id, { label, expiresAt, successorId: key.successorId })
  })
}

export type Successor = { id: string; key: string; label: string; scopes: ApiKey['scopes'] & object }

/**
 * A new key with the same label and scopes; the old one works until `oldEndsAt`, or until it would have expired anyway. A
 * second successor would leave one that never expires and that the old key doesn't name.
 */
export async function rotateKey(
  database: Database,
  change: KeyChange,
  oldEndsAt: Date,
  now: Date,
): Promise<Successor | 'key_not_active' | 'key_replaced' | 'too_many_keys' | null> {
  return database.transaction(async (transaction) => {
    if (!(await hasRoomForKey(transaction, change.organizationId))) return 'too_many_keys'
    const old = await lockActiveKey(transaction, change, now)
    if (old === null || old === 'key_not_active') return old
    const existing = old.successorId === null ? null : await lockKey(transaction, old.successorId)
    if (existing && keyStatus(existing, now) === 'active') return 'key_replaced'
    const { organizationId, actor } = change
    const { label } = old
    const minted = { organizationId, label, scopes: old.scopes ?? [...scopes], createdBy: actor }
    const successor = await mintKey(transaction, minted, now)
    const limit = toDate(old.expiresAt)
    const expiresAt = limit !== null && limit < oldEndsAt ? limit : oldEndsAt
    await changeKey(transaction, old.id, { label, expiresAt, successorId: successor.id })
    const [subject, detail] = [`${label} (${old.id})`, `by ${successor.id}`]
    const entry = { organizationId, actor, action: 'key.rotated', subject, detail, endsAt: expiresAt } as const
    await recordActivity(transaction, entry, now)
    return successor
  })
}

async function lockActiveKey(
  transaction: Queryable,
  { id, organizationId }: KeyChange,
  now: Date,
): Promise<ApiKey | 'key_not_active' | null> {
  const key = await lockKey(transaction, id)
  if (key?.organizationId !== organizationId) return null
  return keyStatus(key, now) === 'active' ? key : 'key_not_active'
}

function toDate(time: string | null): Date | null {
  return time === null ? null : new Date(time)
}
