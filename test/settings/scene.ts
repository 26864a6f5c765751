import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { hashPassword } from '../../server/auth/passwords.ts'
import { inviteMember } from '../../server/organizations/member-invitations.ts'
import { addMember, findUser } from '../../server/organizations/members.ts'
import { createOrganization, setSecondFactorRequired } from '../../server/organizations/organizations.ts'
import { type Deliveries, image, type Subscriber, scoring } from '../../support/deliveries.ts'
import { type SignedInMember, signIn } from '../../support/members.ts'
import { oneTimeCode } from '../../support/one-time-codes.ts'
import type { ReceiverResponse } from '../../support/receiver.ts'

/** An organization that has been at work for a day: there is something of everything to see. */
export type Scene = Subscriber & {
  admin: SignedInMember
  password: string
  /** A delivery that its receiver has refused. */
  failedDeliveryId: string
  /** The tokens of an open invitation and of a password reset link. */
  links: { invitation: string; reset: string }
}

const people = [
  ['Grace', 'Hopper'],
  ['Alan', 'Turing'],
  ['Katherine', 'Johnson'],
  ['Edsger', 'Dijkstra'],
  ['Barbara', 'Liskov'],
  ['Donald', 'Knuth'],
  ['Margaret', 'Hamilton'],
  ['Maximiliana-Alexandra', 'von Hohenstein-Wittgenstein'],
]
const titles = [
  'Senior backend engineer',
  'Product designer',
  'Senior Staff Software Engineer, Distributed Systems and Developer Infrastructure (EMEA, remote)',
  'Support lead',
]

const hour = 3_600_000

export async function setScene(deliveries: Deliveries, { results = 12, answersIn = 0 } = {}): Promise<Scene> {
  const { service } = deliveries
  const now = new Date()
  service.time.now = new Date(now.getTime() - 26 * hour)
  const subscriber = await deliveries.subscriber()
  const { organizationId } = subscriber
  await service.database.query(sql`update organizations set name = 'Acme Recruiting' where id = ${organizationId}`)
  await service.database.query(sql`
    update api_keys set label = 'Job board', scopes = null, created_by = 'command line',
      last_used_at = ${now}, last_used_address = '203.0.113.24'
    where organization_id = ${organizationId}`)
  const password = 'a good long password'
  const member = {
    organizationId,
    email: 'ada@acme.example',
    name: 'Ada Lovelace',
    role: 'admin',
    actor: 'command line',
  } as const
  const passwordHash = await hashPassword(password)
  await service.database.transaction((transaction) =>
    addMember(transaction, { ...member, passwordHash }, service.time.now),
  )
  const admin = await signIn(service, { email: member.email, password })
  await useSettings(admin, organizationId)
  await useNotifications(deliveries, subscriber, admin, now)

  const templates = await Promise.all(titles.map((title) => makeTemplate(subscriber, title)))
  let failedDeliveryId = ''
  for (let index = 0; index < results; index += 1) {
    // More by day than by night, as it is with interviews.
    const share = (results - 1 - index) / results
    service.time.now = new Date(now.getTime() - (share + 0.04 * Math.sin(share * 19)) * 22 * hour)
    const isBad = (index >= results * 0.6 && index < results * 0.65) || index === results - 3
    const deliveryId = await complete(deliveries, subscriber, { index, templateId: templates[index % 4] ?? '' })
    if (index === results - 1) continue
    subscriber.answer(async () => {
      await setTimeout(answersIn * (0.6 + (index % 7) / 4))
      return isBad ? tooLarge : good
    })
    await deliveries.attempt(deliveryId)
    if (isBad) failedDeliveryId = deliveryId
  }
  service.time.now = now
  subscriber.answer(good)
  const links = await addPeople(deliveries, { admin, organizationId, passwordHash })
  return { ...subscriber, answer: subscriber.answer, admin, password, failedDeliveryId, links }
}

