import type { Command } from 'commander'
import { commandLine } from '../server/organizations/activity.ts'
import type { Services } from '../server/services.ts'
import { eraseCandidate } from '../server/workflows/erase-candidate.ts'
import { CommandFault, leaf, type Outcome, type Run } from './command.ts'
import { known } from './organization.ts'
import { table } from './table.ts'

type Options = { organization: string; email: string; dryRun?: boolean }

export function candidateCommands(program: Command, run: Run): void {
  const candidate = program.command('candidate').description('people who are interviewed')

  leaf(candidate, 'erase', 'erase a candidate’s personal data for good')
    .requiredOption('--organization <id>', 'the organization that invited them, org_…')
    .requiredOption('--email <address>', 'the address they were invited with')
    .option('--dry-run', 'show what would be erased, and erase nothing')
    .action((options: Options) => run((services) => erase(services, options)))
}

const remains = [
  'the IDs of the candidate, invitations, interviews, results and deliveries',
  'statuses, times, attempt counts and error codes',
  'scores and interview durations',
]

async function erase(services: Services, { organization, email, dryRun = false }: Options): Promise<Outcome> {
  const { database, clock } = services
  await known(database, organization)
  const wanted = { organizationId: organization, email: email.trim(), actor: commandLine }
  const erased = await eraseCandidate(database, wanted, { dryRun }, clock())
  if (erased === 'not_found') throw new CommandFault(`${organization} has no candidate with the email address ${email}`)
  const { candidateId, interviews, cancelled, results, images, deliveriesEnded, attempts } = erased
  const become = dryRun ? 'would become' : 'now'
  const rows = [
    ['interviews: names, email address and link', interviews],
    ['results: feedback, highlights, suggestions, analysis and link', results],
    ['images', images],
    ['attempts, with their responses', attempts],
    [`open interviews, ${become} CANCELLED`, cancelled],
    [`pending deliveries, ${become} FAILED`, deliveriesEnded],
  ].map((row) => row.map(String))
  const head = dryRun ? `Dry run. Erasing ${candidateId} would affect:` : `Erased ${candidateId}:`
  const rest = `Kept: ${remains.join('; ')}.\nBackups still contain the erased data until you delete them.`
  return {
    json: { dryRun, ...erased, remains },
    text: `${head}\n\n${table(['WHAT', 'COUNT'], rows)}\n\n${rest}`,
  }
}
