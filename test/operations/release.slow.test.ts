import assert from 'node:assert/strict'
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { type Folder, temporaryFolder } from '../../support/process.ts'

const root = join(import.meta.dirname, '..', '..')
const hasGit = spawnSync('git', ['rev-parse'], { cwd: root }).status === 0
const identity = {
  GIT_CONFIG_COUNT: '2',
  ...config(0, 'user.name', 'Test'),
  ...config(1, 'user.email', 'test@example.com'),
}
const env = { ...process.env, ...identity }

describe('a release', { skip: !hasGit && 'this is not a git repository' }, () => {
  let folder: Folder
  let version: string
  before(async () => {
    folder = await temporaryFolder()
    copyRepository(folder.path)
    version = versionIn('package.json')
  })
  after(() => folder?.[Symbol.asyncDispose]())

  test('in a dry run shows what it would do and changes nothing', async () => {
    const { stdout } = await release('999.0.0', '--dry-run')
    const today = new Date().toISOString().slice(0, 10)
    assert.ok(stdout.startsWith(`## [999.0.0] - ${today}\n\n- Something new.\n`), stdout)
    assert.ok(stdout.includes(`Version ${version} → 999.0.0\nCommit  Release 999.0.0\nTag     v999.0.0\n`), stdout)
    const end = /Tarball partner-interview-sdk-999\.0\.0\.tgz with \d\d+ files\nDry run: nothing was changed here\.\n$/
    assert.match(stdout, end)
    assert.equal(git('status', '--porcelain') + git('tag'), '')
  })

  test('needs a newer version and a clean working tree', async () => {
    const fails = async (message: string, ...args: string[]) => {
      const failed = await release(...args).catch((error) => error)
      assert.deepEqual([failed.code, failed.stderr], [1, `${message}\n`])
    }
    await fails('Usage: node ops/release.ts <version> [--dry-run], such as 1.2.3')
    await fails(`${version} is not newer than ${version}`, version, '--dry-run')
    writeFileSync(join(folder.path, 'new.txt'), '')
    await fails('Commit or discard your changes first', '999.0.0')
    git('clean', '--force', '--quiet')
  })

  test('sets the version everywhere, dates the changelog, commits, tags and packs the SDK', async () => {
    await release('999.0.0')
    const files = [
      'package.json',
      'package-lock.json',
      'sdk/package.json',
      'sdk/generate/package.json',
      'web/package.json',
    ]
    assert.deepEqual(files.map(versionIn), Array(files.length).fill('999.0.0'))
    assert.match(read('CHANGELOG.md'), /\n## \[Unreleased\]\n\n## \[999\.0\.0\] - [\d-]{10}\n\n- Something new\.\n/)
    assert.equal(git('describe', '--exact-match').trim(), 'v999.0.0')
    assert.equal(git('status', '--porcelain'), '')
    assert.ok(existsSync(join(folder.path, 'partner-interview-sdk-999.0.0.tgz')))
    const again = await release('999.0.1').catch((error) => error)
    assert.equal(again.stderr, 'CHANGELOG.md has no unreleased changes\n')
  })

  function copyRepository(path: string): void {
    const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: root })
    for (const file of listed.toString().split('\0').filter(Boolean)) {
      if (existsSync(join(root, file))) cpSync(join(root, file), join(path, file))
    }
    for (const modules of ['node_modules', 'sdk/node_modules']) symlinkSync(join(root, modules), join(path, modules))
    const changelog = read('CHANGELOG.md').replace('## [Unreleased]\n', '## [Unreleased]\n\n- Something new.\n')
    writeFileSync(join(path, 'CHANGELOG.md'), changelog)
    git('init', '--quiet')
    writeFileSync(join(path, '.git', 'info', 'exclude'), 'node_modules\n')
    git('add', '--all')
    git('commit', '--quiet', '--message=Before')
  }

  function release(...args: string[]) {
    return promisify(execFile)(process.execPath, ['ops/release.ts', ...args], { cwd: folder.path, env })
  }

  function git(...args: string[]): string {
    return execFileSync('git', args, { cwd: folder.path, env, encoding: 'utf8' })
  }

  function versionIn(path: string): string {
    return JSON.parse(read(path)).version
  }

  function read(path: string): string {
    return readFileSync(join(folder.path, path), 'utf8')
  }
})

function config(index: number, key: string, value: string): Record<string, string> {
  return { [`GIT_CONFIG_KEY_${index}`]: key, [`GIT_CONFIG_VALUE_${index}`]: value }
}
