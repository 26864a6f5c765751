import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

export type Source = { path: string; text: string }

/** `to` is a path from the project's root if the file is ours, otherwise a module name. `names` are the imported values. */
export type Import = { from: string; to: string; ours: boolean; names: string[] }

export function sourcesUnder(folder: string): Source[] {
  const root = join(import.meta.dirname, '..', '..')
  let entries: string[] = []
  try {
    entries = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  } catch {
    return []
  }
  return entries
    .map((entry) => posix.join(folder, entry.replaceAll('\\', '/')))
    .filter((path) => /\.tsx?$/.test(path) && !/(^|\/)(node_modules|dist)\//.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

export function importsOf({ path, text }: Source): Import[] {
  const fromClauses = text.matchAll(/^(?:import|export)\s+(type\s+)?([^'";=]*?)\s*from\s*'([^']+)'/gm)
  const bare = text.matchAll(/^import\s*'([^']+)'/gm)
  const called = text.matchAll(/\b(?:import|require|resolve)\(\s*'([^']+)'/g)
  const found = [
    ...[...fromClauses].map(([, type, names = '', to = '']) => ({ to, names: type ? [] : valuesIn(names) })),
    ...[...bare, ...called].map(([, to = '']) => ({ to, names: ['*'] })),
  ]
  return found.map(({ to, names }) => {
    const ours = to.startsWith('.')
    return { from: path, to: ours ? posix.join(dirname(path), to) : to, ours, names }
  })
}

/** The values in an import clause. Types are left out: they are gone before the program runs. */
function valuesIn(clause: string): string[] {
  return clause
    .replace(/[{}]/g, ',')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))
    .map((name) => name.replace(/\s+as\s.*$/, ''))
}

/** Type-only imports count: a cycle of types couples files just the same. */
export function cyclesIn(imports: Import[]): string[] {
  const imported = Map.groupBy(
    imports.filter(({ ours }) => ours),
    ({ from }) => from,
  )
  const done = new Set<string>()
  const visit = (file: string, path: string[]): string[] => {
    if (path.includes(file)) return [[...path.slice(path.indexOf(file)), file].join(' → ')]
    if (done.has(file)) return []
    const found = (imported.get(file) ?? []).flatMap(({ to }) => visit(to, [...path, file]))
    done.add(file)
    return found
  }
  return [...imported.keys()].flatMap((file) => visit(file, []))
}
