import type { Command } from 'commander'
import { applyRetention } from '../server/operations/retention/retention.ts'
import { retentionRules } from '../server/operations/retention/rules.ts'
import { leaf, type Run } from './command.ts'
import { table } from './table.ts'

export function retentionCommands(program: Command, run: Run): void {
  const retention = program.command('retention').description('how long things are kept')

  leaf(retention, 'run', 'remove what is kept no longer; the server does so by itself every hour')
    .option('--dry-run', 'say how much would be removed, and leave it')
    .action(({ dryRun = false }: { dryRun?: boolean }) =>
      run(async ({ database, config, clock }) => {
        const rules = retentionRules(config.retentionDays)
        const data = await applyRetention({ database, rules }, { remove: !dryRun }, clock())
        const rows = data.map(({ name, keptFor, removed }) => [name, String(removed), keptFor ?? 'for ever'])
        return { json: { dryRun, data }, text: table(['WHAT', dryRun ? 'DUE' : 'REMOVED', 'KEPT'], rows) }
      }),
    )
}
