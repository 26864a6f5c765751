import sql from 'sql-template-tag'
import type { Queryable } from '../database/database.ts'
import { newId } from '../database/ids.ts'
import { type RemovalPosition, type RemovalStep, removeAgedRows } from '../database/removal.ts'
import { seal, type Unseal } from '../endpoints/secrets.ts'
import { type Channel, type MessageContent, type MessageKind, maxSendSeconds, messageRules } from './message.ts'

export type NewMail = MessageContent & {
  to: string
  /** Null for a message about a person rather than an organization. */
  organizationId: string | null
}

export type NewChatMessage = MessageContent<'endpoint_alert' | 'test'> & { organizationId: string }

/** `off`: email is not set up. `full`: too many similar messages are already waiting. */
export type Queued = 'queued' | 'off' | 'full'

/** Messages leave only if the transaction that queues them commits. */
export type Outbox = {
  /** False without SMTP_URL: then no email is queued. */
  mailConfigured: boolean
  queueMail(transaction: Queryable, mail: NewMail): Promise<Queued>
  queueChatMessage(transaction: Queryable, message: NewChatMessage): Promise<Queued>
}

export function createOutbox({ mailConfigured, secretsKey }: { mailConfigured: boolean; secretsKey: Buffer }): Outbox {
  return {
    mailConfigured,
    async queueMail(transaction, { to, organizationId, ...content }) {
      if (!mailConfigured) return 'off'
      return queue(transaction, secretsKey, { channel: 'email', recipient: to, organizationId, ...content })
    },
    queueChatMessage(transaction, { organizationId, ...content }) {
      return queue(transaction, secretsKey, { channel: 'chat', recipient: null, organizationId, ...content })
    },
  }
}

type NewMessage = MessageContent & { channel: Channel; recipient: string | null; organizationId: string | null }

async function queue(transaction: Queryable, secretsKey: Buffer, message: NewMessage): Promise<Queued> {
  const { channel, kind, recipient, organizationId, values } = message
  const { lifetimeSeconds, maxWaiting, limitedBy, inOrder } = messageRules[kind]
  const id = newId('msg')
  const bucket = [channel, kind, organizationId, ...(limitedBy === 'recipient' ? [recipient] : [])].join(' ')
  const queued = await transaction.query(sql`
    insert into outbox (id, channel, kind, organization_id, recipient, sealed_values, bucket, in_order, expires_at)
    select ${id}, ${channel}, ${kind}, ${organizationId}, ${recipient}, ${seal(secretsKey, JSON.stringify(values), id)},
      ${bucket}, ${inOrder}, now() + ${lifetimeSeconds}::int * interval '1 second'
    where (select count(*) from outbox where bucket = ${bucket} and expires_at > now()) < ${maxWaiting}
    returning id`)
  return queued.length > 0 ? 'queued' : 'full'
}

export type ClaimedMessage = {
  id: string
  kind: MessageKind
  recipient: string | null
  organizationId: string | null
  tries: number
  sealedValues: Buffer
}

export type ReadableMessage = MessageContent & Omit<ClaimedMessage, 'kind' | 'sealedValues'>

// Longer than any channel takes to send, plus a minute to record that it did.
const leaseSeconds = maxSendSeconds + 90
const maxBackoffSeconds = 3_600

/** Takes the next due message, which belongs to the caller until its lease runs out. */
export async function claimMessage(database: Queryable, channel: Channel): Promise<ClaimedMessage | null> {
  const [message] = await database.query<ClaimedMessage>(sql`
    with next as (
      select o.id from outbox o
      where o.channel = ${channel} and o.expires_at > now()
        -- Far in the future: written before the clock was set back.
        and (o.due_at <= now() or o.due_at > now() + ${2 * maxBackoffSeconds}::int * interval '1 second')
        and not (o.in_order and exists (
          select from outbox earlier where earlier.bucket = o.bucket and earlier.id < o.id and earlier.expires_at > now()))
      order by o.due_at limit 1 for update of o skip locked
    )
    update outbox o set due_at = now() + ${leaseSeconds}::int * interval '1 second', tries = o.tries + 1
    from next where o.id = next.id
    returning o.id, o.kind, o.recipient, o.organization_id as "organizationId", o.tries, o.sealed_values as "sealedValues"`)
  return message ?? null
}

