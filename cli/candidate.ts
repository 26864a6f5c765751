import type { Command } from 'commander'
import { commandLine } from '../server/organizations/activity.ts'
import type { Services } from '../server/services.ts'
import { eraseCandidate } from '../server/workflows/erase-candidate.ts'
import { CommandFault, leaf, type Outcome, type Run } from './command.ts'
import { known } from './organization.ts'
import { table } from './table.ts'

type Options = { organization: string; email: string; dryRun?: boolean }

export function candidateCommands(program: Command, run: Run): void {
  const candidate = program.command('candidate').description('the people who are interviewed')

  leaf(candidate, 'erase', 'erase the personal data of a candidate, for good')
    .requiredOption('--organization <id>', 'the organization that invited them, org_…')
    .requiredOption('--email <address>', 'the address they were invited at')
    .option('--dry-run', 'say what would be erased, and leave it')
    .action((options: Options) => run((services) => erase(services, options)))
}

const remains = [
  'the ids of the candidate, their invitations, interviews, results and deliveries',
  'statuses, times, numbers of attempts and the codes of errors',
  'the scores, which are numbers, and the length of the interviews',
]

async function erase(services: Services, { organization, email, dryRun = false }: Options): Promise<Outcome> {
  const { database, clock } = services
  await known(database, organization)
  const wanted = { organizationId: organization, email: email.trim(), actor: commandLine }
  const erased = await eraseCandidate(database, wanted, { dryRun }, clock())
  if (erased === 'not_found') throw new CommandFault(`${organization} has no candidate with the address ${email}`)
  const { candidateId, interviews, cancelled, results, images, deliveriesEnded, attempts } = erased
  const rows = [
    ['interviews: names, e-mail address and link', interviews],
    ['results: feedback, highlights, suggestions, analysis and link', results],
    ['images', images],
    ['attempts, with the answers to them', attempts],
    ['interviews that ran, now CANCELLED', cancelled],
    ['deliveries that waited, now FAILED without a request', deliveriesEnded],
  ].map((row) => row.map(String))
  const head = dryRun ? `Nothing is erased yet of ${candidateId}. This would be:` : `${candidateId} is erased:`
  const rest = `What remains: ${remains.join('; ')}.\nBackups hold the rest until they are removed.`
  return {
    json: { dryRun, ...erased, remains },
    text: `${head}\n\n${table(['WHAT', 'HOW MUCH'], rows)}\n\n${rest}`,
  }
}
