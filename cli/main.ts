import { createInterface } from 'node:readline/promises'
import pino from 'pino'
import { type Config, readConfig } from '../server/config.ts'
import { DirectoryInUse } from '../server/database/data-directory.ts'
import { connectionProblem } from '../server/database/failures.ts'
import { nameOf, openExistingStore } from '../server/database/open-store.ts'
import { openServices, type Services } from '../server/services.ts'
import { type CommandResult, handOver } from './handover.ts'
import { runCommand } from './program.ts'
import { readSecretFiles } from './secret-files.ts'

// Standard output is for the result alone. Everything else goes to standard error.
const quiet = pino({ level: 'warn' }, pino.destination({ fd: 2, sync: true }))
const args = process.argv.slice(2)
const json = args.includes('--json')
let isNamed = false
const first = await perform(args).catch((error: unknown) => failed(faultText(error)))
const result = await confirmed(first)
await write(process.stdout, result.stdout)
await write(process.stderr, result.stderr)
// Explicit, because the embedded engine leaves a timer behind that keeps the process alive.
process.exit(result.status)

async function perform(given: string[]): Promise<CommandResult> {
  const args = readSecretFiles(given)
  const configuration = readConfig('command')
  if (!configuration.ok) return failed(`Invalid configuration: ${configuration.faults.join('; ')}`)
  const { config } = configuration
  let services: Services | null = null
  const open = async () => {
    nameDatabase(config)
    services = openServices(config, await openExistingStore(config), quiet)
    return services
  }
  try {
    // If we could open the embedded database, no server is using it.
    return await runCommand(args, open, config.store.engine === 'embedded' ? 'stopped' : 'unknown')
  } catch (error) {
    // The server has the embedded database open and runs the command for us.
    if (error instanceof DirectoryInUse && config.store.engine === 'embedded') {
      return handOver(config.store.directory, args)
    }
    throw error
  } finally {
    await close(services)
  }
}

/** First of all, so that nobody mistakes one database for another. Scripts get only their JSON. */
function nameDatabase({ store }: Config): void {
  if (!json && !isNamed) process.stderr.write(`Database: ${nameOf(store)}\n`)
  isNamed = true
}

/** If the command has a question and someone is there to say yes, runs it again for real. */
async function confirmed(result: CommandResult): Promise<CommandResult> {
  if (result.question === undefined || !process.stdin.isTTY || !process.stderr.isTTY) return result
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`${result.question} [y/N] `)
  terminal.close()
  if (!/^y(es)?$/i.test(answer.trim())) return failed('Canceled. Nothing was changed')
  return perform([...args, '--yes']).catch((error: unknown) => failed(faultText(error)))
}

async function close(services: Services | null): Promise<void> {
  await services?.close()
}

function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve) => stream.write(text, () => resolve()))
}

function faultText(error: unknown): string {
  const connection = connectionProblem(error)
  if (connection) return `${connection.problem}. ${connection.remedy}`
  return error instanceof Error ? error.message : String(error)
}

function failed(message: string): CommandResult {
  return json
    ? { status: 1, stdout: `${JSON.stringify({ error: message })}\n`, stderr: '' }
    : { status: 1, stdout: '', stderr: `${message}\n` }
}
