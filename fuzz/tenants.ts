import { mintKey, scopes } from '../server/organizations/api-keys.ts'
import { createDestinationGuard } from '../server/outbound/destination.ts'
import { saveWebhook } from '../server/workflows/administer.ts'
import { cookieIn, newMember, trySignIn } from '../support/members.ts'
import { finish, invite } from '../support/results.ts'
import { appUrl, engineToken, type Partner, type Service } from '../support/service.ts'
import { storeDeliveries } from '../support/stored-deliveries.ts'

/** IDs by the name of the path parameter or field that takes them. */
export type Ids = Record<string, string[]>

export type Tenant = { partner: Partner; ids: Ids }

/** The headers that authenticate a request. */
export type Credentials = Record<'partner' | 'engine' | 'admin' | 'viewer' | 'nobody', Record<string, string>>

/** An organization with one of everything. All its texts contain the mark. */
export async function createTenant(service: Service, secretsKey: Buffer, mark: string): Promise<Tenant> {
  const { database, time } = service
  const partner = await service.partner({ name: mark, unlimited: true })
  const { organizationId } = partner
  const posting = `posting-of-${organizationId}`
  const template = await partner.call<{ id: string }>('POST', '/v1/templates', {
    ...{ title: mark, description: mark, externalPostingId: posting, whiteboardEnabled: true },
  })
  const waiting = await invite(service, organizationId, template.body.id)
  const done = await finish(service, organizationId, { templateId: template.body.id })
  const spare = { organizationId, label: mark, scopes: [...scopes], createdBy: mark }
  const { id: spareKey } = await mintKey(database, spare, time.now)
  const url = `https://hooks.example.com/${mark}`
  const guard = createDestinationGuard({ resolve: async () => ['93.184.215.14'], allowCidrs: [] })
  await saveWebhook({ database, guard, secretsKey }, { organizationId, actor: mark }, { url }, time.now)
  const stored = await storeDeliveries(database, organizationId, [
    ...(['FAILED', 'PENDING', 'DELIVERED'] as const).map((status) => ({
      ...{ email: `${mark}@example.com`, status, createdAt: time.now, milliseconds: 5 },
      ...(status === 'FAILED' && { error: 'HTTP_5XX' as const }),
    })),
  ])
  return {
    partner,
    ids: {
      organizationId: [organizationId],
      templateId: [template.body.id],
      invitationId: [waiting.id, done.invitation.id],
      interviewId: [waiting.interview.id, done.invitation.interview.id],
      resultId: [done.resultId, ...stored.map(({ resultId }) => resultId)],
      deliveryId: stored.map(({ id }) => id),
      keyId: [spareKey],
      token: [waiting.inviteUrl?.split('/').at(-1) ?? ''],
      externalPostingId: [posting],
    },
  }
}

export async function credentialsIn(service: Service, { partner }: Tenant): Promise<Credentials> {
  const visit = async (role: 'admin' | 'viewer') => {
    const response = await trySignIn(service, await newMember(service, role, partner.organizationId))
    return { cookie: cookieIn(response), origin: appUrl }
  }
  return {
    partner: { 'x-service-api-key': partner.key },
    engine: { authorization: `Bearer ${engineToken}` },
    admin: await visit('admin'),
    viewer: await visit('viewer'),
    nobody: { origin: appUrl, cookie: 'settings.session_token=none' },
  }
}
