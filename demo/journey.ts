import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createClient, reconcile } from '../sdk/src/index.ts'
import { createAuthority } from '../support/tls.ts'
import { chapter, command, good, output, print, say } from './narrator.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { caller, run } from './requests.ts'
import { type Service, startService } from './service.ts'

type Completed = { resultId: string; resultUrl: string; deliveryId: string }

/** From an empty folder to a verified event. The stack collects what has to be stopped afterwards. */
export async function journey(folder: string, leftovers: AsyncDisposableStack): Promise<void> {
  print('Partner Interview API: from an empty folder to a verified event. Starting takes a few seconds.')
  const secret = `whsec_${randomBytes(32).toString('base64url')}`
  const { service, receiver } = await start(folder, secret, leftovers)

  chapter(1, 'An organization, a key, and a webhook')
  const { id: organization } = await run<{ id: string }>(service, ['organization', 'create', '--name', 'Acme'])
  const scopes = 'templates:read,templates:write,invitations:write,results:read'
  const options = ['--organization', organization, '--label', 'ATS', '--scopes', scopes]
  const { key } = await run<{ key: string }>(service, ['key', 'create', ...options])
  const endpoint = ['--organization', organization, '--url', receiver.url, '--secret', secret]
  await run(service, ['webhook', 'set', ...endpoint])
  command(`export KEY='${key}'`)
  const call = caller(service.url, key)

  chapter(2, 'A template, created once and then reused')
  const path = '/v1/templates'
  const body = { title: 'Backend engineer', description: 'Queues and databases.', externalPostingId: 'job-4711' }
  const template = await call<{ id: string }>({ method: 'POST', path, body, status: 201 })
  const again = await call<{ id: string }>({ method: 'POST', path, body, status: 200 })
  expect(again.id === template.id, 'The same posting returns the same template: 201 the first time, 200 after that.')

  chapter(3, 'An invitation')
  const invitation = await call<{ id: string }>({
    method: 'POST',
    path: '/v1/interview-invitations',
    body: { templateId: template.id, candidate: { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' } },
    status: 201,
  })

  chapter(4, 'The interview takes place')
  say('The candidate would now open inviteUrl. In this demo the sandbox plays the candidate.')
  const completed = await run<Completed>(service, ['sandbox', 'complete', '--invitation', invitation.id])

  chapter(5, 'The event arrives, even if things go wrong')
  await receive(receiver, completed)
  await follow(service, completed.deliveryId)

  chapter(6, 'Polling finds the result, too, in case you miss an event')
  const results = `/v1/interview-results?invitationId=${invitation.id}`
  const { data } = await call<{ data: Completed[] }>({ path: results, status: 200 })
  const same = data.length === 1 && data[0]?.resultUrl === completed.resultUrl
  expect(same, 'The link and the overall score. Only the event has the rest.')
  const client = createClient({ baseUrl: service.url, apiKey: key })
  const missing = await reconcile({ client, since: new Date(0), has: receiver.seen.has })
  expect(missing.length === 0, 'The SDK’s reconcile(): nothing was missed.')
}

async function start(folder: string, secret: string, leftovers: AsyncDisposableStack) {
  const authority = createAuthority('Demo authority')
  const certificate = authority.issue({ names: ['127.0.0.1'] })
  const receiver = await startReceiver({ ...certificate, secret }, leftovers)
  const authorityFile = join(folder, 'authority.pem')
  writeFileSync(authorityFile, authority.ca)
  const environment = {
    DESTINATION_ALLOW_CIDRS: '127.0.0.1/32',
    DESTINATION_CA_FILE: authorityFile,
    WEBHOOK_RETRY_DELAY_SECONDS: '0',
  }
  const service = await startService(folder, environment, leftovers)
  say(`The service    ${service.url}, with an embedded database
The receiver   ${receiver.url}, built with the SDK

Events only go to public addresses with publicly trusted certificates. Just for this demo,
DESTINATION_ALLOW_CIDRS=127.0.0.1/32 allows this machine, DESTINATION_CA_FILE trusts the receiver’s
certificate, and WEBHOOK_RETRY_DELAY_SECONDS=0 skips the minute between attempts.`)
  return { service, receiver }
}

async function receive(receiver: Receiver, { resultId }: Completed): Promise<void> {
  const first = await receiver.arrival(1)
  say('First attempt. The signature is valid, but the receiver’s database is down, so it responds:')
  output(first.body, first.status)
  expect(first.status === 500, 'Not a 2xx, so the service sends it again. (A 4xx would have been final.)')

  const second = await receiver.arrival(2)
  say('Second attempt. These are its headers and its body, with the picture truncated:')
  const { 'content-type': type, ...headers } = second.headers
  const ours = Object.entries(headers).filter(([name]) => name.startsWith('x-service-'))
  output({ 'content-type': type, ...Object.fromEntries(ours) })
  const [processed] = receiver.processed
  output(processed?.event)
  expect(processed?.event.resultId === resultId, 'Verified with the signing secret, stored, and processed.')
  good(`The picture is a JPEG of ${processed?.image.length.toLocaleString('en')} bytes.`)
  say('The receiver responds with 200, but the connection breaks and the response is lost.')

  const third = await receiver.arrival(3)
  say('Third attempt: the service can’t know that, and sends it again. The receiver responds:')
  output(third.body, third.status)
  const recognized = third.body.includes('repeated') && receiver.processed.length === 1
  expect(recognized, 'Recognized as a duplicate by its resultId, and not processed again.')
}

/** The service records an attempt shortly after the receiver has responded. */
async function follow(service: Service, deliveryId: string): Promise<void> {
  const args = ['delivery', 'show', '--id', deliveryId]
  let shown = await service.command(args)
  while (!shown.includes('DELIVERED')) {
    await setTimeout(20)
    shown = await service.command(args)
  }
  command(`npx partner-interview-admin ${args.join(' ')}`)
  output(shown)
  expect(/attempts +3\b/.test(shown), 'Three attempts, one result, and the delivery is DELIVERED.')
}

function expect(holds: boolean, text: string): void {
  if (!holds) throw new Error(`expected, but not true: ${text}`)
  good(text)
}
