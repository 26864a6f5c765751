import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { engines } from '../../support/engines.ts'
import { temporaryFolder } from '../../support/process.ts'
import { type Service, startService } from '../../support/service.ts'
import { type Block, blocksOf } from './blocks.ts'

const root = join(import.meta.dirname, '..', '..')
const path = 'docs/other-languages.md'

type Language = {
  title: string
  language: string
  file: string
  /** Succeeds if the language is installed and the packages for its client can be downloaded. */
  needs: string
  /** What the document assumes. */
  prepare?: string
}

const languages: Language[] = [
  {
    title: 'Python',
    language: 'python',
    file: 'first_call.py',
    needs: 'python3 -m venv --help',
    prepare: 'python3 -m venv .venv && . .venv/bin/activate',
  },
  {
    title: 'Go',
    language: 'go',
    file: 'main.go',
    needs: 'go version',
    prepare: 'go mod init example.com/ats',
  },
  { title: 'Java', language: 'java', file: 'FirstCall.java', needs: 'mvn --version' },
  {
    title: 'Ruby',
    language: 'ruby',
    file: 'first_call.rb',
    needs: 'ruby -e \'require "typhoeus"\'',
    prepare: 'export GEM_HOME="$PWD/gems"',
  },
  {
    title: 'PHP',
    language: 'php',
    file: 'first_call.php',
    needs: 'composer show --all guzzlehttp/guzzle',
    prepare: 'composer init --no-interaction --name example/ats',
  },
  {
    title: 'C#',
    language: 'csharp',
    file: 'FirstCall/Program.cs',
    // .NET 8 or newer, and a package source.
    needs: 'dotnet --list-sdks | grep -E "^([89]|[1-9][0-9])\\." && dotnet package search Polly --exact-match',
    prepare:
      'cp FirstCall/Program.cs Program.cs && dotnet new console -o FirstCall --force && mv Program.cs FirstCall/',
  },
]

const hasGenerator = spawnSync('openapi-generator-cli', ['version']).status === 0

describe(`the clients of ${path} compile and make their first call`, {
  skip: !hasGenerator && 'this machine has no openapi-generator-cli',
}, () => {
  let service: Service
  before(async () => {
    const [engine] = engines
    assert.ok(engine)
    service = await startService(engine)
  })
  after(() => service?.close())

  for (const { title, language, file, needs, prepare = '' } of languages) {
    const skip = spawnSync('bash', ['-c', needs]).status === 0 ? false : `this machine has no ${title}, or no packages`
    test(title, { skip }, async () => {
      await using folder = await temporaryFolder()
      const { program, commands } = sectionOf(language)
      mkdirSync(dirname(join(folder.path, file)), { recursive: true })
      writeFileSync(join(folder.path, file), program)
      // A test doesn't know its URL before it listens, so the description has another one.
      const description = JSON.parse(await (await fetch(`${service.url}/openapi-3.0.json`)).text())
      writeFileSync(join(folder.path, 'here.json'), JSON.stringify({ ...description, servers: [{ url: service.url }] }))
      const there = 'http://127.0.0.1:3000/openapi-3.0.json'
      assert.ok(commands.includes(there))
      const script = `set -euo pipefail\n${prepare}\n${commands.replace(there, 'here.json')}`
      const { key } = await service.partner()
      const options = { cwd: folder.path, env: { ...process.env, KEY: key }, maxBuffer: 64 * 1024 * 1024 }
      const { stdout } = await promisify(execFile)('bash', ['-c', script], options)
      assert.match(stdout, /tpl_\w+ SCHEDULED https?:\/\/\S+\n/)
    })
  }
})

/** The program, and the commands after it. */
function sectionOf(language: string): { program: string; commands: string } {
  const blocks: Block[] = blocksOf(root, path)
  const at = blocks.findIndex((block) => block.language === language)
  const [program, commands] = blocks.slice(at, at + 2)
  assert.ok(program?.language === language && commands?.language === 'console', `${path} has no ${language}`)
  return { program: program.text, commands: commands.text }
}
