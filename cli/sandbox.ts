import type { Command } from 'commander'
import { findByInvitation } from '../server/interviews/interviews.ts'
import { resultUrl } from '../server/interviews/results.ts'
import type { Scoring } from '../server/interviews/scoring.ts'
import type { Services } from '../server/services.ts'
import { completeInSandbox, sampleScoring } from '../server/workflows/sandbox.ts'
import { CommandFault, leaf, type Outcome, type Run, type ServerState, withServerHint } from './command.ts'

type Options = { invitation: string; score?: string }

export function sandboxCommands(program: Command, run: Run): void {
  const sandbox = program
    .command('sandbox')
    .description('complete interviews without an interview product, to try things out')

  leaf(sandbox, 'complete', 'complete an interview with a sample result and send its event')
    .requiredOption('--invitation <id>', 'the invitation, inv_…')
    .option('--score <score>', 'every score of the result, 0 to 100')
    .action((options: Options) => run((services, server) => complete(services, options, server)))
}

async function complete(services: Services, { invitation, score }: Options, server: ServerState): Promise<Outcome> {
  const { config, database, clock } = services
  if (!config.sandbox) throw new CommandFault('The sandbox is off. Set SANDBOX=true to use it on this database')
  const scoring = score === undefined ? sampleScoring : withScore(score)
  const interviewId = await findByInvitation(database, invitation)
  if (interviewId === null) throw new CommandFault(`There is no invitation ${invitation}`)
  const played = await completeInSandbox(services, interviewId, { scoring }, clock())
  if (played.outcome === 'not_found') throw new CommandFault(`There is no invitation ${invitation}`)
  if (played.outcome === 'over') throw new CommandFault(`The interview is ${played.status} and can’t be completed`)
  const { resultId, token, delivery } = played.result
  const url = resultUrl(config.appUrl, token)
  if (played.outcome === 'completed_before') {
    throw new CommandFault(`The interview is already completed, with result ${resultId}: ${url}`)
  }
  const event = delivery
    ? withServerHint(`Sending the event: ${delivery.id}`, server)
    : 'No webhook is enabled, so nothing is delivered. Listeners get a copy.'
  return {
    json: { resultId, resultUrl: url, deliveryId: delivery?.id ?? null },
    text: `Completed the interview: ${resultId}\n${url}\n\n${event}`,
  }
}

function withScore(text: string): Scoring {
  const score = /^\d{1,3}(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (!(score <= 100)) throw new CommandFault('--score must be a number between 0 and 100')
  return {
    ...sampleScoring,
    technical_score: score,
    soft_skills_score: score,
    language_proficiency: score,
    weighted_score: score,
  }
}
