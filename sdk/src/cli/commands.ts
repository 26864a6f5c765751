import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { explain } from '../explain.ts'
import { checkReceiver } from './check-receiver.ts'
import { listen } from './listen.ts'
import { apiHint, callServer, defaultServer, findServer, tokenVariable } from './listen-server.ts'
import { printable } from './printable.ts'
import { reportCheck, reportExplanation } from './report.ts'
import { findSecret, secretVariable } from './secret.ts'

export type CommandResult = { status: 0 | 1 | 2; stdout: string; stderr: string }

const usage = `Usage:
  partner-interview listen --forward-to <url> [--server <url>] [--token <token>]
  partner-interview listen --print [--server <url>] [--token <token>]
  partner-interview trigger [--server <url>] [--token <token>]
  partner-interview check-receiver <url> [--secret <secret>] [--count-url <url>] [--json]
  partner-interview verify-signature --header <signature> --body-file <file> [--secret <secret>] [--at <time>] [--json]

listen copies events to a receiver on your machine, or prints them.
trigger sends a sample event to everyone who listens.
check-receiver sends test events to your receiver and tells you what to change.
verify-signature tells you whether a signature is valid, and if not, why.

Run a command with --help for its options. --version prints the version.
`

const secretAndStatus = `The signing secret comes from --secret, from ${secretVariable}, or from a prompt. It is never printed.
Exit status: 0 if all is well, 1 if something is wrong, 2 if the command could not run.
`

const checkUsage = `Usage: partner-interview check-receiver <url> [--secret <secret>] [--count-url <url>] [--json]

Sends genuine, forged, old, repeated, large, slow and unusual events to a receiver of result.completed, and tells you
what to change. The events have result IDs that start with sample_.

  <url>          where the receiver listens, such as http://localhost:4000/webhooks/interviews
  --secret       the receiver's signing secret
  --count-url    a URL with {resultId} in it that returns how many times the receiver processed that result;
                 without it the check cannot see whether a repeat was processed once
  --json         print one JSON object, for scripts

For a certificate from your own authority, set NODE_EXTRA_CA_CERTS to the authority's file.
${secretAndStatus}`

const verifyUsage = `Usage: partner-interview verify-signature --header <signature> --body-file <file> [options]

Checks a request you saved. If the signature does not match, it undoes the usual mistakes until it finds the one that
was made: a body that was parsed first, a secret with quotes, a clock that is off, and many more.

  --header       the value of X-Service-Signature, or "Name: value"; repeat it to pass several headers
  --body-file    the raw body, byte for byte
  --secret       the signing secret
  --at           when the request arrived, such as 2026-01-02T03:04:05Z, or in Unix seconds (default: now)
  --json         print one JSON object, for scripts

${secretAndStatus}`

const serverAndToken = `  --server       the address of the API (default: ${defaultServer})
  --token        a listen token; default: ${tokenVariable}`

const listenUsage = `Usage: partner-interview listen (--forward-to <url> | --print) [--server <url>] [--token <token>]

Connects to the service and sends a copy of every event of your organization to a receiver on this machine: no public
address, no tunnel, no certificate. Copies have the same headers and bytes as a real delivery, and are signed with a
secret of their own, which it prints. Real deliveries are not affected.

  --forward-to   where your receiver listens, such as http://localhost:4000/webhooks/interviews
  --print        print the events instead
${serverAndToken}

It reconnects by itself and continues where it was. Stop it with Ctrl-C.
`

const triggerUsage = `Usage: partner-interview trigger [--server <url>] [--token <token>]

Sends a sample event to everyone who listens to your organization. Its result ID starts with sample_.

${serverAndToken}
`

export type Terminal = {
  /** Shows a line at once, while a command is still running. */
  print(line: string): void
  /** Aborted when the user wants to stop. */
  signal: AbortSignal
}

const noTerminal: Terminal = { print: () => {}, signal: new AbortController().signal }

/** Runs one command. The first argument is its name. */
export async function runCommand(args: string[], terminal = noTerminal): Promise<CommandResult> {
  const [command, ...rest] = args
  try {
    if (command === 'listen') return await runListen(rest, terminal)
    if (command === 'trigger') return await trigger(rest)
    if (command === 'check-receiver') return await check(rest)
    if (command === 'verify-signature') return await verifySignature(rest)
    if (command === '--help' || command === '-h' || command === 'help') return { status: 0, stdout: usage, stderr: '' }
    if (command === '--version') return { status: 0, stdout: `${await readVersion()}\n`, stderr: '' }
    return cannotRun(command === undefined ? usage : `Unknown command: ${command}\n\n${usage}`)
  } catch (error) {
    // An option that parseArgs does not know, or a file that cannot be read.
    if (error instanceof Error && 'code' in error) return cannotRun(`${error.message}\n`)
    throw error
  }
}

