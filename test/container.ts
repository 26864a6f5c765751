/** Runs the image that test/container.sh has built. */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { startPostgres } from '../support/postgres.ts'
import { eventually, likelyFreePort, temporaryFolder } from '../support/process.ts'
import { startReceiver } from '../support/receiver.ts'

const root = join(import.meta.dirname, '..')
const image = 'partner-interview'
const hardened = ['--read-only', '--tmpfs=/tmp', '--cap-drop=ALL', '--security-opt=no-new-privileges']
// Containers run like this even where cgroups, limits, network namespaces and systemd's timers aren't available.
const limits = ['--ulimit=nofile=1024:1024', '--ulimit=nproc=1024:1024']
const restricted = ['--cgroups=disabled', '--network=host', '--no-healthcheck', ...limits]

type ComposeService = { command?: string[]; environment?: Record<string, string | number>; volumes?: string[] }
const compose: { services: Record<string, ComposeService> } = parse(readFileSync(join(root, 'compose.yaml'), 'utf8'), {
  merge: true,
})

await using folder = await temporaryFolder()
const receiver = await startReceiver({ names: ['127.0.0.1'] })
writeFileSync(join(folder.path, 'ca.pem'), receiver.ca)
// The user in the container has to read it.
chmodSync(folder.path, 0o755)
const forReceiver = {
  environment: { DESTINATION_ALLOW_CIDRS: '127.0.0.0/8', DESTINATION_CA_FILE: '/receiver/ca.pem', SANDBOX: 'true' },
  volumes: [`${folder.path}:/receiver:ro`],
}

await checkSize()
await onEmbeddedDatabase()
await asInCompose()
await receiver.close()
say('The container image works.')

async function checkSize(): Promise<void> {
  const bytes = Number(await podman('image', 'inspect', '--format={{.Size}}', image))
  say(`The image is ${Math.round(bytes / 1e6)} MB, with a stand-in for debian:bookworm-slim`)
  assert.ok(bytes < 300e6)
}

async function onEmbeddedDatabase(): Promise<void> {
  const port = likelyFreePort()
  const volumes = ['interviews:/data', ...forReceiver.volumes]
  await start('embedded', { environment: { ...forReceiver.environment, PORT: port }, volumes })
  await ready('embedded', port)
  const [organization] = /org_\w{26}/.exec(await podman('logs', 'embedded')) ?? []
  await deliverEvent('embedded', port, String(organization))
  await stopCleanly('embedded')
  await start('again', { environment: { ...forReceiver.environment, PORT: port }, volumes })
  await ready('again', port)
  assert.match(
    await podman('exec', 'again', 'partner-interview-admin', 'delivery', 'list', `--organization=${organization}`),
    /DELIVERED/,
  )
  await stopCleanly('again')
  say('Embedded: started read-only as user 10001, delivered an event, stopped on SIGTERM, kept its data in the volume')
}

/** What `docker compose up` does, one service at a time. The PostgreSQL is the tests' own. */
async function asInCompose(): Promise<void> {
  const { secrets, setup, service } = compose.services
  assert.ok(secrets && setup && service)
  const postgres = await startPostgres()
  try {
    await runOnce(secrets)
    const created = await podman('volume', 'inspect', '--format={{.Mountpoint}}', 'secrets')
    writeFileSync(join(created, 'database-url'), await postgres.createDatabase())
    const first = await runOnce(setup)
    assert.match(first, /Email +admin@example\.com\n +Password +\S{24}\n/)
    assert.match(await runOnce(setup), /Already set up/)
    const [organization] = /org_\w{26}/.exec(first) ?? []

    const port = likelyFreePort()
    const environment = { ...service.environment, ...forReceiver.environment, PORT: port }
    await start('service', { ...service, environment, volumes: [...(service.volumes ?? []), ...forReceiver.volumes] })
    await ready('service', port)
    await deliverEvent('service', port, String(organization))
    await reapsOrphans('service')
    await stopCleanly('service')
    say('Compose: secrets created, first admin printed once, two processes delivered an event and stopped on SIGTERM')
  } finally {
    await postgres.close()
  }
}

