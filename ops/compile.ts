/**
 * Writes the service as JavaScript into `dist/`. A process that has no TypeScript to compile starts sooner and takes less
 * memory. Lines and columns stay where they are, so stack traces fit the sources.
 */
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'

// Node marks stripTypeScriptTypes as experimental. Nobody who installs the service can act on that.
process.removeAllListeners('warning')

const root = join(import.meta.dirname, '..')
const folders = ['server', 'cli', 'sdk/src']

// Written beside the old one and then moved into its place, so that an interrupted build leaves the old one alone.
const target = join(root, 'dist')
const building = join(root, 'dist.new')
rmSync(building, { recursive: true, force: true })
for (const folder of folders) {
  for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) compile(join(entry.parentPath, entry.name).slice(root.length + 1))
  }
}
copyFileSync(join(root, 'package.json'), join(building, 'package.json'))
// A junction, because Windows allows symbolic links only with a privilege that most users lack.
symlinkSync(process.platform === 'win32' ? join(root, 'web') : '../web', join(building, 'web'), 'junction')
rmSync(target, { recursive: true, force: true })
renameSync(building, target)

function compile(file: string): void {
  const source = join(root, file)
  const compiled = join(building, file.replace(/\.ts$/, '.js'))
  mkdirSync(dirname(compiled), { recursive: true })
  // With its mode: some are programs.
  copyFileSync(source, compiled)
  if (!/\.[jt]s$/.test(file)) return
  const code = readFileSync(source, 'utf8')
  writeFileSync(compiled, importJavaScript(file.endsWith('.ts') ? stripTypeScriptTypes(code) : code))
}

/** In imports, and in the paths of worker threads and of what the command line starts. */
function importJavaScript(code: string): string {
  return code.replace(/(['"])((?:\.{1,2}\/)?[\w./-]+)\.ts\1/g, '$1$2.js$1')
}
