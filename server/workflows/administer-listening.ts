import type { Database } from '../database/database.ts'
import {
  hasRoomForListenToken,
  type ListenToken,
  lockListenToken,
  mintListenToken,
  type NewListenToken,
  revokeListenToken,
} from '../listeners/listen-tokens.ts'
import { recordActivity } from '../organizations/activity.ts'
import type { Change } from './administer.ts'

export async function createListenToken(
  database: Database,
  { organizationId, actor }: Change,
  now: Date,
): Promise<NewListenToken | 'too_many_listen_tokens'> {
  return database.transaction(async (transaction) => {
    if (!(await hasRoomForListenToken(transaction, organizationId, now))) return 'too_many_listen_tokens'
    const created = await mintListenToken(transaction, { organizationId, createdBy: actor }, now)
    const activity = { organizationId, actor, action: 'listen_token.created', subject: created.id } as const
    await recordActivity(transaction, activity, now)
    return created
  })
}

/** Null if there is no such token in the given organization, or, without one, in any. */
export async function endListenToken(
  database: Database,
  { id, organizationId, actor }: { id: string; organizationId: string | null; actor: string },
  now: Date,
): Promise<ListenToken | null> {
  return database.transaction(async (transaction) => {
    const token = await lockListenToken(transaction, id)
    if (!token || (organizationId !== null && token.organizationId !== organizationId)) return null
    if (token.revokedAt !== null) return token
    const activity = {
      organizationId: token.organizationId,
      actor,
      action: 'listen_token.revoked',
      subject: id,
    } as const
    await recordActivity(transaction, activity, now)
    return revokeListenToken(transaction, id, now)
  })
}
