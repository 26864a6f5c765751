import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from '../../support/process.ts'

type Findings = { totals: { errors: number; warnings: number; ignored: number }; problems: { message: string }[] }

/** What Redocly reports about a document with its strictest settings. */
export async function lint(document: object): Promise<Findings> {
  await using folder = await temporaryFolder()
  await writeFile(join(folder.path, 'openapi.json'), JSON.stringify(document))
  const entry = createRequire(import.meta.url).resolve('@redocly/cli/package.json')
  const script = join(dirname(entry), 'bin', 'cli.js')
  const args = [script, 'lint', 'openapi.json', '--extends=recommended-strict', '--format=json']
  const env = {
    ...{ PATH: process.env.PATH, HOME: folder.path, TMPDIR: folder.path, SystemRoot: process.env.SystemRoot },
    // No telemetry and no update checks. A proxy that doesn't exist makes sure of it.
    ...{ REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' },
    ...{ HTTP_PROXY: 'http://127.0.0.1:1', HTTPS_PROXY: 'http://127.0.0.1:1' },
  }
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder.path, env }).catch(
    (error) => error,
  )
  const { totals, problems }: Findings = JSON.parse(stdout)
  return { totals, problems }
}
