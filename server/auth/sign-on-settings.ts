import sql from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { type SealedColumn, sealedColumn } from '../endpoints/sealed-columns.ts'
import { seal, type Unseal } from '../endpoints/secrets.ts'
import { endSignOnSessions } from '../organizations/sessions.ts'

/** Single sign-on of one organization. The client secret is never shown again. */
export type SignOnSettings = {
  organizationId: string
  issuer: string
  clientId: string
  domain: string
  domainConfirmedAt: string | null
}

const columns = sql`organization_id as "organizationId", issuer, client_id as "clientId", domain,
  domain_confirmed_at as "domainConfirmedAt"`

export async function findSignOn(database: Queryable, organizationId: string): Promise<SignOnSettings | null> {
  const [found] = await database.query<SignOnSettings>(
    sql`select ${columns} from single_sign_on where organization_id = ${organizationId}`,
  )
  return found ?? null
}

/** Only if the operator has confirmed the domain, and the organization is active. */
export async function findSignOnByDomain(database: Queryable, domain: string): Promise<SignOnSettings | null> {
  const [found] = await database.query<SignOnSettings>(sql`
    select ${columns} from single_sign_on s where domain = ${domain.toLowerCase()} and domain_confirmed_at is not null
      and exists (select from organizations o where o.id = s.organization_id and o.active)`)
  return found ?? null
}

export async function signOnSecret(
  database: Queryable,
  organizationId: string,
  unseal: Unseal,
): Promise<string | null> {
  const [found] = await database.query<{ sealed: Buffer }>(
    sql`select sealed_secret as sealed from single_sign_on where organization_id = ${organizationId}`,
  )
  return found ? unseal(found.sealed, organizationId + ownerSuffix) : null
}

const ownerSuffix = ' single sign-on'

/** What this domain stores encrypted, for changing SECRETS_KEY. */
export const sealedSignOn: SealedColumn[] = [
  sealedColumn({ table: 'single_sign_on', key: 'organization_id', column: 'sealed_secret', ownerSuffix }),
]

export type NewSignOn = { issuer: string; clientId: string; domain: string; clientSecret?: string }

/**
 * Without a secret, keeps the stored one, but never sends it to another issuer. Another domain must be confirmed anew.
 * What was signed in through other settings ends.
 */
export async function saveSignOn(
  transaction: Queryable,
  { organizationId, secretsKey }: { organizationId: string; secretsKey: Buffer },
  { issuer, clientId, domain: given, clientSecret }: NewSignOn,
  now: Date,
): Promise<SignOnSettings | 'client_secret_needed'> {
  const domain = given.toLowerCase()
  const before = await findSignOn(transaction, organizationId)
  const isSame = before?.issuer === issuer && before.clientId === clientId
  if (clientSecret === undefined && !isSame) return 'client_secret_needed'
  if (!isSame || before.domain !== domain) await endSignOnSessions(transaction, organizationId)
  const sealed = clientSecret === undefined ? null : seal(secretsKey, clientSecret, organizationId + ownerSuffix)
  const [saved] = await transaction.query<SignOnSettings>(
    sealed === null
      ? sql`
        update single_sign_on set updated_at = ${now}, domain = ${domain},
          domain_confirmed_at = case when domain = ${domain} then domain_confirmed_at end
        where organization_id = ${organizationId} returning ${columns}`
      : sql`
        insert into single_sign_on as s (organization_id, issuer, client_id, sealed_secret, domain, created_at, updated_at)
        values (${organizationId}, ${issuer}, ${clientId}, ${sealed}, ${domain}, ${now}, ${now})
        on conflict (organization_id) do update set issuer = excluded.issuer, client_id = excluded.client_id,
          sealed_secret = excluded.sealed_secret, domain = excluded.domain, updated_at = excluded.updated_at,
          domain_confirmed_at = case when s.domain = excluded.domain then s.domain_confirmed_at end
        returning ${columns}`,
  )
  if (!saved) throw new Error('The single sign-on settings were not stored')
  return saved
}

export async function removeSignOn(transaction: Queryable, organizationId: string): Promise<SignOnSettings | null> {
  const [removed] = await transaction.query<SignOnSettings>(
    sql`delete from single_sign_on where organization_id = ${organizationId} returning ${columns}`,
  )
  if (removed) await endSignOnSessions(transaction, organizationId)
  return removed ?? null
}

/** By the operator, who knows whose domain it is. `taken`: another organization has it. */
export async function confirmDomain(
  transaction: Queryable,
  { organizationId, domain: given }: { organizationId: string; domain: string },
  now: Date,
): Promise<SignOnSettings | 'no_such_domain' | 'taken'> {
  const domain = given.toLowerCase()
  // Serializes confirmations, so that the unique index never has to object.
  await transaction.query(sql`lock table single_sign_on in share row exclusive mode`)
  const other = await transaction.query(sql`
    select from single_sign_on
    where domain = ${domain} and domain_confirmed_at is not null and organization_id <> ${organizationId}`)
  if (other.length > 0) return 'taken'
  const [confirmed] = await transaction.query<SignOnSettings>(sql`
    update single_sign_on set domain_confirmed_at = coalesce(domain_confirmed_at, ${now})
    where organization_id = ${organizationId} and domain = ${domain} returning ${columns}`)
  return confirmed ?? 'no_such_domain'
}
