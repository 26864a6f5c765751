import { setTimeout } from 'node:timers/promises'
import type { CommandResult } from '../cli/handover.ts'
import type { Site } from './site.ts'

/** `unknown`: there was no response, so the command may or may not have been executed. */
export type CommandOutcome =
  | { outcome: 'done'; printed: Record<string, unknown> }
  | { outcome: 'rejected'; error: string }
  | { outcome: 'unknown' }

const timeout = 60_000

/** Runs one command of the service's own command line on a site. */
export async function tryCommand(site: Pick<Site, 'command'>, args: string[]): Promise<CommandOutcome> {
  const completed = new AbortController()
  const result = await Promise.race([
    site.command([...args, '--json']).catch(() => null),
    setTimeout(timeout, null, { signal: completed.signal }).catch(() => null),
  ]).finally(() => completed.abort())
  return result === null ? { outcome: 'unknown' } : read(result)
}

function read({ status, stdout }: CommandResult): CommandOutcome {
  // A rejected command prints JSON; one that failed inside the server prints only to standard error.
  if (stdout === '') return { outcome: 'unknown' }
  const printed: Record<string, unknown> = JSON.parse(stdout)
  return status === 0 ? { outcome: 'done', printed } : { outcome: 'rejected', error: String(printed.error) }
}

// While all of a site's servers are up. Starting one can take longer than that on a busy machine.
const retryTimeout = 3 * 60_000

/** Retries the command until it succeeds. Only for commands that may run twice. */
export async function retryCommand(site: Site, args: string[]): Promise<Record<string, unknown>> {
  let deadline = performance.now() + retryTimeout
  for (;;) {
    site.over.signal.throwIfAborted()
    const result = await tryCommand(site, args)
    if (result.outcome === 'done') return result.printed
    if (!site.servers.every((server) => server.isUp())) deadline = performance.now() + retryTimeout
    if (performance.now() > deadline) throw new Error(`${args.join(' ')}: ${JSON.stringify(result)}`)
    await setTimeout(200)
  }
}

/** The rows that a list command prints. */
export function rowsOf({ data }: Record<string, unknown>): Record<string, unknown>[] {
  if (!Array.isArray(data)) throw new Error('The command did not print a list')
  return data
}
