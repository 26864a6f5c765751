import type { Outcome, SiteOutcome } from './run.ts'

/** The faults and what happened to the results, as Markdown. */
export function tableOf({ sites, happened, wrong }: Outcome): string {
  const rows: [string, (site: SiteOutcome) => number][] = [
    ['results accepted', ({ accepted }) => accepted],
    ['delivered on the first attempt or by retries', ({ first }) => first.delivered],
    ['FAILED, RECEIVER_REJECTED (4xx)', ({ first }) => first.rejected],
    ['FAILED, RECEIVES_EXHAUSTED, in the dead-letter queue', ({ first }) => first.exhausted],
    ['FAILED, WEBHOOK_DISABLED', ({ first }) => first.canceled],
    ['delivered after these were restarted', ({ last }) => last.delivered],
    ['rounds started by Retry and redrive', ({ restarted }) => restarted],
    ['events accepted again, with the same IDs and body', ({ repeated }) => repeated],
    ['reports that got a 503', ({ failures }) => failures.get('503') ?? 0],
    ['reports without a response', ({ failures }) => failures.get('no response') ?? 0],
    ['hostile connections', ({ hostileConnections }) => hostileConnections],
    ['stuck', ({ last, first }) => Math.max(first.stuck.length, last.stuck.length)],
    ['lost', ({ last, first }) => Math.max(first.lost.length, last.lost.length)],
    ['wrong', ({ last, first }) => Math.max(first.wrong.length, last.wrong.length)],
  ]
  const results = [
    `| | ${sites.map(({ name }) => name).join(' | ')} |`,
    `|---|${sites.map(() => '---:|').join('')}`,
    ...rows.map(([name, of]) => `| ${name} | ${sites.map((site) => of(site).toLocaleString('en')).join(' | ')} |`),
  ]
  const faults = [...summary(happened)].map(([name, count]) => `| ${name} | ${count.toLocaleString('en')} |`)
  return [...results, '', '| fault | times |', '|---|---:|', ...faults, `| other problems | ${wrong.length} |`].join(
    '\n',
  )
}

const killed = / is killed$/
const restarted = / is restarted$/

/** Kills and restarts of all servers together, then everything else by name. */
function summary(happened: Map<string, number>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [what, count] of happened) {
    if (what.startsWith('WRONG')) continue
    const name = killed.test(what) ? 'kill -9 of a server' : restarted.test(what) ? 'restart of a server' : what
    counts.set(name, (counts.get(name) ?? 0) + count)
  }
  return new Map([...counts].sort())
}

export function problemsIn({ sites, wrong }: Outcome): string[] {
  return [
    ...wrong,
    ...sites.flatMap(({ name, first, last }) =>
      [first, last].flatMap((findings) =>
        (['stuck', 'lost', 'wrong'] as const).flatMap((kind) =>
          findings[kind].map((text) => `${kind}, ${name}: ${text}`),
        ),
      ),
    ),
  ]
}
