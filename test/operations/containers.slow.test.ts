import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig } from '../../server/config.ts'
import { temporaryFolder } from '../../support/process.ts'

const root = join(import.meta.dirname, '..', '..')
const types = join(root, 'node_modules', 'kubernetes-types')

type Manifest = { apiVersion: string; kind: string }

describe('ops/kubernetes.yaml', () => {
  const text = readFileSync(join(root, 'ops', 'kubernetes.yaml'), 'utf8')
  const manifests: Manifest[] = parseAllDocuments(text).map((document) => document.toJS())

  test('follows the types of the Kubernetes API', async () => {
    assert.equal(await typeErrors(manifests), '')
  })

  test('is checked by types that do find a misspelled field and a wrong value', async () => {
    const [deployment] = manifests
    assert.match(await typeErrors([Object.assign({}, deployment, { spek: {} })]), /spek.* does not exist/)
    assert.match(await typeErrors([Object.assign({}, deployment, { spec: { replicas: 'two' } })]), /not assignable/)
  })

  test('configures a server that starts', () => {
    const { spec } = parseAllDocuments(text)[0]?.toJS() ?? {}
    const [container] = spec.template.spec.containers
    const environment: { name: string; value: string }[] = container.env
    const secrets = {
      DATABASE_URL: 'postgres://interviews@postgres/interviews',
      ENGINE_TOKEN: 'e'.repeat(64),
      SECRETS_KEY: Buffer.alloc(32).toString('base64'),
    }
    const given = Object.fromEntries(environment.map(({ name, value }) => [name, value]))
    const read = readConfig('server', { ...secrets, ...given })
    assert.ok(read.ok)
    assert.equal(read.config.metricsPort, container.ports[1].containerPort)
    assert.ok(spec.template.spec.terminationGracePeriodSeconds >= read.config.stopDelaySeconds + 30)
    assert.deepEqual(spec.selector.matchLabels, spec.template.metadata.labels)
  })
})

test('compose.yaml configures a server that starts, from secrets that are created once', async () => {
  await using folder = await temporaryFolder()
  const { services } = parse(readFileSync(join(root, 'compose.yaml'), 'utf8'), { merge: true })
  const [, script] = services.secrets.command
  const create = () => promisify(execFile)(process.execPath, [join(root, script), folder.path])
  const secretsOf = () => ['engine-token', 'secrets-key', 'database-url', 'postgres-password'].map(read)
  const read = (name: string) => readFileSync(join(folder.path, name), 'utf8')
  await create()
  const first = secretsOf()
  await create()
  assert.deepEqual(secretsOf(), first)
  assert.equal(statSync(join(folder.path, 'secrets-key')).mode & 0o777, 0o600)

  const given = Object.entries(services.service.environment).map(([name, value]) => {
    const text = String(value).replace(/\$\{\w+:-([^}]*)\}/, '$1')
    return [name, text.replace('/secrets', folder.path)]
  })
  const configuration = readConfig('server', Object.fromEntries(given))
  assert.ok(configuration.ok)
  const { store, processes } = configuration.config
  assert.equal(processes, 2)
  assert.deepEqual(store, { engine: 'postgres', url: read('database-url'), connections: 10 })
  assert.equal(services.postgres.environment.POSTGRES_PASSWORD_FILE, '/secrets/postgres-password')
  assert.ok(read('database-url').includes(`:${read('postgres-password')}@postgres:5432/`))
})

/** What the compiler says if the manifests are written as TypeScript. */
async function typeErrors(manifests: Manifest[]): Promise<string> {
  await using folder = await temporaryFolder()
  const source = manifests.map((manifest, index) => {
    const { apiVersion, kind } = manifest
    const module = join(types, apiVersion.includes('/') ? apiVersion : `core/${apiVersion}`)
    return `import type { ${kind} } from ${JSON.stringify(`${module}.d.ts`)}\nexport const manifest${index}: ${kind} = ${JSON.stringify(manifest)}\n`
  })
  writeFileSync(join(folder.path, 'manifests.ts'), source.join('\n'))
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const args = [compiler, '--noEmit', '--strict', '--ignoreConfig', join(folder.path, 'manifests.ts')]
  const { stdout } = await promisify(execFile)(process.execPath, args).catch((error) => error)
  return stdout
}
