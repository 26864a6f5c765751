import type { Command } from 'commander'
import { applyRetention } from '../server/operations/retention/retention.ts'
import { retentionRules } from '../server/operations/retention/rules.ts'
import { leaf, type Run } from './command.ts'
import { table } from './table.ts'

export function retentionCommands(program: Command, run: Run): void {
  const retention = program.command('retention').description('deletion of expired data')

  leaf(retention, 'run', 'delete expired data now; the server does this every hour')
    .option('--dry-run', 'show how much would be deleted, and delete nothing')
    .action(({ dryRun = false }: { dryRun?: boolean }) =>
      run(async ({ database, config, clock }) => {
        const rules = retentionRules(config.retentionDays)
        const data = await applyRetention({ database, rules }, { remove: !dryRun }, clock())
        const rows = data.map(({ name, keptFor, removed }) => [name, String(removed), keptFor ?? 'forever'])
        return { json: { dryRun, data }, text: table(['WHAT', dryRun ? 'EXPIRED' : 'DELETED', 'KEPT FOR'], rows) }
      }),
    )
}
