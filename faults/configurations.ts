import { setTimeout } from 'node:timers/promises'
import { insist } from './commands.ts'
import type { Configuration, Period } from './configuration.ts'
import type { Partner } from './partners.ts'
import type { Received } from './receiver.ts'
import type { Site } from './site.ts'
import type { Troubles } from './troubles.ts'

/** Changes the webhook of a partner of that kind at random moments, and back to enabled. */
export function configurationTroubles(
  site: Site,
  { kind, configurations, organizationId, receiver }: Partner,
): Troubles {
  if (kind !== 'changing') return []
  const organization = ['--organization', organizationId]

  const change = async (changed: Partial<Pick<Configuration, 'url' | 'secret' | 'enabled'>>) => {
    const current = configurations.at(-1)
    if (!current) throw new Error('A partner has a configuration from the beginning')
    const next = { ...current, ...changed, wantedAt: Date.now(), acknowledgedAt: Number.POSITIVE_INFINITY }
    configurations.push(next)
    // Known to the receiver before anything can be signed with it, as in an orderly rotation.
    receiver.trust(next.secret)
    const { url, secret, enabled } = next
    if (enabled === current.enabled) {
      await insist(site, ['webhook', 'set', ...organization, '--url', url, '--secret', secret])
    } else await insist(site, ['webhook', enabled ? 'enable' : 'disable', ...organization])
    next.acknowledgedAt = Date.now()
  }
  const number = () => configurations.length
  const nextSecret = () => `${receiver.secret}_${number()}`
  const nextUrl = () => `${receiver.url}/${number()}`
  return [
    ['a signing secret is rotated', () => change({ secret: nextSecret() })],
    ['the path of a webhook changes', () => change({ url: nextUrl() })],
    ['path and secret of a webhook change at once', () => change({ url: nextUrl(), secret: nextSecret() })],
    [
      'a webhook is disabled and enabled',
      async (random) => {
        await change({ enabled: false })
        await setTimeout(random.between(0, 2 * longestOnTheWay))
        await change({ enabled: true })
      },
    ],
  ]
}

/**
 * How long a request may be on its way after its configuration was read: the deadline of five seconds, and three more
 * for a machine that is busy.
 */
export const longestOnTheWay = 8_000

/**
 * Whether a configuration explains a request: it was asked for before the request arrived, and was in force at most
 * `longestOnTheWay` before. While the database or the way to it is disturbed, an answer read in time can be held up for
 * as long as that lasts, so these periods are not counted.
 */
export function isExplained(
  { at, path, secret }: Pick<Received, 'at' | 'path' | 'secret'>,
  configurations: readonly Configuration[],
  disturbances: readonly Period[],
): boolean {
  return configurations.some((configuration, index) => {
    if (!configuration.enabled || configuration.wantedAt > at) return false
    if (new URL(configuration.url).pathname !== path || configuration.secret !== secret) return false
    const replacedAt = configurations[index + 1]?.acknowledgedAt ?? Number.POSITIVE_INFINITY
    return undisturbed({ from: replacedAt, to: at }, disturbances) <= longestOnTheWay
  })
}

function undisturbed({ from, to }: Period, disturbances: readonly Period[]): number {
  if (to <= from) return 0
  return disturbances.reduce((left, disturbance) => {
    const shared = Math.min(to, disturbance.to) - Math.max(from, disturbance.from)
    return left - Math.max(0, shared)
  }, to - from)
}

/** Whether a webhook was enabled, as far as one who reported a result in this period can tell. */
export function wasEnabled(configurations: readonly Configuration[], { from, to }: Period): boolean | 'perhaps' {
  const possible = configurations.filter(
    ({ wantedAt }, index) => wantedAt <= to && (configurations[index + 1]?.acknowledgedAt ?? Infinity) >= from,
  )
  if (possible.every(({ enabled }) => enabled)) return true
  return possible.some(({ enabled }) => enabled) ? 'perhaps' : false
}
