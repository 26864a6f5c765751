import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { sign } from '../../sdk/src/signature.ts'
import { eventually, type Folder, likelyFreePort, temporaryFolder } from '../../support/process.ts'
import { blocksOf } from './blocks.ts'
import { createReader, type Reader, type ReaderSetup } from './reader.ts'
import { openTerminal, type Terminal } from './terminal.ts'

const root = join(import.meta.dirname, '..', '..')
const missing = ['bash', 'curl', 'openssl'].filter((program) => spawnSync(program, ['--version']).error)

/** Runs first: it starts the service and creates the SDK project that the others need. */
const first = 'docs/quickstart.md'
/** Runs second: it restarts the service so that it may deliver to this machine, as the others need. */
const second = 'docs/real-delivery.md'
const startsService = (path: string) => path === first || path === second
const others = [
  ...['README.md', 'sdk/README.md'],
  ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`),
].filter((path) => path.endsWith('.md') && !startsService(path))

describe('the documents', { skip: missing.length > 0 && `this machine has no ${missing.join(', ')}` }, () => {
  let folder: Folder
  let clone: string
  let project: string
  let service: Terminal | undefined
  /** What the service printed before it was restarted. */
  let printed = ''
  const servicePort = likelyFreePort()

  before(async () => {
    folder = await temporaryFolder()
    clone = join(folder.path, 'partner-interview-api')
    project = join(folder.path, 'my-receiver')
    createClone(clone)
  })
  after(async () => {
    await service?.close()
    await folder?.[Symbol.asyncDispose]()
  })

  /** Closes a document's terminals when it is done, except for the one that runs the service. */
  async function readThrough(path: string, prepare = async (_reader: Reader) => {}): Promise<void> {
    const reader = createReader(setupFor(path))
    try {
      await prepare(reader)
      for (const block of blocksOf(root, path)) await reader.read(block)
    } finally {
      service ??= reader.terminals.get('service')
      for (const terminal of reader.terminals.values()) if (terminal !== service) await terminal.close()
    }
  }

  let terminals = 0
  function setupFor(path: string): ReaderSetup {
    const receiverPort = likelyFreePort()
    return {
      project,
      replacements: [
        [/(?<=127\.0\.0\.1:)3000\b/g, String(servicePort)],
        [/\b4000\b/g, String(receiverPort)],
        // A receiver that is down, so that events to it fail.
        [/\bhooks\.example\.com\b/g, `127.0.0.1:${likelyFreePort()}`],
      ],
      readiness: [
        // Elsewhere it runs already. The port opens before commands are answered.
        ['npm start', startsService(path) ? 'listening on' : servicePort],
        ['receiver.mjs', receiverPort],
        ['listen(4000', receiverPort],
        ['partner-interview listen', 'Signing secret'],
      ],
      known: () => `${printed}\n${service?.shown() ?? ''}`,
      async open() {
        terminals += 1
        const scratch = join(folder.path, `terminal-${terminals}`)
        mkdirSync(scratch)
        const terminal = await openTerminal({
          folder: path.startsWith('sdk/') ? project : clone,
          environment: environment({ PORT: String(servicePort) }),
          scratch,
        })
        await terminal.type(startsService(path) ? npmForFirst : npmForOthers)
        return terminal
      },
    }
  }

  test(`${first} leads to a verified event`, () => readThrough(first))

  test(`${second} leads to a delivered event`, async () => {
    assert.ok(service, 'the quickstart failed')
    printed = service.shown()
    await service.close()
    service = undefined
    await readThrough(second)
  })

  for (const path of others) {
    test(`${path} can be followed`, async () => {
      assert.ok(service, 'the service is not running')
      await readThrough(path, preparations[path])
    })
  }

  test('the TypeScript in the documents compiles', async () => {
    const compilerOptions = {
      noEmit: true,
      strict: true,
      target: 'es2023',
      module: 'nodenext',
      skipLibCheck: true,
      types: ['node'],
      typeRoots: [join(root, 'node_modules', '@types')],
    }
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.mts'] }))
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    const compiled = await promisify(execFile)(process.execPath, [compiler, '-p', project]).catch((error) => error)
    assert.partialDeepStrictEqual(compiled, { stdout: '' })
  })
})

/** What a document assumes has already happened. */
const preparations: Record<string, (reader: Reader) => Promise<void>> = {
  'docs/webhooks.md': async (reader) => {
    const type = (text: string) => reader.read({ ...blockOf('preparation'), text })
    const candidate = '{"email": "down@example.com", "firstName": "Nobody"}'
    await type(`curl -s http://127.0.0.1:3000/v1/templates -H 'X-Service-Api-Key: service_live_…'`)
    await type(
      `curl -s http://127.0.0.1:3000/v1/interview-invitations -H 'X-Service-Api-Key: service_live_…' -H 'Content-Type: application/json' -d '{"templateId": "tpl_…", "candidate": ${candidate}}'`,
    )
    await type('npm run cli -- sandbox complete --invitation inv_…')
    const failed = async () => {
      await type('npm run cli -- delivery show --id dlv_…')
      return /RECEIVES_EXHAUSTED/.test(reader.terminals.get('main')?.shown() ?? '')
    }
    assert.ok(await eventually(failed))
  },
  'sdk/README.md': async (reader) => {
    const secret = 'whsec_0123456789abcdefghijkl'
    const body = '{"a raw body":"as it came"}'
    const signature = await sign(Buffer.from(body), secret, new Date())
    const text = `export SIGNATURE='${signature}'\nprintf '%s' '${body}' > body.json\necho ${secret}\n`
    await reader.read({ ...blockOf('preparation'), text })
  },
}

function blockOf(place: string) {
  return { place, language: 'sh', terminal: 'main', stays: false, file: null, name: null }
}

// The packages are already installed, and the demo has its own test. Running commands without npm halves their startup
// time; test/cli/program.slow.test.ts runs them with npx.
const shortcuts = `
  ci) command npm run build -w sdk ;;
  run) if [ "$2" = demo ]; then :; elif [ "$2" = cli ]; then node cli/main.ts "\${@:4}"; else command npm "$@"; fi ;;`
const npx = `
npx() {
  if [ "$1" = partner-interview-admin ]; then node cli/main.ts "\${@:2}"
  elif [ "$1" = partner-interview ] && [ -d sdk ]; then node sdk/src/cli/main.ts "\${@:2}"
  else command npx "$@"; fi
}
`
const npmForFirst = `npm() { case "$1" in ${shortcuts} *) command npm "$@" ;; esac; }${npx}`
// All documents share one service.
const npmForOthers = `npm() { case "$1" in ${shortcuts} start) ;; *) command npm "$@" ;; esac; }${npx}`

/** A clone in which the SDK can be built without writing to the real one. */
function createClone(clone: string): void {
  mkdirSync(clone)
  const parts = ['server', 'cli', 'web', 'node_modules', 'package.json', 'package-lock.json', 'tsconfig.json']
  for (const part of parts) symlinkSync(join(root, part), join(clone, part))
  const isSource = (path: string) => !/[\\/](node_modules|dist)$/.test(path)
  cpSync(join(root, 'sdk'), join(clone, 'sdk'), { recursive: true, filter: isSource })
  symlinkSync(join(root, 'sdk', 'node_modules'), join(clone, 'sdk', 'node_modules'))
}

function environment(more: Record<string, string>): Record<string, string> {
  return {
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: process.env.HOME ?? '',
    WEBHOOK_RETRY_DELAY_SECONDS: '0',
    NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'),
    ...{
      npm_config_offline: 'true',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      npm_config_loglevel: 'error',
    },
    ...more,
  }
}
