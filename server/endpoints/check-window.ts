import sql from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { type RemovalPosition, type RemovalStep, removeAgedRows } from '../database/removal.ts'

const checksPerMinute = 30

/**
 * Limits everything that lets an admin make us connect to an address of their choice: preflights, saves and receiver
 * checks. Shared by all processes, on the database's clock, like the API keys' rate windows.
 */
export async function countCheck(
  database: Queryable,
  organizationId: string,
): Promise<{ allowed: true } | { allowed: false; secondsToReset: number }> {
  const [window] = await database.query<{ used: number; secondsToReset: number }>(sql`
    insert into check_windows as w (organization_id, minute, used)
    values (${organizationId}, floor(extract(epoch from now()) / 60)::bigint, 1)
    on conflict (organization_id) do update set
      -- More than a minute ahead: written before the clock was set back.
      used = case when w.minute < excluded.minute or w.minute > excluded.minute + 1 then 1 else w.used + 1 end,
      minute = case when w.minute > excluded.minute + 1 then excluded.minute else greatest(w.minute, excluded.minute) end
    returning used, (60 - floor(extract(epoch from now()))::bigint % 60)::int as "secondsToReset"`)
  if (!window) throw new Error('The check was not counted')
  const { used, secondsToReset } = window
  return used <= checksPerMinute ? { allowed: true } : { allowed: false, secondsToReset }
}

export function removeOldCheckWindows(
  database: Queryable,
  position: RemovalPosition,
  until: Date,
): Promise<RemovalStep> {
  const isDue = sql`minute < ${Math.floor(until.getTime() / 60_000)}::bigint`
  return removeAgedRows(database, { table: 'check_windows', key: 'organization_id', isDue }, position)
}
