import assert from 'node:assert/strict'
import { execFile, execFileSync, spawn } from 'node:child_process'
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { postTo } from '../../sdk/src/cli/post.ts'
import { coreProbes, type Send } from '../../sdk/src/probes.ts'
import { eventually, type Folder, temporaryFolder } from '../../support/process.ts'
import { secret } from './signed.ts'

const root = join(import.meta.dirname, '..', '..')
const modules = join(root, 'node_modules')
const compiler = join(modules, 'typescript', 'bin', 'tsc')
const run = promisify(execFile)

let folder: Folder
/** An empty project with the package installed as it would be published. */
let project: string

before(async () => {
  folder = await temporaryFolder()
  const source = join(folder.path, 'sdk')
  project = join(folder.path, 'project')
  await copySource(source)
  await mkdir(join(source, 'dist'))
  await writeFile(join(source, 'dist', 'deleted-since.js'), '')
  await mkdir(project)
  await symlink(modules, join(folder.path, 'node_modules'), 'junction')
  await writeFile(join(project, 'package.json'), '{"private":true,"type":"module"}')
  await run('npm', ['pack', source], { cwd: project })
  const tarball = (await readdir(project)).find((file) => file.endsWith('.tgz')) ?? ''
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], { cwd: project })
})
after(() => folder[Symbol.asyncDispose]())

test('the package contains what is published and nothing else, and has no dependencies', async () => {
  assert.deepEqual((await readdir(join(project, 'node_modules'))).sort(), [
    '.bin',
    '.package-lock.json',
    '@partner-interview',
  ])
  const installed = join(project, 'node_modules', '@partner-interview', 'sdk')
  const { files }: { files: string[] } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
  assert.deepEqual((await readdir(installed)).sort(), ['README.md', ...files, 'package.json'].sort())
  const built = await readdir(join(installed, 'dist'))
  assert.ok(built.includes('index.js') && built.includes('index.d.ts'))
  assert.ok(!built.includes('deleted-since.js'))
})

test('the command is installed with the package', async () => {
  const { stdout } = await run('npx', ['--no-install', 'partner-interview', '--help'], { cwd: project })
  assert.match(stdout, /partner-interview check-receiver/)
})

test('packing fails without the compiler', async () => {
  await using elsewhere = await temporaryFolder()
  const source = join(elsewhere.path, 'sdk')
  await copySource(source)
  await assert.rejects(run('npm', ['pack', source], { cwd: elsewhere.path }), /Run npm ci in the repository first/)
  assert.deepEqual(await readdir(elsewhere.path), ['sdk', 'tsconfig.json'])
})

const own = ownNode()

test('it works under the machine’s own Node', {
  skip: own ? false : 'this machine has no Node 20.3 or newer of its own',
}, async () => {
  await writeFile(join(project, 'program.js'), program)
  const { stdout } = await run(String(own), ['program.js'], { cwd: project })
  assert.deepEqual(JSON.parse(stdout), { vectors: [], processed: ['res_01m7efx4xwfztrm1s20bva7r58'], client: '{}' })

  const command = join(project, 'node_modules', '@partner-interview', 'sdk', 'dist', 'cli', 'main.js')
  const help = await run(String(own), [command, '--help'])
  assert.match(help.stdout, /check-receiver <url>/)
})

describe('the examples', () => {
  before(async () => {
    await cp(join(root, 'sdk', 'examples'), join(project, 'examples'), { recursive: true })
    for (const name of ['express', 'fastify', 'hono', '@hono', '@types']) {
      await symlink(join(modules, name), join(project, 'node_modules', name), 'junction')
    }
  })

  test('compile with the types of the package', async () => {
    const compilerOptions = {
      noEmit: true,
      strict: true,
      exactOptionalPropertyTypes: true,
      target: 'es2022',
      module: 'nodenext',
      types: ['node'],
      skipLibCheck: true,
    }
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['examples'] }))
    const compiled = await run(process.execPath, [compiler], { cwd: project }).catch((error: unknown) => error)
    assert.partialDeepStrictEqual(compiled, { stdout: '' })
  })

  for (const name of ['express', 'fastify', 'hono']) {
    test(`${name} passes the check`, async () => {
      await using server = await startExample(name)
      await standsTheCheck(postTo(new URL('/webhooks/interviews', server.url)))
    })
  }

  test('Next.js passes the check', async () => {
    process.env.PARTNER_WEBHOOK_SECRET = secret
    process.env.RESULTS_DIR = join(project, 'results-nextjs')
    const path = join(project, 'examples', 'nextjs', 'app', 'webhooks', 'interviews', 'route.ts')
    const { POST }: { POST(request: Request): Promise<Response> } = await import(pathToFileURL(path).href)
    await standsTheCheck(async ({ headers, body }) => {
      const request = new Request('http://localhost/', { method: 'POST', headers, body: new Uint8Array(body) })
      const { status } = await POST(request)
      return { status, error: null, milliseconds: 0 }
    })
  })
})

