/** Runs after every installation: does what npm leaves undone, then builds the settings page. */
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const modules = join(root, 'node_modules')

linkOwnPrograms()
removeDeadWeight()
await import('../web/prepare.ts')

/** npm links the programs of dependencies, not the project's own. Without a link, npx installs the project to run one. */
function linkOwnPrograms(): void {
  const { bin }: { bin: Record<string, string> } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const folder = join(modules, '.bin')
  mkdirSync(folder, { recursive: true })
  for (const [name, path] of Object.entries(bin)) {
    const link = join(folder, name)
    if (lstatSync(link, { throwIfNoEntry: false })) rmSync(link)
    // Windows allows symbolic links only with a privilege that most users lack. npx finds the program without one.
    if (process.platform !== 'win32') symlinkSync(join('..', '..', path), link)
  }
}

/**
 * A hundred megabytes that nothing here reads: headers for compiling Node add-ons, add-ons for the Bare runtime, and
 * source maps of dependencies.
 */
function removeDeadWeight(): void {
  for (const name of readdirSync(modules)) {
    if (/^node-(bin-)?(darwin|linux|win)-/.test(name)) remove(name, 'include')
    if (/^bare-/.test(name)) remove(name, 'prebuilds')
  }
  for (const file of readdirSync(modules, { recursive: true, withFileTypes: true })) {
    if (file.isFile() && /\.([cm]?[jt]s|css)\.map$/.test(file.name)) rmSync(join(file.parentPath, file.name))
  }
}

function remove(...path: string[]): void {
  rmSync(join(modules, ...path), { recursive: true, force: true })
}
