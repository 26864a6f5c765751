import type { Command } from 'commander'
import { runCheck } from '../sdk/src/cli/commands.ts'
import { leaf } from './command.ts'
import type { CommandResult } from './handover.ts'

type Options = { secret?: string; countUrl?: string; json?: boolean }

/** The partner's own check, for whoever runs the service: it needs neither the service nor its configuration. */
export function checkReceiverCommand(program: Command, result: CommandResult): void {
  leaf(program, 'check-receiver', 'send probes to a receiver of events and say what to change')
    .argument('<url>', 'where the receiver listens, http:// or https://')
    .option('--secret <secret>', 'its signing secret; otherwise PARTNER_WEBHOOK_SECRET, or a question')
    .option('--count-url <url>', 'answers how often {resultId} in it was processed')
    .action(async (address: string, { secret, countUrl, json }: Options) => {
      Object.assign(result, await runCheck({ address, secret, countUrl, json }))
    })
}