/** The SDK as in a fresh clone, before anything is built. */
async function copySource(target: string): Promise<void> {
  await cp(join(root, 'tsconfig.json'), join(dirname(target), 'tsconfig.json'))
  const isSource = (path: string) => !/[\\/](node_modules|dist|generate|examples)$/.test(path)
  await cp(join(root, 'sdk'), target, { recursive: true, filter: isSource })
}

async function standsTheCheck(send: Send): Promise<void> {
  for (const probe of coreProbes) {
    const finding = await probe.run({ send, secret, now: () => new Date() })
    assert.ok(finding.ok, JSON.stringify(finding))
  }
}

async function startExample(name: string) {
  const server = spawn(process.execPath, [join(project, 'examples', name, 'server.ts')], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      PARTNER_WEBHOOK_SECRET: secret,
      RESULTS_DIR: join(project, `results-${name}`),
    },
  })
  let printed = ''
  for (const stream of [server.stdout, server.stderr]) {
    stream.on('data', (text) => {
      printed += text
    })
  }
  const port = () => /Listening.*port: (\d+)/s.exec(printed)?.[1]
  await eventually(async () => port() !== undefined || server.exitCode !== null)
  assert.ok(port(), printed)
  return {
    url: `http://127.0.0.1:${port()}`,
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGKILL')
      await ended
    },
  }
}

/** The Node installed on the machine, not the one that npm installed for the service. */
function ownNode(): string | null {
  const folders = String(process.env.PATH).split(delimiter)
  for (const directory of folders.filter((path) => !path.includes('node_modules'))) {
    const path = join(directory, process.platform === 'win32' ? 'node.exe' : 'node')
    try {
      const version = execFileSync(path, ['--version'], { encoding: 'utf8' })
      const [major = 0, minor = 0] = version.slice(1).split('.').map(Number)
      if (major > 20 || (major === 20 && minor >= 3)) return path
    } catch {
      // Not in this folder.
    }
  }
  return null
}

const program = `
import { createClient, createMemoryStore, createReceiver, explain, isSample, reconcile, sign, verify } from '@partner-interview/sdk'
import { openFileStore } from '@partner-interview/sdk/node'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'

const { vectors } = createRequire(import.meta.url)('@partner-interview/sdk/vectors.json')
const wrong = []
for (const { name, reason, secret, now, header, bodyBase64 } of vectors) {
  const headers = header === null ? {} : { 'x-service-signature': header }
  const verifying = verify(Buffer.from(bodyBase64, 'base64'), headers, secret, { now: new Date(now * 1000) })
  const verified = await verifying.catch(() => null)
  if (secret === '' ? verified !== null : (verified.ok ? null : verified.reason) !== reason) wrong.push(name)
}

const [{ secret, now, header, bodyBase64 }] = vectors
const processed = []
const receiver = createReceiver({
  secret,
  seen: await openFileStore('results'),
  onResult: ({ resultId }) => processed.push(resultId),
  now: () => new Date(now * 1000),
})
const server = createServer(receiver.node).listen(0, '127.0.0.1', async () => {
  const { port } = server.address()
  for (let times = 0; times < 2; times += 1) {
    const headers = { 'x-service-signature': header }
    const body = Buffer.from(bodyBase64, 'base64')
    const response = await fetch('http://127.0.0.1:' + port, { method: 'POST', headers, body })
    if (response.status !== 200) throw new Error(await response.text())
  }
  await receiver.idle()
  server.closeAllConnections()
  server.close()
  const { templates } = createClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'k' })
  console.log(JSON.stringify({ vectors: wrong, processed, client: JSON.stringify(templates) }))
})
`
