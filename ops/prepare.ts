/** Runs after every installation: does what npm leaves undone, then builds the service and the settings page. */
import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const modules = join(root, 'node_modules')

// npx links the project to run its program, and has this run as well. Twice at once, one would fail.
if (process.env.npm_command !== 'exec') {
  linkOwnPrograms()
  removeDeadWeight()
  // In a process of its own, because it turns off warnings.
  execFileSync(process.execPath, [join(import.meta.dirname, 'compile.ts')])
  await import('../web/prepare.ts')
}

/** npm links the programs of dependencies, not the project's own. Without a link, npx installs the project to run one. */
function linkOwnPrograms(): void {
  const folder = join(modules, '.bin')
  mkdirSync(folder, { recursive: true })
  for (const [name, path] of [...programsOf('.'), ...programsOf('sdk')]) {
    // Without dev dependencies the SDK was not built.
    if (!existsSync(join(root, path))) continue
    const link = join(folder, name)
    if (lstatSync(link, { throwIfNoEntry: false })) rmSync(link)
    // Windows allows symbolic links only with a privilege that most users lack. npx finds the program without one.
    if (process.platform !== 'win32') symlinkSync(join('..', '..', path), link)
  }
}

/** The programs of a package, as paths from the root. */
function programsOf(folder: string): [name: string, path: string][] {
  const file = join(root, folder, 'package.json')
  if (!existsSync(file)) return []
  const { bin }: { bin: Record<string, string> } = JSON.parse(readFileSync(file, 'utf8'))
  return Object.entries(bin).map(([name, path]) => [name, join(folder, path)])
}

/**
 * 130 megabytes that nothing here reads: headers for compiling Node add-ons, add-ons for the Bare runtime, source maps of
 * dependencies, and what packages bring for bundlers, old compilers, `require` or their own tests.
 */
function removeDeadWeight(): void {
  for (const name of readdirSync(modules)) {
    if (/^node-(bin-)?(darwin|linux|win)-/.test(name)) remove(name, 'include')
    if (/^bare-/.test(name)) remove(name, 'prebuilds')
  }
  for (const name of [...packagesIn('@aws-sdk'), ...packagesIn('@smithy')]) {
    remove(name, 'dist-es')
    remove(name, 'dist-types', 'ts3.4')
  }
  // The SQS server of the tests imports only types from its S3 and SNS clients.
  for (const name of ['client-s3', 'client-sns', 'middleware-sdk-s3', 'checksums']) remove('@aws-sdk', name)
  for (const name of packagesIn('@mantine')) remove(name, 'cjs')
  remove('kysely', 'dist', 'cjs')
  remove('bintrees', 'test')
  for (const name of ['zod', ...packagesIn('@tanstack')]) remove(name, 'src')
  for (const file of readdirSync(modules, { recursive: true, withFileTypes: true })) {
    if (file.isFile() && /\.([cm]?[jt]s|css)\.map$/.test(file.name)) rmSync(join(file.parentPath, file.name))
  }
}

function packagesIn(scope: string): string[] {
  const folder = join(modules, scope)
  return existsSync(folder) ? readdirSync(folder).map((name) => join(scope, name)) : []
}

function remove(...path: string[]): void {
  rmSync(join(modules, ...path), { recursive: true, force: true })
}
