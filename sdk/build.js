// JavaScript, because it also runs where the repository's own Node has not been installed yet.
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const folder = import.meta.dirname
const compiler = join(folder, '..', 'node_modules', 'typescript', 'bin', 'tsc')
const isInstall = process.argv.includes('--install')

if (isInstall && process.env.npm_command === 'exec') {
  // npx links the project to run its program. It was built when it was installed.
} else if (existsSync(compiler)) {
  // What a file that has since been deleted was compiled to must not be published.
  rmSync(join(folder, 'dist'), { recursive: true, force: true })
  execFileSync(process.execPath, [compiler, '-p', join(folder, 'tsconfig.build.json')], { stdio: 'inherit' })
  // npm makes a program executable when it installs a package, but in the repository it was built only now.
  chmodSync(join(folder, 'dist', 'cli', 'main.js'), 0o755)
} else if (isInstall) {
  // An installation without dev dependencies runs the service, which does not need the package.
} else {
  console.error('TypeScript is not installed. Run npm ci in the repository first.')
  process.exitCode = 1
}
