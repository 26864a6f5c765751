/**
 * Makes a release: node ops/release.ts <version> [--dry-run]
 *
 * Sets the version, dates the changelog, commits, tags, and packs the SDK. It publishes and pushes nothing. A dry run does
 * the same on a copy of the working tree and then deletes the copy.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const args = process.argv.slice(2)
const [version = ''] = args.filter((arg) => !arg.startsWith('--'))

try {
  if (!/^\d+\.\d+\.\d+$/.test(version))
    throw new Error('Usage: node ops/release.ts <version> [--dry-run], such as 1.2.3')
  if (args.includes('--dry-run')) {
    const folder = copyTree()
    try {
      release(folder)
      say('Dry run: nothing was changed here.')
    } finally {
      rmSync(folder, { recursive: true })
    }
  } else {
    if (git(root, 'status', '--porcelain') !== '') throw new Error('Commit or discard your changes first')
    release(root)
    say(`Next: git push --follow-tags, and npm publish -w sdk or attach the tarball to the release.`)
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}

function release(folder: string): void {
  const { version: current }: { version: string } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  if (!isNewer(version, current)) throw new Error(`${version} is not newer than ${current}`)
  const path = join(folder, 'CHANGELOG.md')
  const { text, section } = dateChangelog(readFileSync(path, 'utf8'))
  writeFileSync(path, text)
  const everywhere = ['--workspaces', '--include-workspace-root', '--no-git-tag-version', '--no-workspaces-update']
  npm(folder, 'version', version, ...everywhere)
  // Offline: this only writes the new version of the workspaces into the lock file.
  npm(folder, 'install', '--package-lock-only', '--ignore-scripts', '--offline')
  git(folder, 'commit', '--all', '--quiet', `--message=Release ${version}`)
  git(folder, 'tag', '--annotate', `v${version}`, `--message=Version ${version}`)
  const [packed]: { filename: string; entryCount: number }[] = JSON.parse(npm(folder, 'pack', '-w', 'sdk', '--json'))
  say(section)
  say(`Version ${current} → ${version}`)
  say(`Commit  ${git(folder, 'log', '-1', '--format=%s')}`)
  say(`Tag     ${git(folder, 'describe', '--exact-match')}`)
  say(`Tarball ${packed?.filename} with ${packed?.entryCount} files`)
}

/** Moves the unreleased changes into a section of their own. */
function dateChangelog(changelog: string): { text: string; section: string } {
  const [before, rest] = changelog.split(/^## \[Unreleased\]\n/m)
  if (before === undefined || rest === undefined) throw new Error('CHANGELOG.md has no section "## [Unreleased]"')
  const [changes = ''] = rest.split(/^## /m)
  if (changes.trim() === '') throw new Error('CHANGELOG.md has no unreleased changes')
  const heading = `## [${version}] - ${new Date().toISOString().slice(0, 10)}`
  return { text: `${before}## [Unreleased]\n\n${heading}\n${rest}`, section: `${heading}\n${changes}` }
}

function isNewer(version: string, current: string): boolean {
  return version.localeCompare(current, 'en', { numeric: true }) > 0
}

/** A repository with the files of this one as they are now, and with its packages. */
function copyTree(): string {
  const folder = mkdtempSync(join(tmpdir(), 'release-'))
  const files = git(root, 'ls-files', '--cached', '--others', '--exclude-standard', '-z').split('\0').filter(Boolean)
  for (const file of files) if (existsSync(join(root, file))) cpSync(join(root, file), join(folder, file))
  for (const modules of ['node_modules', 'sdk/node_modules']) symlinkSync(join(root, modules), join(folder, modules))
  git(folder, 'init', '--quiet')
  // .gitignore ignores folders of this name, and here it's a link.
  writeFileSync(join(folder, '.git', 'info', 'exclude'), 'node_modules\n')
  git(folder, 'add', '--all')
  git(folder, 'commit', '--quiet', '--message=Before the release')
  return folder
}

function git(folder: string, ...args: string[]): string {
  // A copy is thrown away: it needs a name for its commits, but not anyone's.
  const identity = folder === root ? [] : ['-c', 'user.name=Release', '-c', 'user.email=release@example.com']
  return execFileSync('git', [...identity, ...args], { cwd: folder, encoding: 'utf8' }).trim()
}

function npm(folder: string, ...args: string[]): string {
  return execFileSync('npm', args, { cwd: folder, encoding: 'utf8', shell: process.platform === 'win32' })
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
