import sql from 'sql-template-tag'
import { coreProbes, type Finding, type Send } from '../../sdk/src/probes.ts'
import type { Database, Queryable } from '../database/database.ts'
import { type RemovalPlace, type RemovalStep, removeAgedRows } from '../database/removal.ts'
import { recordActivity } from '../organizations/activity.ts'
import type { DestinationGuard } from '../outbound/destination.ts'
import { deadlineMilliseconds, type Poster } from '../outbound/post.ts'
import { unseal } from './secrets.ts'

export type ReceiverCheckDependencies = {
  database: Database
  guard: DestinationGuard
  poster: Poster
  secretsKey: Buffer
  clock: () => Date
}

export type Checked =
  | { outcome: 'checked'; finding: Finding }
  | { outcome: 'no_webhook' }
  | { outcome: 'unknown_check' }
  | { outcome: 'too_many'; secondsToReset: number }

const checksPerMinute = 30

export const receiverChecks = coreProbes.map(({ name, title, expects }) => ({ name, title, expects }))

/** Sends sample events to an organization's endpoint, as a delivery would, and says what it made of them. */
export async function checkReceiver(
  dependencies: ReceiverCheckDependencies,
  { organizationId, actor }: { organizationId: string; actor: string },
  name: string,
): Promise<Checked> {
  const { database, secretsKey, clock } = dependencies
  const probe = coreProbes.find((one) => one.name === name)
  if (!probe) return { outcome: 'unknown_check' }
  const [endpoint] = await database.query<{ url: string; sealed: Buffer }>(sql`
    select url, sealed_secret as sealed from webhook_endpoints where organization_id = ${organizationId}`)
  if (!endpoint) return { outcome: 'no_webhook' }

  const window = await countCheck(database, organizationId)
  if (window.used > checksPerMinute) return { outcome: 'too_many', secondsToReset: window.secondsToReset }

  // All checks follow one click; the first of them stands for it.
  if (probe === coreProbes[0]) {
    const subject = new URL(endpoint.url).host
    await recordActivity(database, { organizationId, actor, action: 'webhook.checked', subject }, clock())
  }
  const secret = unseal(secretsKey, endpoint.sealed, organizationId)
  const finding = await probe.run({ send: sender(dependencies, endpoint.url), secret, now: clock })
  return { outcome: 'checked', finding }
}

/** Shared by all processes, on the database's clock, like the windows of the keys. */
async function countCheck(
  database: Queryable,
  organizationId: string,
): Promise<{ used: number; secondsToReset: number }> {
  const [window] = await database.query<{ used: number; secondsToReset: number }>(sql`
    insert into check_windows as w (organization_id, minute, used)
    values (${organizationId}, floor(extract(epoch from now()) / 60)::bigint, 1)
    on conflict (organization_id) do update set
      used = case when w.minute < excluded.minute then 1 else w.used + 1 end,
      minute = greatest(w.minute, excluded.minute)
    returning used, (60 - floor(extract(epoch from now()))::bigint % 60)::int as "secondsToReset"`)
  if (!window) throw new Error('The check was not counted')
  return window
}

export function removeOldCheckWindows(database: Queryable, place: RemovalPlace, until: Date): Promise<RemovalStep> {
  const isDue = sql`minute < ${Math.floor(until.getTime() / 60_000)}::bigint`
  return removeAgedRows(database, { table: 'check_windows', key: 'organization_id', isDue }, place)
}

/** The same guard, the same connections and the same deadline as a delivery has. */
function sender({ guard, poster }: ReceiverCheckDependencies, url: string): Send {
  return async ({ headers, body }) => {
    const signal = AbortSignal.timeout(deadlineMilliseconds)
    const started = performance.now()
    const vetting = await guard.vet(url, signal)
    if (!vetting.ok) return failed(vetting)
    const result = await poster.post(vetting.destination, { headers, body, signal })
    // Any response is a response, whatever its status: only without one is there an error to report.
    if (result.error !== null && !result.error.startsWith('HTTP_')) return failed(result)
    return { status: result.status, error: null, milliseconds: performance.now() - started }

    function failed({ error, detail }: { error: string | null; detail: string | null }) {
      return { status: null, error: `${error}: ${detail ?? ''}`, milliseconds: performance.now() - started }
    }
  }
}
