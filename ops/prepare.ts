/** After an installation: what npm leaves to do. */
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

linkOwnPrograms()
await import('../web/prepare.ts')

/** npm links the programs of dependencies, not the project's own. Without a link, npx installs the project to run one. */
function linkOwnPrograms(): void {
  const folder = join(root, 'node_modules', '.bin')
  mkdirSync(folder, { recursive: true })
  for (const [name, path] of [...programsOf('.'), ...programsOf('sdk')]) {
    // Without dev dependencies the SDK was not built.
    if (!existsSync(join(root, path))) continue
    const link = join(folder, name)
    if (lstatSync(link, { throwIfNoEntry: false })) rmSync(link)
    // On Windows it takes a right that most people lack; npx then finds its own way.
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