async function readVersion(): Promise<string> {
  return JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')).version
}

const helpOption = { help: { type: 'boolean', short: 'h' } } as const

const serverOptions = { ...helpOption, server: { type: 'string' }, token: { type: 'string' } } as const

async function runListen(args: string[], terminal: Terminal): Promise<CommandResult> {
  const options = { ...serverOptions, 'forward-to': { type: 'string' }, print: { type: 'boolean' } } as const
  const { values } = parseArgs({ args, options })
  if (values.help) return { status: 0, stdout: listenUsage, stderr: '' }
  const { 'forward-to': address, print = false, server: given, token } = values
  if ((address === undefined) !== print) {
    return cannotRun(`Pass either --forward-to or --print.\n\n${listenUsage}`)
  }
  if (address !== undefined && !isWebAddress(address)) {
    return cannotRun(`--forward-to must start with http:// or https://, not ${address}\n`)
  }
  const server = findServer({ server: given, token })
  if ('fault' in server) return cannotRun(`${server.fault}\n`)
  const problem = await listen({ ...terminal, server, forwardTo: address === undefined ? null : new URL(address) })
  return problem === null ? { status: 0, stdout: '', stderr: '' } : { status: 1, stdout: '', stderr: `${problem}\n` }
}

const triggerSeconds = 30

async function trigger(args: string[]): Promise<CommandResult> {
  const { values } = parseArgs({ args, options: serverOptions })
  if (values.help) return { status: 0, stdout: triggerUsage, stderr: '' }
  const server = findServer({ server: values.server, token: values.token })
  if ('fault' in server) return cannotRun(`${server.fault}\n`)
  const late = new AbortController()
  const giveUp = () => late.abort(new Error(`no answer within ${triggerSeconds} seconds`))
  const timer = setTimeout(giveUp, triggerSeconds * 1000)
  const sent = await callServer(server, '/listen/samples', { method: 'POST', signal: late.signal })
  const resultId = sent.ok ? resultIdIn(await sent.response.json().catch(() => null)) : null
  clearTimeout(timer)
  if (!sent.ok) return { status: 1, stdout: '', stderr: `${sent.reason}\n` }
  if (resultId === null) {
    const problem = late.signal.aborted
      ? `did not finish its answer within ${triggerSeconds} seconds.`
      : `answered without a result ID. ${apiHint}`
    return { status: 1, stdout: '', stderr: `${server.url} ${problem}\n` }
  }
  return { status: 0, stdout: `Sent ${printable(resultId)} to everyone who listens.\n`, stderr: '' }
}

function resultIdIn(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('resultId' in body)) return null
  return typeof body.resultId === 'string' ? body.resultId : null
}

async function check(args: string[]): Promise<CommandResult> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { ...helpOption, secret: { type: 'string' }, 'count-url': { type: 'string' }, json: { type: 'boolean' } },
  })
  if (values.help) return { status: 0, stdout: checkUsage, stderr: '' }
  const [address, ...others] = positionals
  if (address === undefined || others.length > 0) return cannotRun(checkUsage)
  return runCheck({ address, secret: values.secret, countUrl: values['count-url'], json: values.json })
}

export type CheckArguments = {
  address: string
  secret: string | undefined
  countUrl: string | undefined
  json: boolean | undefined
}

export async function runCheck({ address, secret: given, countUrl, json }: CheckArguments): Promise<CommandResult> {
  if (!isWebAddress(address)) return cannotRun(`The URL must start with http:// or https://, not ${address}\n`)
  if (countUrl !== undefined && !isWebAddress(countUrl)) {
    return cannotRun(`--count-url must start with http:// or https://, not ${countUrl}\n`)
  }
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
      ...helpOption,
      header: { type: 'string', multiple: true },
      'body-file': { type: 'string' },
      secret: { type: 'string' },
      at: { type: 'string' },
      json: { type: 'boolean' },
    },
  })
  if (values.help) return { status: 0, stdout: verifyUsage, stderr: '' }
  const { header: headers, 'body-file': file, at = new Date().toISOString() } = values
  if (headers === undefined || file === undefined) return cannotRun(verifyUsage)
  const now = new Date(/^\d{10}$/.test(at) ? Number(at) * 1000 : at)
  if (Number.isNaN(now.getTime())) {
    return cannotRun(`--at must be a time such as 2026-01-02T03:04:05Z or Unix seconds, not ${at}\n`)
  }
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

const noSecret = `The signing secret is missing. Pass --secret or set ${secretVariable}.\n`

function isWebAddress(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text)
}

function cannotRun(stderr: string): CommandResult {
  return { status: 2, stdout: '', stderr }
}