async function addPeople(
  { service }: Deliveries,
  { admin, organizationId, passwordHash }: { admin: SignedInMember; organizationId: string; passwordHash: string },
): Promise<Scene['links']> {
  const { id: strictId } = await createOrganization(service.database, 'Northwind', service.time.now)
  await setSecondFactorRequired(service.database, strictId, true)
  const colleagues = [
    { organizationId, email: 'grace@acme.example', name: 'Grace Hopper', role: 'admin' },
    {
      organizationId,
      email: 'maximiliana-alexandra.hohenstein@acme.example',
      name: 'Maximiliana-Alexandra',
      role: 'viewer',
    },
    { organizationId: strictId, email: 'edsger@northwind.example', name: 'Edsger Dijkstra', role: 'admin' },
  ] as const
  for (const colleague of colleagues) {
    const member = { ...colleague, actor: admin.email, passwordHash }
    await service.database.transaction((transaction) => addMember(transaction, member, service.time.now))
  }
  await protect(await signIn(service, { email: 'grace@acme.example', password: admin.password }))
  const grace = await findUser(service.database, 'grace@acme.example')
  await service.database.query(sql`
    update members set last_sign_in_at = now() - interval '3 hours' where user_id = ${grace?.id}`)
  const at = (path: string) => `/organizations/${organizationId}${path}`
  // Not through the page, which doesn't show the link: this service sends email.
  const person = { organizationId, email: 'alan@acme.example', role: 'viewer', actor: admin.email } as const
  const invited = await service.database.transaction((transaction) =>
    inviteMember(transaction, person, service.time.now),
  )
  assert.ok(typeof invited !== 'string')
  const reset = await admin.call<{ url: string }>('POST', at(`/members/${grace?.id}/password-resets`))
  return { invitation: invited.token, reset: new URL(reset.body.url).hash.slice(1) }
}

/** Turns on two-step verification. */
async function protect(person: SignedInMember): Promise<void> {
  const { password } = person
  const started = await person.call<{ secret: string }>('POST', '/second-factor', { password })
  const code = oneTimeCode(started.body.secret)
  assert.equal((await person.call('POST', '/second-factor/confirmation', { code })).status, 204)
}

const good: ReceiverResponse = { status: 200, body: 'ok' }
const tooLarge: ReceiverResponse = { status: 413, body: '<h1>413 Request Entity Too Large</h1>' }

async function useSettings(admin: SignedInMember, organizationId: string): Promise<void> {
  const ask = (method: string, path: string, body?: unknown) =>
    admin.call<{ id: string }>(method, `/organizations/${organizationId}${path}`, body)
  await ask('POST', '/keys', {
    label: 'ATS production',
    scopes: ['templates:read', 'templates:write', 'invitations:write', 'results:read'],
  })
  await ask('POST', '/keys', { label: 'Reporting', scopes: ['results:read'] })
  const trial = await ask('POST', '/keys', { label: 'Trial', scopes: ['templates:read'] })
  await ask('POST', `/keys/${trial.body.id}/revocation`)
  await ask('POST', '/webhook/secret', {})
}

/** Emails arrive, but the chat does not answer at the moment. */
async function useNotifications(
  { service }: Deliveries,
  { organizationId, url }: Subscriber,
  admin: SignedInMember,
  now: Date,
): Promise<void> {
  const path = `/organizations/${organizationId}/notifications`
  await admin.call('PUT', `${path}/chat-webhook`, { url })
  await admin.call('POST', `${path}/test-messages`, { channel: 'chat' })
  await service.database.query(sql`
    update outbox set expires_at = now() + interval '1 day' where organization_id = ${organizationId}`)
  const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds)
  await service.database.query(sql`
    insert into outbox_status (organization_id, channel, sent_at, failed_at, problem, problem_status) values
      (${organizationId}, 'email', ${ago(3 * hour)}, null, null, null),
      (${organizationId}, 'chat', ${ago(5 * hour)}, ${ago(hour / 20)}, 'HTTP_5XX', 503)`)
}

async function makeTemplate(subscriber: Subscriber, title: string): Promise<string> {
  const made = await subscriber.call<{ id: string }>('POST', '/v1/templates', { title, description: 'As advertised.' })
  return made.body.id
}

/** A result as the interview product reports it, and the delivery it opens. */
async function complete(
  deliveries: Deliveries,
  subscriber: Subscriber,
  { index, templateId }: { index: number; templateId: string },
): Promise<string> {
  const [firstName = '', lastName = ''] = people[index % people.length] ?? []
  const email = `${firstName}.${lastName}${index < people.length ? '' : index}@example.com`
    .toLowerCase()
    .replaceAll(' ', '-')
  const invited = await subscriber.call<{ interview: { id: string } }>('POST', '/v1/interview-invitations', {
    templateId,
    candidate: { email, firstName, lastName },
  })
  assert.equal(invited.status, 201, invited.text)
  const { id } = invited.body.interview
  await deliveries.uploadImage(id, image)
  const reported = await deliveries.engine<{ resultId: string }>('PUT', `/interviews/${id}/result`, { scoring })
  const [opened] = await deliveries.service.database.query<{ id: string }>(
    sql`select id from deliveries where result_id = ${reported.body.resultId}`,
  )
  assert.ok(opened, reported.text)
  return opened.id
}
