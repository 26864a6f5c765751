import { readConfig } from '../server/config.ts'
import { DatabaseUnavailable } from '../server/database/database.ts'
import { openStore, type Store } from '../server/store.ts'
import { type CommandResult, handOver } from './handover.ts'
import { runCommand } from './program.ts'

const args = process.argv.slice(2)
const result = await perform(args).catch((error: unknown) => failed(faultText(error)))
process.stdout.write(result.stdout)
process.stderr.write(result.stderr)
process.exitCode = result.status

async function perform(args: string[]): Promise<CommandResult> {
  const configuration = readConfig('command')
  if (!configuration.ok) return failed(`The configuration is wrong: ${configuration.faults.join('; ')}`)
  const { config } = configuration
  let store: Store | null = null
  const open = async () => {
    const opened = await openStore(config)
    if (opened === 'in_use') throw new InUse()
    store = opened
    return opened.database
  }
  try {
    return await runCommand(args, { open, clock: () => new Date() })
  } catch (error) {
    if (error instanceof InUse && config.store.engine === 'embedded') return handOver(config.store.directory, args)
    throw error
  } finally {
    await close(store)
  }
}

/** The server has the embedded database open: it will run the command for us. */
class InUse extends Error {}

async function close(store: Store | null): Promise<void> {
  await store?.close()
}

function faultText(error: unknown): string {
  if (error instanceof DatabaseUnavailable) return `The database cannot be reached: ${error.message}`
  return error instanceof Error ? error.message : String(error)
}

function failed(message: string): CommandResult {
  return args.includes('--json')
    ? { status: 1, stdout: `${JSON.stringify({ error: message })}\n`, stderr: '' }
    : { status: 1, stdout: '', stderr: `${message}\n` }
}
