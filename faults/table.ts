import type { Outcome, SiteOutcome } from './run.ts'

/** What happened, and what became of the results, as Markdown. */
export function tableOf({ sites, happened, wrong }: Outcome): string {
  const rows: [string, (site: SiteOutcome) => number][] = [
    ['results accepted', ({ accepted }) => accepted],
    ['delivered at once or by retries', ({ first }) => first.delivered],
    ['FAILED, RECEIVER_REJECTED (4xx)', ({ first }) => first.rejected],
    ['FAILED, RECEIVES_EXHAUSTED, in the dead-letter queue', ({ first }) => first.exhausted],
    ['FAILED, WEBHOOK_DISABLED', ({ first }) => first.canceled],
    ['delivered after these were started over', ({ last }) => last.delivered],
    ['rounds begun by Retry and redrive', ({ restarted }) => restarted],
    ['events taken in again, with the same ids and body', ({ repeated }) => repeated],
    ['requests of the reporter answered 503', ({ refusals }) => refusals.get('503') ?? 0],
    ['requests of the reporter without an answer', ({ refusals }) => refusals.get('no answer') ?? 0],
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
  const troubles = [...summary(happened)].map(([name, count]) => `| ${name} | ${count.toLocaleString('en')} |`)
  return [
    ...results,
    '',
    '| fault | times |',
    '|---|---:|',
    ...troubles,
    `| wrong as a whole | ${wrong.length} |`,
  ].join('\n')
}

const killed = / is killed$/
const restarted = / is restarted$/

/** Kills and restarts of all servers together, then everything else by name. */
function summary(happened: Map<string, number>): Map<string, number> {
  const told = new Map<string, number>()
  for (const [what, count] of happened) {
    if (what.startsWith('WRONG')) continue
    const name = killed.test(what) ? 'kill -9 of a server' : restarted.test(what) ? 'restart of a server' : what
    told.set(name, (told.get(name) ?? 0) + count)
  }
  return new Map([...told].sort())
}

export function wrongsOf({ sites, wrong }: Outcome): string[] {
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
