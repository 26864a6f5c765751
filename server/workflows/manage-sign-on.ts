import {
  confirmDomain,
  type NewSignOn,
  removeSignOn,
  type SignOnSettings,
  saveSignOn,
} from '../auth/sign-on-settings.ts'
import type { Database } from '../database/database.ts'
import { recordActivity } from '../organizations/activity.ts'
import type { Change } from './administer.ts'

export async function changeSignOn(
  { database, secretsKey }: { database: Database; secretsKey: Buffer },
  { organizationId, actor }: Change,
  wanted: NewSignOn,
  now: Date,
): Promise<SignOnSettings | 'client_secret_needed'> {
  return database.transaction(async (transaction) => {
    const saved = await saveSignOn(transaction, { organizationId, secretsKey }, wanted, now)
    if (typeof saved === 'string') return saved
    const detail = `through ${new URL(saved.issuer).host}`
    const change = { organizationId, actor, action: 'single_sign_on.saved', subject: saved.domain, detail } as const
    await recordActivity(transaction, change, now)
    return saved
  })
}

export async function turnOffSignOn(database: Database, { organizationId, actor }: Change, now: Date): Promise<void> {
  await database.transaction(async (transaction) => {
    const removed = await removeSignOn(transaction, organizationId)
    if (!removed) return
    const change = { organizationId, actor, action: 'single_sign_on.removed', subject: removed.domain } as const
    await recordActivity(transaction, change, now)
  })
}

export async function confirmSignOnDomain(
  database: Database,
  { organizationId, actor }: Change,
  domain: string,
  now: Date,
): Promise<SignOnSettings | 'no_such_domain' | 'taken'> {
  return database.transaction(async (transaction) => {
    const confirmed = await confirmDomain(transaction, { organizationId, domain }, now)
    if (typeof confirmed === 'string') return confirmed
    const change = { organizationId, actor, action: 'single_sign_on.domain_confirmed', subject: domain } as const
    await recordActivity(transaction, change, now)
    return confirmed
  })
}