async function start(name: string, service: ComposeService): Promise<void> {
  const args = ['run', '--detach', `--name=${name}`, ...hardened, ...restricted, ...optionsOf(service), image]
  // The container's monitor keeps the pipes of a command open, so this one gets none.
  const [status] = await once(spawn('podman', args, { stdio: ['ignore', 'ignore', 'inherit'] }), 'exit')
  assert.equal(status, 0)
}

function runOnce(service: ComposeService): Promise<string> {
  return podman(
    'run',
    '--rm',
    ...hardened,
    ...restricted,
    ...optionsOf(service),
    image,
    ...(service.command ?? []).map(withDefaults),
  )
}

function optionsOf({ environment = {}, volumes = [] }: ComposeService): string[] {
  return [
    ...Object.entries(environment).map(([name, value]) => `--env=${name}=${withDefaults(String(value))}`),
    ...volumes.map((volume) => `--volume=${volume}`),
  ]
}

/** `${NAME:-default}` as Compose reads it where NAME isn't set. */
function withDefaults(text: string): string {
  return text.replace(/\$\{\w+:-([^}]*)\}/g, '$1')
}

async function ready(name: string, port: number): Promise<void> {
  const isReady = async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.ok ?? false
  assert.ok(await eventually(isReady), await podman('logs', name))
  assert.equal(await podman('exec', name, 'id', '-u'), '10001')
  const healthcheck = JSON.parse(await podman('image', 'inspect', '--format={{json .Config.Healthcheck.Test}}', image))
  await podman('exec', name, ...healthcheck.slice(1))
}

async function deliverEvent(name: string, port: number, organization: string): Promise<void> {
  const admin = async (...args: string[]) =>
    JSON.parse(
      await podman('exec', name, 'partner-interview-admin', ...args, `--organization=${organization}`, '--json'),
    )
  await admin('webhook', 'set', `--url=${receiver.url('/', '127.0.0.1')}`)
  const { key } = await admin('key', 'create', '--label=Test', '--scopes=templates:write,invitations:write')
  const post = async (path: string, body: object): Promise<{ id: string }> => {
    const headers = { 'X-Service-Api-Key': key, 'Content-Type': 'application/json' }
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    assert.ok(response.ok, `HTTP ${response.status}`)
    return JSON.parse(await response.text())
  }
  const { id: templateId } = await post('/v1/templates', { title: 'Engineer', description: 'Containers' })
  const candidate = { email: 'grace@example.com', firstName: 'Grace', lastName: 'Hopper' }
  const { id } = await post('/v1/interview-invitations', { templateId, candidate })
  const before = receiver.requests.length
  await podman('exec', name, 'partner-interview-admin', 'sandbox', 'complete', `--invitation=${id}`)
  assert.ok(await eventually(async () => receiver.requests.length > before), 'no event arrived')
  const isDelivered = async () => (await admin('delivery', 'list')).data[0]?.status === 'DELIVERED'
  assert.ok(await eventually(isDelivered), 'the delivery was not recorded')
}

/** A process whose parent has exited must not stay behind as a zombie. */
async function reapsOrphans(name: string): Promise<void> {
  await podman('exec', name, 'sh', '-c', 'sleep 0.1 &')
  const isGone = async () => !/^sleep$/m.test(await podman('exec', name, 'sh', '-c', 'cat /proc/[0-9]*/comm'))
  assert.ok(await eventually(isGone), 'an orphan was not reaped')
}

async function stopCleanly(name: string): Promise<void> {
  const ended = promisify(execFile)('podman', ['wait', name])
  await podman('kill', '--signal=TERM', name)
  assert.equal((await ended).stdout.trim(), '0')
  assert.match(await podman('logs', name), /"msg":"stopped"/)
}

async function podman(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('podman', args)
  return stdout.trim()
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
