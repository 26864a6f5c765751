import sql from 'sql-template-tag'
import { coreProbes, type Finding, type Send } from '../../sdk/src/probes.ts'
import type { Database } from '../database/database.ts'
import { recordActivity } from '../organizations/activity.ts'
import type { DestinationGuard } from '../outbound/destination.ts'
import { deadlineMilliseconds, type Poster } from '../outbound/post.ts'
import { countCheck } from './check-window.ts'
import type { Unseal } from './secrets.ts'

export type ReceiverCheckDependencies = {
  database: Database
  guard: DestinationGuard
  poster: Poster
  unseal: Unseal
  clock: () => Date
}

export type CheckResult =
  | { outcome: 'checked'; finding: Finding }
  | { outcome: 'no_webhook' }
  | { outcome: 'unknown_check' }
  | { outcome: 'too_many'; secondsToReset: number }

export const receiverChecks = coreProbes.map(({ name, title, expects }) => ({ name, title, expects }))

/** Sends sample events to an organization's endpoint, as a delivery would. */
export async function checkReceiver(
  dependencies: ReceiverCheckDependencies,
  { organizationId, actor }: { organizationId: string; actor: string },
  name: string,
): Promise<CheckResult> {
  const { database, unseal, clock } = dependencies
  const probe = coreProbes.find((candidate) => candidate.name === name)
  if (!probe) return { outcome: 'unknown_check' }
  const [endpoint] = await database.query<{ url: string; sealed: Buffer }>(sql`
    select url, sealed_secret as sealed from webhook_endpoints where organization_id = ${organizationId}`)
  if (!endpoint) return { outcome: 'no_webhook' }

  const window = await countCheck(database, organizationId)
  if (!window.allowed) return { outcome: 'too_many', secondsToReset: window.secondsToReset }

  // One click runs all checks, so only the first is recorded.
  if (probe === coreProbes[0]) {
    const subject = new URL(endpoint.url).host
    await recordActivity(database, { organizationId, actor, action: 'webhook.checked', subject }, clock())
  }
  const secret = unseal(endpoint.sealed, organizationId)
  const finding = await probe.run({ send: sender(dependencies, endpoint.url), secret, now: clock })
  return { outcome: 'checked', finding }
}

export type SecretCheck = {
  /** How the receiver takes a sample signed with the prepared secret, and one signed with the current one. */
  next: Finding
  current: Finding
}

export type SecretCheckResult =
  | ({ outcome: 'checked' } & SecretCheck)
  | { outcome: 'no_pending_secret' }
  | { outcome: 'too_many'; secondsToReset: number }

/**
 * Whether the receiver accepts both secrets, so that activating the prepared one loses no event. `preparedAt` names the
 * one that is meant: another admin may have prepared a different one since.
 */
export async function checkPendingSecret(
  dependencies: ReceiverCheckDependencies,
  organizationId: string,
  preparedAt: Date,
): Promise<SecretCheckResult> {
  const { database, unseal, clock } = dependencies
  const probe = coreProbes.find(({ name }) => name === 'valid')
  if (!probe) throw new Error('There is no probe with a valid event')
  const [endpoint] = await database.query<{ url: string; sealed: Buffer; next: Buffer }>(sql`
    select url, sealed_secret as sealed, sealed_next_secret as next from webhook_endpoints
    where organization_id = ${organizationId} and next_secret_prepared_at = ${preparedAt}`)
  if (!endpoint) return { outcome: 'no_pending_secret' }
  const window = await countCheck(database, organizationId)
  if (!window.allowed) return { outcome: 'too_many', secondsToReset: window.secondsToReset }

  const send = sender(dependencies, endpoint.url)
  const accepts = (sealed: Buffer) => probe.run({ send, secret: unseal(sealed, organizationId), now: clock })
  const next = await accepts(endpoint.next)
  return { outcome: 'checked', next, current: await accepts(endpoint.sealed) }
}

/** With the same guard, connections and deadline as a delivery. */
function sender({ guard, poster }: ReceiverCheckDependencies, url: string): Send {
  return async ({ headers, body }) => {
    const signal = AbortSignal.timeout(deadlineMilliseconds)
    const started = performance.now()
    const vetting = await guard.vet(url, signal)
    if (!vetting.ok) return failed(vetting)
    const result = await poster.post(vetting.destination, { headers, body, signal })
    // A response is not an error, whatever its status.
    if (result.error !== null && !result.error.startsWith('HTTP_')) return failed(result)
    return { status: result.status, error: null, milliseconds: performance.now() - started }

    function failed({ error, detail }: { error: string | null; detail: string | null }) {
      return { status: null, error: `${error}: ${detail ?? ''}`, milliseconds: performance.now() - started }
    }
  }
}
