import type { Command } from 'commander'
import type { Services } from '../server/services.ts'

/** What a command found: the object that --json prints, and the same for people. */
export type Outcome = { json: unknown; text: string }

/** A failure to tell the user about: what is wrong and what to do. */
export class CommandFault extends Error {}

/** Nothing is done yet: whoever gave the command shall see first how much it is about. */
export class ConfirmationNeeded extends CommandFault {
  readonly question: string
  constructor(found: string, question: string) {
    super(`${found}. Add --yes to go ahead`)
    this.question = `${found}. ${question}`
  }
}

export type Run = (work: (services: Services) => Promise<Outcome>) => Promise<void>

/** A command at the end of a branch. Each has --json. */
export function leaf(parent: Command, name: string, description: string): Command {
  return parent.command(name).description(description).option('--json', 'print one JSON object, for scripts')
}
