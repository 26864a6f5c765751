import type { RawFault, RawOutcome } from './run.ts'

/** What was done and how the server fared, as Markdown. */
export function tableOf(outcome: RawOutcome): string {
  const megabytes = Math.round(outcome.mostMemoryGrowth / 1024 ** 2)
  const counts = (of: Map<string, number>) =>
    [...of]
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([name, times]) => `${name} × ${times.toLocaleString('en')}`)
      .join(', ')
  return [
    '| | |',
    '|---|---|',
    `| connections | ${outcome.connections.toLocaleString('en')} |`,
    `| their manners | ${counts(outcome.manners)} |`,
    `| first answers | ${counts(outcome.answers)} |`,
    `| longest turn of the event loop | ${Math.round(outcome.longestTurn)} ms with all of them |`,
    `| by one connection alone | ${outcome.longestTurnAlone === 0 ? 'none over 50' : Math.round(outcome.longestTurnAlone)} ms |`,
    `| most growth of memory | ${megabytes} MB |`,
  ].join('\n')
}

/** The fault with everything that is needed to see it again. */
export function describeFault({ what, connection, detail }: RawFault, seed: number): string {
  const lines = [what]
  if (connection) {
    const { index, name, manner, bytes } = connection
    const again = index === null ? 'one of a crowd' : `npm run fuzz -- raw --seed ${seed} --only ${index}`
    lines.push(`  ${name}: ${again}`)
    lines.push(`  manner ${JSON.stringify(manner)}`, `  bytes ${escaped(bytes)}`)
  }
  if (detail !== '') lines.push(`  ${detail.replaceAll('\n', '\n  ')}`)
  return lines.join('\n')
}

const mostShown = 600

/** As a string of JavaScript; what repeats itself in a long one is left out. */
export function escaped(bytes: Buffer): string {
  const text = (part: Buffer) =>
    part.toString('latin1').replace(/[\\"]|[^\x20-\x7e]/g, (character) => {
      const known = { '\r': '\\r', '\n': '\\n', '\\': '\\\\', '"': '\\"' }[character]
      return known ?? `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`
    })
  if (bytes.length <= mostShown) return `"${text(bytes)}"`
  return `"${text(bytes.subarray(0, mostShown))}" and ${bytes.length - mostShown} more`
}
