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

/** Whether a server works on the same database. On PostgreSQL a command on its own cannot tell. */
export type ServerState = 'running' | 'stopped' | 'unknown'

export type Run = (work: (services: Services, server: ServerState) => Promise<Outcome>) => Promise<void>

/** For whoever waits for an event that only a server sends. */
export function withServerHint(text: string, server: ServerState): string {
  return server === 'stopped' ? `${text}\nNo server is running on this database. Start one to send it.` : text
}

/** A command at the end of a branch. Each has --json. */
export function leaf(parent: Command, name: string, description: string): Command {
  return parent.command(name).description(description).option('--json', 'print one JSON object, for scripts')
}
