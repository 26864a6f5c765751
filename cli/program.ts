import { Command, CommanderError } from 'commander'
import packageFile from '../package.json' with { type: 'json' }
import type { Services } from '../server/services.ts'
import { candidateCommands } from './candidate.ts'
import { chatWebhookCommands } from './chat-webhook.ts'
import { checkReceiverCommand } from './check-receiver.ts'
import { CommandFault, ConfirmationNeeded, type Run, type ServerState } from './command.ts'
import { deadLetterCommands } from './dead-letter.ts'
import { deliveryCommands } from './delivery.ts'
import type { CommandResult } from './handover.ts'
import { keyCommands } from './key.ts'
import { listenTokenCommands } from './listen-token.ts'
import { mailCommands } from './mail.ts'
import { memberCommands } from './member.ts'
import { organizationCommands } from './organization.ts'
import { printableLines } from './printable.ts'
import { retentionCommands } from './retention.ts'
import { sandboxCommands } from './sandbox.ts'
import { secretsCommands } from './secrets.ts'
import { setupCommand } from './setup.ts'
import { webhookCommands } from './webhook.ts'

/**
 * Runs one command and captures its output, so that it can run here or in the process that has the database open.
 * `open` is called only if the command needs the services: --help doesn't.
 */
export async function runCommand(
  args: string[],
  open: () => Promise<Services>,
  server: ServerState = 'unknown',
): Promise<CommandResult> {
  const result: CommandResult = { status: 0, stdout: '', stderr: '' }
  const json = args.includes('--json')
  const program = new Command('partner-interview-admin')
    .description('Administers the Partner Interview API.')
    .version(packageFile.version, '--version', 'print the version')
    .configureHelp({
      optionDescription: ({ description, mandatory, defaultValue }) =>
        [description, mandatory && '(required)', defaultValue !== undefined && `(default: ${defaultValue})`]
          .filter(Boolean)
          .join(' '),
    })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => {
        result.stdout += text
      },
      writeErr: (text) => {
        result.stderr += text
      },
    })
    .showHelpAfterError('(add --help for usage)')
  const run: Run = async (work) => {
    const outcome = await work(await open(), server)
    result.stdout += printableLines(json ? `${JSON.stringify(outcome.json)}\n` : `${outcome.text}\n`)
  }
  setupCommand(program, run)
  organizationCommands(program, run)
  memberCommands(program, run)
  keyCommands(program, run)
  webhookCommands(program, run)
  listenTokenCommands(program, run)
  chatWebhookCommands(program, run)
  mailCommands(program, run)
  secretsCommands(program, run)
  deliveryCommands(program, run)
  deadLetterCommands(program, run)
  candidateCommands(program, run)
  retentionCommands(program, run)
  sandboxCommands(program, run)
  checkReceiverCommand(program, result)

  try {
    await program.parseAsync(args, { from: 'user' })
    return result
  } catch (error) {
    return failure(error, result, json)
  }
}

function failure(error: unknown, result: CommandResult, json: boolean): CommandResult {
  // --help and --version end this way too.
  if (error instanceof CommanderError && error.exitCode === 0) return result
  if (!(error instanceof CommanderError || error instanceof CommandFault)) throw error
  const message = error.message.replace(/^error: /, '')
  if (json) return { status: 1, stdout: printableLines(`${JSON.stringify({ error: message })}\n`), stderr: '' }
  const question = error instanceof ConfirmationNeeded ? { question: error.question } : {}
  const stderr = printableLines(error instanceof CommanderError ? result.stderr : `${message}\n`)
  return { ...result, status: 1, stderr, ...question }
}
