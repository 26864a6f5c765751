import { type Command, Option } from 'commander'
import type { Page } from '../server/database/paging.ts'
import type { Services } from '../server/services.ts'

/** A command's result: the object that --json prints, and the text for people. */
export type Outcome = { json: unknown; text: string }

/** A failure to tell the user about: what is wrong and what to do. */
export class CommandFault extends Error {}

/** Nothing has been done yet. Show how much the command affects before doing it. */
export class ConfirmationNeeded extends CommandFault {
  readonly question: string
  constructor(found: string, question: string) {
    super(`${found}. Add --yes to go ahead`)
    this.question = `${found}. ${question}`
  }
}

/** Whether a server uses the same database. On PostgreSQL a single command can't tell. */
export type ServerState = 'running' | 'stopped' | 'unknown'

export type Run = (work: (services: Services, server: ServerState) => Promise<Outcome>) => Promise<void>

/** For a text about an event that only a server can send. */
export function withServerHint(text: string, server: ServerState): string {
  return server === 'stopped' ? `${text}\nNo server is running on this database. Start one to send it.` : text
}

/** A command that does something, as opposed to a group. Each has --json. */
export function leaf(parent: Command, name: string, description: string): Command {
  return parent.command(name).description(description).option('--json', 'print one JSON object, for scripts')
}

export type PageOptions = { limit: number; cursor?: string; all?: boolean }

export function paged(command: Command): Command {
  return command
    .option('--limit <count>', 'the page size, 1 to 10000', readLimit, 100)
    .option('--cursor <cursor>', 'the next page, as printed by the previous one')
    .addOption(new Option('--all', 'print all pages; not with --limit or --cursor').conflicts(['limit', 'cursor']))
}

const pageSizeOfAll = 1_000

/** The page that the options ask for, or with --all every page as one. */
export async function readPages<Item>(
  { limit, cursor, all = false }: PageOptions,
  read: (page: { limit: number; cursor?: string }) => Promise<Page<Item> | 'invalid_cursor'>,
): Promise<Page<Item>> {
  const data: Item[] = []
  let nextCursor = cursor ?? null
  do {
    const page = await read({ limit: all ? pageSizeOfAll : limit, ...(nextCursor !== null && { cursor: nextCursor }) })
    if (page === 'invalid_cursor') throw new CommandFault('--cursor must be a value printed with an earlier page')
    data.push(...page.data)
    nextCursor = page.nextCursor
  } while (all && nextCursor !== null)
  return { data, nextCursor }
}

function readLimit(text: string): number {
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > 10_000) throw new CommandFault('--limit must be a whole number between 1 and 10000')
  return limit
}
