import { randomBytes } from 'node:crypto'
import type { Database } from '../database/database.ts'
import { seal, tryUnseal, type Unseal } from '../endpoints/secrets.ts'
import { isMemberEmail } from '../organizations/members.ts'
import type { Device } from '../organizations/sessions.ts'
import type { DestinationGuard } from '../outbound/destination.ts'
import { createRequestJson } from '../outbound/request-json.ts'
import { countAttempt, forgiveAttempts } from './attempts.ts'
import { loadProtocol } from './load-library.ts'
import type { Fault, SignOn } from './oidc.ts'
import type { SignedIn, ThrottledOutcome } from './sign-in-types.ts'
import { admitToOrganization } from './sign-on-member.ts'
import { findSignOn, findSignOnByDomain, signOnSecret } from './sign-on-settings.ts'

export type SignOnDependencies = {
  database: Database
  clock: () => Date
  guard: DestinationGuard
  destinationCa: string | null
  secretsKey: Buffer
  unseal: Unseal
  appUrl: string
  startSession(userId: string, organizationId: string, device: Device): Promise<SignedIn>
}

/** Why someone who came back from the provider isn't signed in. */
export type SignOnRefusal = 'expired' | 'failed' | 'wrong_domain' | 'not_member'

const deadlineMilliseconds = 10_000
const lifetimeMinutes = 10

/** Sign-in at an organization's own identity provider, by OpenID Connect. */
export function createSignOn(dependencies: SignOnDependencies) {
  const { database, clock, guard, destinationCa, secretsKey, unseal, appUrl } = dependencies
  const redirectUri = `${appUrl}/settings/api/single-sign-on/callback`
  const requests = () =>
    createRequestJson({ guard, extraCa: destinationCa, signal: AbortSignal.timeout(deadlineMilliseconds) })
  const from = (address: string) => ({ kind: 'sign_on', address, email: '' }) as const

  return {
    redirectUri,

    /** Null if the provider can be used. */
    async faultOf(issuer: string): Promise<string | null> {
      const { discover } = await loadProtocol()
      const found = await discover(requests(), issuer)
      return 'fault' in found ? found.fault : null
    },

    /** Where to send the browser, and what it must bring back. */
    async begin({
      email,
      next,
      address,
    }: {
      email: string
      next: string
      address: string
    }): Promise<
      | { outcome: 'redirect'; url: string; ticket: string; seconds: number }
      | { outcome: 'no_single_sign_on' }
      | { outcome: 'failed'; detail: string }
      | ThrottledOutcome
    > {
      const decision = await countAttempt(database, from(address), clock())
      if (!decision.allowed) return { outcome: 'throttled', seconds: decision.seconds }
      const settings = await findSignOnByDomain(database, domainOf(email))
      if (!settings) return { outcome: 'no_single_sign_on' }
      const { discover, authorizationUrl } = await loadProtocol()
      const provider = await discover(requests(), settings.issuer)
      if ('fault' in provider) return { outcome: 'failed', detail: provider.fault }
      const secret = () => randomBytes(32).toString('base64url')
      const signOn = { state: secret(), nonce: secret(), codeVerifier: secret(), redirectUri }
      const url = await authorizationUrl(provider, settings.clientId, signOn, email)
      const expiresAt = clock().getTime() + lifetimeMinutes * 60_000
      const ticket: Ticket = { ...signOn, organizationId: settings.organizationId, next, expiresAt }
      const sealed = seal(secretsKey, JSON.stringify(ticket), ticketOwner).toString('base64url')
      return { outcome: 'redirect', url, ticket: sealed, seconds: lifetimeMinutes * 60 }
    },

    /** `detail` is for the log. */
    async finish({
      ticket: sealed,
      state,
      code,
      issuer,
      device,
    }: Returned): Promise<
      (SignedIn & { next: string }) | { outcome: 'refused'; reason: SignOnRefusal; detail: string } | ThrottledOutcome
    > {
      const decision = await countAttempt(database, from(device.address), clock())
      if (!decision.allowed) return { outcome: 'throttled', seconds: decision.seconds }
      const refused = (reason: SignOnRefusal, detail: string) => ({ outcome: 'refused', reason, detail }) as const
      const ticket = openTicket(secretsKey, sealed, clock())
      // The state ties the response to this browser, so that nobody is signed in to someone else's account.
      if (!ticket || state === undefined || ticket.state !== state) return refused('expired', 'no matching ticket')
      if (code === undefined) return refused('failed', 'the provider sent no code')
      const settings = await findSignOn(database, ticket.organizationId)
      const clientSecret = await signOnSecret(database, ticket.organizationId, unseal)
      if (!settings?.domainConfirmedAt || clientSecret === null) return refused('expired', 'single sign-on is off')
      if (issuer !== undefined && issuer !== settings.issuer) return refused('failed', 'another issuer responded')

      const { discover, redeemCode } = await loadProtocol()
      const requestJson = requests()
      const provider = await discover(requestJson, settings.issuer)
      if ('fault' in provider) return refused('failed', provider.fault)
      const client = { clientId: settings.clientId, clientSecret }
      const identity = await redeemCode(requestJson, { provider, client, signOn: ticket, code })
      if (isFault(identity)) return refused('failed', identity.fault)
      // Only for its own domain, whatever else the provider knows.
      if (domainOf(identity.email) !== settings.domain || !isMemberEmail(identity.email)) {
        return refused('wrong_domain', `the address is not in ${settings.domain}`)
      }
      const { organizationId } = settings
      const userId = await database.transaction((transaction) =>
        admitToOrganization(transaction, { organizationId, ...identity }, clock()),
      )
      if (userId === null) return refused('not_member', 'neither a member nor invited')
      await forgiveAttempts(database, from(device.address))
      return { ...(await dependencies.startSession(userId, organizationId, device)), next: ticket.next }
    },
  }
}

type Returned = {
  ticket: string | undefined
  state: string | undefined
  code: string | undefined
  issuer: string | undefined
  device: Device
}

/** Kept by the browser, sealed, while its user is at the provider. */
type Ticket = SignOn & { organizationId: string; next: string; expiresAt: number }

const ticketOwner = 'single sign-on ticket'

function openTicket(secretsKey: Buffer, sealed: string | undefined, now: Date): Ticket | null {
  const text = sealed === undefined ? null : tryUnseal(secretsKey, Buffer.from(sealed, 'base64url'), ticketOwner)
  if (text === null) return null
  const ticket: Ticket = JSON.parse(text)
  return ticket.expiresAt > now.getTime() ? ticket : null
}

function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase()
}

function isFault(result: object): result is Fault {
  return 'fault' in result
}
