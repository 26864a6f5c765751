import type { Command } from 'commander'
import { runCheck } from '../sdk/src/cli/commands.ts'
import { leaf } from './command.ts'
import type { CommandResult } from './handover.ts'
import { secretFileOption } from './secret-files.ts'

type Options = { secret?: string; countUrl?: string; json?: boolean }

/** The partner's own check, for operators. It needs neither the service nor its configuration. */
export function checkReceiverCommand(program: Command, result: CommandResult): void {
  leaf(program, 'check-receiver', 'send test events to a receiver and report what to fix')
    .argument('<url>', 'where the receiver listens, http:// or https://')
    .option('--secret <secret>', 'its signing secret; default: PARTNER_WEBHOOK_SECRET, or a prompt')
    .option(...secretFileOption('secret'))
    .option('--count-url <url>', 'returns how many times {resultId} was processed')
    .addHelpText('after', '\nFor a certificate from your own authority, set NODE_EXTRA_CA_CERTS to its file.')
    .action(async (address: string, { secret, countUrl, json }: Options) => {
      Object.assign(result, await runCheck({ address, secret, countUrl, json }))
    })
}