export function unsealMessage({ sealedValues, ...message }: ClaimedMessage, unseal: Unseal): ReadableMessage {
  return { ...message, values: JSON.parse(unseal(sealedValues, message.id)) }
}

/** Removes a message that was sent, unless its lease ran out and another process has it now. */
export async function recordSent(database: Queryable, { id, tries }: ClaimedMessage): Promise<void> {
  await database.query(sql`
    with sent as (
      delete from outbox where id = ${id} and tries = ${tries} returning organization_id, channel
    )
    insert into outbox_status (organization_id, channel, sent_at)
    select organization_id, channel, now() from sent where organization_id is not null
    on conflict (organization_id, channel) do update set sent_at = excluded.sent_at`)
}

export type SendProblem = {
  problem: string
  /** The SMTP or HTTP status. Null if it did not come to that. */
  status: number | null
}

/** Postpones a message that could not be sent. Drops it if it never can be, or if its lifetime ends before the next try. */
export async function recordFailure(
  database: Queryable,
  { id, tries }: ClaimedMessage,
  { problem, status, isFinal }: SendProblem & { isFinal: boolean },
): Promise<'postponed' | 'dropped'> {
  const seconds = Math.min(30 * 2 ** (tries - 1), maxBackoffSeconds)
  const [row] = await database.query<{ postponed: boolean }>(sql`
    with failed as (
      select id, organization_id, channel, now() + ${seconds}::int * (0.9 + 0.2 * random()) * interval '1 second' as due_at
      from outbox where id = ${id} and tries = ${tries} for update
    ), postponed as (
      update outbox o set due_at = f.due_at from failed f
      where o.id = f.id and f.due_at < o.expires_at and not ${isFinal}::boolean returning o.id
    ), dropped as (
      delete from outbox o using failed f where o.id = f.id and (f.due_at >= o.expires_at or ${isFinal}::boolean)
    ), noted as (
      insert into outbox_status (organization_id, channel, failed_at, problem, problem_status)
      select organization_id, channel, now(), ${problem}, ${status}::int from failed where organization_id is not null
      on conflict (organization_id, channel) do update set failed_at = excluded.failed_at, problem = excluded.problem,
        problem_status = excluded.problem_status
    )
    select exists (select from postponed) as postponed`)
  return row?.postponed ? 'postponed' : 'dropped'
}

/** What can never be sent, such as a chat message after the chat webhook was removed. */
export async function discardMessage(database: Queryable, { id, tries }: ClaimedMessage): Promise<void> {
  await database.query(sql`delete from outbox where id = ${id} and tries = ${tries}`)
}

export async function countWaiting(database: Queryable): Promise<number> {
  const [row] = await database.query<{ count: number }>(sql`
    select count(*) from outbox where channel in ('email', 'chat') and expires_at > now()`)
  return row?.count ?? 0
}

export type ChannelStatus = {
  waiting: number
  sentAt: string | null
  /** The last problem, even if messages have been sent since. */
  problem: (SendProblem & { at: string }) | null
}

export async function channelStatus(
  database: Queryable,
  organizationId: string,
  channel: Channel,
): Promise<ChannelStatus> {
  const [row] = await database.query<StatusRow>(sql`
    select (select count(*) from outbox
        where organization_id = ${organizationId} and channel = ${channel} and expires_at > now()) as waiting,
      s.sent_at as "sentAt", s.failed_at as "failedAt", s.problem, s.problem_status as status
    from (values (1)) as one left join outbox_status s on s.organization_id = ${organizationId} and s.channel = ${channel}`)
  const { waiting = 0, sentAt = null, failedAt = null, problem = null, status = null } = row ?? {}
  return { waiting, sentAt, problem: failedAt === null || problem === null ? null : { at: failedAt, problem, status } }
}

type StatusRow = {
  waiting: number
  sentAt: string | null
  failedAt: string | null
  problem: string | null
  status: number | null
}

export function removeExpiredMessages(
  database: Queryable,
  position: RemovalPosition,
  until: Date,
): Promise<RemovalStep> {
  return removeAgedRows(database, { table: 'outbox', key: 'id', isDue: sql`expires_at <= ${until}` }, position)
}
