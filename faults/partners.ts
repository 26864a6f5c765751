import type { Database } from '../server/database/database.ts'
import { createOrReuseTemplate } from '../server/interviews/templates.ts'
import { mintKey } from '../server/organizations/api-keys.ts'
import { createOrganization } from '../server/organizations/organizations.ts'
import { createDestinationGuard, type DestinationGuard } from '../server/outbound/destination.ts'
import { saveWebhook } from '../server/workflows/administer.ts'
import { freePort } from '../support/process.ts'
import type { Authority } from '../support/tls.ts'
import type { Configuration } from './configuration.ts'
import { createReceiver, type Receiver } from './receivers.ts'

/**
 * How a partner's receiver behaves, and the allowed final states of its deliveries once all faults are over and the dead
 * letters have been redriven.
 */
export const kinds = {
  steady: { means: 'always responds with 200', ends: ['DELIVERED'] },
  moody: { means: 'crashes, hangs, is slow, responds with 5xx and 3xx, breaks off, recovers', ends: ['DELIVERED'] },
  strict: { means: 'the same, and sometimes 4xx', ends: ['DELIVERED', 'RECEIVER_REJECTED'] },
  refusing: { means: 'always responds with 4xx', ends: ['RECEIVER_REJECTED'] },
  absent: { means: 'is down until the faults are over', ends: ['DELIVERED'] },
  misnamed: { means: 'always responds with 200, but its DNS name lies', ends: ['DELIVERED'] },
  changing: { means: 'is sometimes slow, and its webhook is changed, disabled and enabled', ends: ['DELIVERED'] },
} as const
export type Kind = keyof typeof kinds

export type Partner = {
  name: string
  kind: Kind
  organizationId: string
  templateId: string
  keys: string[]
  receiver: Receiver
  /** All that were requested, in order. */
  configurations: Configuration[]
}

// The limit is 120 requests per key and minute.
const keysEach = 4

/** Resolves every name to this machine, like the suite's name server. */
export function loopbackGuard(): DestinationGuard {
  return createDestinationGuard({ resolve: async () => ['127.0.0.1'], allowCidrs: ['127.0.0.1/32'] })
}

/** Creates organizations with endpoints and keys, and a receiver for each, which is not started yet. */
export async function createPartners(
  database: Database,
  options: { kinds: readonly Kind[]; site: string; authority: Authority; folder: string; secretsKey: Buffer },
): Promise<Partner[]> {
  const guard = loopbackGuard()
  const now = new Date()
  const partners: Partner[] = []
  for (const [index, kind] of options.kinds.entries()) {
    const name = `${options.site}-${kind}-${index + 1}`
    const { authority, folder } = options
    const receiver = createReceiver({ name, port: await freePort(), authority, folder })
    const { id: organizationId } = await createOrganization(database, name, now)
    const { url, secret } = receiver
    const saved = await saveWebhook(
      { database, guard, secretsKey: options.secretsKey },
      { organizationId, actor: 'faults' },
      { url, secret },
      now,
    )
    if (saved.outcome !== 'saved') throw new Error(`The endpoint of ${name} was not saved: ${saved.outcome}`)
    const fields = { title: 'Backend engineer', description: 'Services, queues and databases.' }
    const { template } = await createOrReuseTemplate(database, organizationId, fields, now)
    const keys: string[] = []
    for (let count = 0; count < keysEach; count++) {
      const options = {
        organizationId,
        label: 'faults',
        scopes: ['invitations:write', 'results:read'] as const,
        createdBy: 'faults',
      }
      keys.push((await mintKey(database, { ...options, scopes: [...options.scopes] }, now)).key)
    }
    const configurations = [{ url, secret, enabled: true, requestedAt: 0, acknowledgedAt: 0 }]
    partners.push({ name, kind, organizationId, templateId: template.id, keys, receiver, configurations })
  }
  return partners
}
