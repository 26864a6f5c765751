import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Environment } from './api-data.ts'
import type { Checkout } from './api-server.ts'

/** One of the compared versions. */
export type Version = Checkout & {
  name: 'old' | 'new' | 'bare'
  commit: string
  /** The script to start in the measured rounds. The data is always prepared by the real server. */
  script: string
}

const run = promisify(execFile)

/** The version in this checkout, next to those it is compared with. */
export async function versionsOf({ against, bare }: { against: string | null; bare: boolean }): Promise<Version[]> {
  const present = await openVersion('new', join(import.meta.dirname, '..'))
  return [
    ...(against === null ? [] : [await openVersion('old', against)]),
    present,
    ...(bare ? [{ ...present, name: 'bare' as const, script: 'bench/bare-live-server.ts' }] : []),
  ]
}

async function openVersion(name: Version['name'], directory: string): Promise<Version> {
  if (!existsSync(join(directory, 'server/main.ts')) || !existsSync(join(directory, 'node_modules'))) {
    throw new Error(`There is no installed checkout of the service in ${directory}`)
  }
  const own = join(directory, 'node_modules/.bin/node')
  const node = existsSync(own) ? own : process.execPath
  const compiled = 'dist/server/main.js'
  const script = existsSync(join(directory, compiled)) ? compiled : 'server/main.ts'
  return { name, directory, node, script, commit: await commitOf(directory) }
}

async function commitOf(directory: string): Promise<string> {
  const described = run('git', ['describe', '--always', '--dirty', '--exclude=*'], { cwd: directory })
  return described.then(
    ({ stdout }) => stdout.trim(),
    () => 'unknown',
  )
}

/** Runs a command of the version's own command line. */
export async function runCommand<Output>(version: Version, environment: Environment, args: string[]): Promise<Output> {
  const env = { PATH: process.env.PATH, ...environment }
  const { stdout } = await run(version.node, ['cli/main.ts', ...args, '--json'], { cwd: version.directory, env })
  return JSON.parse(stdout)
}
