import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { type Folder, temporaryFolder } from '../../support/process.ts'
import { blocksOf } from './blocks.ts'
import { drivers } from './drivers.ts'

type Vector = { name: string; genuine: boolean; secret: string; now: number; header: string | null; bodyBase64: string }

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
