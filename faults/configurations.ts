import { setTimeout } from 'node:timers/promises'
import { retryCommand } from './commands.ts'
import type { Configuration, Period } from './configuration.ts'
import type { Faults } from './injection.ts'
import type { Partner } from './partners.ts'
import type { Received } from './receiver.ts'
import type { Site } from './site.ts'

/** Changes the partner's webhook at random times, and leaves it enabled. */
export function configurationFaults(site: Site, { kind, configurations, organizationId, receiver }: Partner): Faults {
  if (kind !== 'changing') return []
  const organization = ['--organization', organizationId]

  const change = async (changed: Partial<Pick<Configuration, 'url' | 'secret' | 'enabled'>>) => {
    const current = configurations.at(-1)
    if (!current) throw new Error('The partner has no initial configuration')
    const next = { ...current, ...changed, requestedAt: Date.now(), acknowledgedAt: Number.POSITIVE_INFINITY }
    configurations.push(next)
    // The receiver knows the secret before anything is signed with it, as in a proper rotation.
    receiver.trust(next.secret)
    const { url, secret, enabled } = next
    if (enabled === current.enabled) {
      await retryCommand(site, ['webhook', 'set', ...organization, '--url', url, '--secret', secret])
    } else await retryCommand(site, ['webhook', enabled ? 'enable' : 'disable', ...organization])
    next.acknowledgedAt = Date.now()
  }
  const number = () => configurations.length
  const nextSecret = () => `${receiver.secret}_${number()}`
  const nextUrl = () => `${receiver.url}/${number()}`
  return [
    ['a signing secret is rotated', () => change({ secret: nextSecret() })],
    ['the path of a webhook changes', () => change({ url: nextUrl() })],
    ['path and secret of a webhook change together', () => change({ url: nextUrl(), secret: nextSecret() })],
    [
      'a webhook is disabled and enabled',
      async (random) => {
        await change({ enabled: false })
        await setTimeout(random.between(0, 2 * maxInFlight))
        await change({ enabled: true })
      },
    ],
  ]
}

/**
 * Saves a webhook as it is, as an admin would whose receiver is repaired. That ends the slow start after a 429, which
 * would send one event a second to a receiver that never accepts one.
 */
export async function saveAgain(site: Site, { organizationId, configurations }: Partner): Promise<void> {
  const current = configurations.at(-1)
  if (!current) throw new Error('The partner has no initial configuration')
  const { url, secret } = current
  await retryCommand(site, ['webhook', 'set', '--organization', organizationId, '--url', url, '--secret', secret])
}

/**
 * How long a request may be in flight after its configuration was read: the deadline of five seconds, plus three for a
 * busy machine.
 */
export const maxInFlight = 8_000

/**
 * Whether a configuration explains a request: it was requested before the request arrived, and was in force at most
 * `maxInFlight` before. A disturbed database connection can delay its responses, so such periods don't count.
 */
export function isExplained(
  { at, path, secret }: Pick<Received, 'at' | 'path' | 'secret'>,
  configurations: readonly Configuration[],
  disturbances: readonly Period[],
): boolean {
  return configurations.some((configuration, index) => {
    if (!configuration.enabled || configuration.requestedAt > at) return false
    if (new URL(configuration.url).pathname !== path || configuration.secret !== secret) return false
    const replacedAt = configurations[index + 1]?.acknowledgedAt ?? Number.POSITIVE_INFINITY
    return undisturbed({ from: replacedAt, to: at }, disturbances) <= maxInFlight
  })
}

function undisturbed({ from, to }: Period, disturbances: readonly Period[]): number {
  if (to <= from) return 0
  return disturbances.reduce((left, disturbance) => {
    const shared = Math.min(to, disturbance.to) - Math.max(from, disturbance.from)
    return left - Math.max(0, shared)
  }, to - from)
}

/** Whether a webhook was enabled, as far as the reporter of a result in this period can tell. */
export function wasEnabled(configurations: readonly Configuration[], { from, to }: Period): boolean | 'perhaps' {
  const possible = configurations.filter(
    ({ requestedAt }, index) => requestedAt <= to && (configurations[index + 1]?.acknowledgedAt ?? Infinity) >= from,
  )
  if (possible.every(({ enabled }) => enabled)) return true
  return possible.some(({ enabled }) => enabled) ? 'perhaps' : false
}
