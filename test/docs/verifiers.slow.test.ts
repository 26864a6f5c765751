import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { type Folder, temporaryFolder } from '../../support/process.ts'
import * as page from '../../web/src/webhook/snippets.ts'
import { blocksOf } from './blocks.ts'
import { drivers } from './drivers.ts'

type Vector = {
  name: string
  genuine: boolean
  reason: string | null
  secret: string
  now: number
  header: string | null
  bodyBase64: string
}

const root = join(import.meta.dirname, '..', '..')
const { vectors }: { vectors: Vector[] } = JSON.parse(readFileSync(join(root, 'sdk', 'vectors.json'), 'utf8'))
const blocks = blocksOf(root, 'docs/webhooks.md')

describe('the verifiers in docs/webhooks.md judge every vector correctly · SIG-4', () => {
  let folder: Folder
  before(async () => {
    folder = await temporaryFolder()
  })
  after(() => folder[Symbol.asyncDispose]())

  test('TypeScript', async () => {
    const file = join(folder.path, 'verifier.mts')
    writeFileSync(file, snippet('ts', 'isGenuine'))
    const { isGenuine }: { isGenuine(body: Buffer, header: string, secret: string, now: number): boolean } =
      await import(pathToFileURL(file).href)
    const verdicts = vectors.map(({ bodyBase64, header, secret, now }) => {
      try {
        return isGenuine(Buffer.from(bodyBase64, 'base64'), header ?? '', secret, now) ? '1' : '0'
      } catch {
        return 'error'
      }
    })
    assert.deepEqual(misjudged(verdicts), [])
  })

  for (const { language, title, name, needs, files, run } of drivers) {
    const [needed, ...proof] = needs
    const skip = spawnSync(needed, proof).status === 0 ? false : `this machine has no ${needed}`
    test(title, { skip }, async () => {
      for (const [file, text] of Object.entries(files(snippet(language, name)))) {
        writeFileSync(join(folder.path, file), text)
      }
      const [program, ...args] = run
      const running = promisify(execFile)(program, args, { cwd: folder.path })
      running.child.stdin?.end(vectors.map(lineOf).join(''))
      const { stdout } = await running
      const verdicts = stdout
        .trim()
        .split('\n')
        .map((line) => line.trim())
      assert.equal(verdicts.length, vectors.length)
      assert.deepEqual(misjudged(verdicts), [])
    })
  }
})

test('the shell verifier accepts nothing without openssl', () => {
  const script = `openssl() { return 127; }
${snippet('sh', 'is_genuine()')}
is_genuine /dev/null "t=$(date +%s),v1=" secret`
  assert.equal(spawnSync('sh', ['-c', script]).status, 1)
})

describe('the verifiers on the settings page', () => {
  let folder: Folder
  before(async () => {
    folder = await temporaryFolder()
  })
  after(() => folder[Symbol.asyncDispose]())

  test('the shell one is that of docs/webhooks.md, and reports a sample right', () => {
    assert.ok(
      page.shell.startsWith(snippet('sh', 'is_genuine()')),
      'Copy the function into web/src/webhook/snippets.ts',
    )
    const [secret, body] = ['whsec_0123456789abcdef', '{"resultId":"res_1"}']
    writeFileSync(join(folder.path, 'body.json'), body)
    const t = Math.floor(Date.now() / 1000)
    const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')
    const said = (signature: string) => {
      const env = { ...process.env, SIGNATURE: signature, PARTNER_WEBHOOK_SECRET: secret }
      return spawnSync('sh', ['-c', page.shell], { cwd: folder.path, env, encoding: 'utf8' }).stdout
    }
    assert.deepEqual(
      [`t=${t},v1=${v1}`, `t=${t},v1=${v1}zz`, `t=${t},v1=`, 't=now,v1=', `t=09,v1=${v1}`, `nott=${t},v1=${v1}`].map(
        said,
      ),
      ['valid\n', ...Array(5).fill('invalid\n')],
    )
  })

  test('the TypeScript one responds to every vector as the SDK says', async ({ mock }) => {
    const file = join(folder.path, 'receive.mts')
    const sdk = pathToFileURL(join(root, 'sdk', 'src', 'index.ts')).href
    writeFileSync(file, `const store = async () => {}\n${page.typescript.replace('@partner-interview/sdk', sdk)}`)
    type Sent = { arrayBuffer(): Promise<Uint8Array>; headers: Record<string, string> }
    const { receive }: { receive(request: Sent): Promise<Response> } = await import(pathToFileURL(file).href)
    mock.timers.enable({ apis: ['Date'] })
    for (const { name, genuine, reason, secret, now, header, bodyBase64 } of vectors) {
      mock.timers.setTime(now * 1000)
      process.env.PARTNER_WEBHOOK_SECRET = secret
      const receiving = receive({
        arrayBuffer: async () => Buffer.from(bodyBase64, 'base64'),
        headers: header === null ? {} : { 'x-service-signature': header },
      })
      if (secret === '') await assert.rejects(receiving, TypeError)
      else assert.equal((await receiving).status, reason === null ? 200 : genuine ? 400 : 401, name)
    }
  })
})

/** The block with the verifier in this language. */
function snippet(language: string, name: string): string {
  const found = blocks.find((block) => block.language === language && block.text.includes(name))
  assert.ok(found, `docs/webhooks.md has no ${name} in ${language}`)
  return found.text
}

/** Header, secret and body in Base64, so that every language can split the line, and the time. A dash means empty. */
function lineOf({ header, secret, bodyBase64, now }: Vector): string {
  const encode = (text: string) => Buffer.from(text).toString('base64')
  return `${[encode(header ?? ''), encode(secret), bodyBase64, now].map((part) => part || '-').join(' ')}\n`
}

function misjudged(verdicts: string[]): string[] {
  return vectors.filter((vector, index) => verdicts[index] !== expected(vector)).map(({ name }) => name)
}

function expected({ secret, genuine }: Vector): string {
  if (secret === '') return 'error'
  return genuine ? '1' : '0'
}
