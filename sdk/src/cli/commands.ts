import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { explain } from '../explain.ts'
import { checkReceiver } from './check-receiver.ts'
import { reportCheck, reportExplanation } from './report.ts'
import { findSecret, secretVariable } from './secret.ts'

export type CommandResult = { status: 0 | 1 | 2; stdout: string; stderr: string }

export const usage = `Usage:
  partner-interview check-receiver <url> [--secret <secret>] [--count-url <url>] [--json]
  partner-interview verify-signature --header <signature> --body-file <file> [--secret <secret>] [--at <time>] [--json]

check-receiver sends probes to a receiver of result.completed and says what to change.
  --count-url   an address, with {resultId} in it, that answers how often a result was processed

verify-signature says whether a signature is right, and if not, why.
  --header      the value of X-Service-Signature, or "Name: value"; may be given several times
  --body-file   the raw body, byte for byte
  --at          when the request came in, such as 2026-01-02T03:04:05Z; now unless told

The signing secret comes from --secret, from ${secretVariable}, or from a question. It is never printed.
Exit status: 0 all is well, 1 a fault was found, 2 the command cannot run.
`

/** One command with its arguments, from the first word on. */
export async function runCommand(args: string[]): Promise<CommandResult> {
  const [command, ...rest] = args
  try {
    if (command === 'check-receiver') return await check(rest)
    if (command === 'verify-signature') return await verifySignature(rest)
    if (command === '--help' || command === 'help') return { status: 0, stdout: usage, stderr: '' }
    return cannotRun(command === undefined ? usage : `There is no command ${command}.\n\n${usage}`)
  } catch (error) {
    // An option that parseArgs does not know, or a file that cannot be read.
    if (error instanceof Error && 'code' in error) return cannotRun(`${error.message}\n`)
    throw error
  }
}

async function check(args: string[]): Promise<CommandResult> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { secret: { type: 'string' }, 'count-url': { type: 'string' }, json: { type: 'boolean' } },
  })
  const [address, ...others] = positionals
  if (address === undefined || others.length > 0) return cannotRun(usage)
  return runCheck({ address, secret: values.secret, countUrl: values['count-url'], json: values.json })
}

export type CheckArguments = {
  address: string
  secret: string | undefined
  countUrl: string | undefined
  json: boolean | undefined
}

export async function runCheck({ address, secret: given, countUrl, json }: CheckArguments): Promise<CommandResult> {
  if (!/^https?:/.test(address) || !URL.canParse(address))
    return cannotRun(`${address} is not an http or https address.\n`)
  const secret = await findSecret(given)
  if (secret === null) return cannotRun(noSecret)
  const result = await checkReceiver({ url: new URL(address), secret, countUrl: countUrl ?? null })
  const stdout = json ? `${JSON.stringify(result)}\n` : reportCheck(result)
  return { status: result.ok ? 0 : 1, stdout, stderr: '' }
}

async function verifySignature(args: string[]): Promise<CommandResult> {
  const { values } = parseArgs({
    args,
    options: {
      header: { type: 'string', multiple: true },
      'body-file': { type: 'string' },
      secret: { type: 'string' },
      at: { type: 'string' },
      json: { type: 'boolean' },
    },
  })
  const { header: headers, 'body-file': file, at = new Date().toISOString() } = values
  if (headers === undefined || file === undefined) return cannotRun(usage)
  const now = new Date(at)
  if (Number.isNaN(now.getTime())) return cannotRun(`${at} is not a time such as 2026-01-02T03:04:05Z.\n`)
  const body = await readFile(file)
  const secret = await findSecret(values.secret)
  if (secret === null) return cannotRun(noSecret)
  const explanation = await explain(body, Object.fromEntries(headers.map(nameAndValue)), secret, { now })
  const stdout = values.json ? `${JSON.stringify(explanation)}\n` : reportExplanation(explanation)
  return { status: explanation.genuine ? 0 : 1, stdout, stderr: '' }
}

function nameAndValue(header: string): [name: string, value: string] {
  const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(header) ?? []
  return name === undefined || value === undefined ? ['x-service-signature', header] : [name, value]
}

const noSecret = `The signing secret is missing: give --secret or set ${secretVariable}.\n`

function cannotRun(stderr: string): CommandResult {
  return { status: 2, stdout: '', stderr }
}
