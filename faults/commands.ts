import { setTimeout } from 'node:timers/promises'
import type { CommandResult } from '../cli/handover.ts'
import type { Site } from './site.ts'

/** `unknown`: no answer came, and nobody can say whether the command was carried out. */
export type Answer =
  | { outcome: 'done'; printed: Record<string, unknown> }
  | { outcome: 'refused'; error: string }
  | { outcome: 'unknown' }

const patience = 60_000

/** Gives one command of the service's own command line to a site. */
export async function ask(site: Pick<Site, 'command'>, args: string[]): Promise<Answer> {
  const given = new AbortController()
  const answered = site.command([...args, '--json']).catch(() => null)
  const result = await Promise.race([
    answered,
    setTimeout(patience, null, { signal: given.signal }).catch(() => null),
  ]).finally(() => given.abort())
  return result === null ? { outcome: 'unknown' } : read(result)
}

function read({ status, stdout }: CommandResult): Answer {
  // A command that refuses says so in JSON; one that failed inside the server has nothing but standard error.
  if (stdout === '') return { outcome: 'unknown' }
  const printed: Record<string, unknown> = JSON.parse(stdout)
  return status === 0 ? { outcome: 'done', printed } : { outcome: 'refused', error: String(printed.error) }
}

/** Asks until it is done. Only for commands that may be carried out twice. */
export async function insist(site: Site, args: string[]): Promise<Record<string, unknown>> {
  const deadline = performance.now() + 3 * 60_000
  for (;;) {
    const answer = await ask(site, args)
    if (answer.outcome === 'done') return answer.printed
    if (performance.now() > deadline) throw new Error(`${args.join(' ')}: ${JSON.stringify(answer)}`)
    await setTimeout(200)
  }
}

/** The rows that a list command prints. */
export function rowsOf({ data }: Record<string, unknown>): Record<string, unknown>[] {
  if (!Array.isArray(data)) throw new Error('That was no list')
  return data
}
