import type { RawFinding, RawOutcome } from './outcome.ts'

/** The outcome as a Markdown table. */
export function tableOf(outcome: RawOutcome): string {
  const megabytes = Math.round(outcome.maxMemoryGrowth / 1024 ** 2)
  const counts = (of: Map<string, number>) =>
    [...of]
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([name, times]) => `${name} × ${times.toLocaleString('en')}`)
      .join(', ')
  return [
    '| | |',
    '|---|---|',
    `| connections | ${outcome.connections.toLocaleString('en')} |`,
    `| behaviors | ${counts(outcome.behaviors)} |`,
    `| first responses | ${counts(outcome.responses)} |`,
    `| longest block of the event loop | ${Math.round(outcome.longestBlock)} ms with all of them |`,
    `| by one connection alone | ${outcome.longestBlockAlone === 0 ? 'none over 50' : Math.round(outcome.longestBlockAlone)} ms |`,
    `| maximum memory growth | ${megabytes} MB |`,
  ].join('\n')
}

/** The finding with everything needed to reproduce it. */
export function describeFinding({ what, connection, detail }: RawFinding, seed: number): string {
  const lines = [what]
  if (connection) {
    const { index, name, behavior, bytes } = connection
    const again = index === null ? 'one of a crowd' : `npm run fuzz -- raw --seed ${seed} --only ${index}`
    lines.push(`  ${name}: ${again}`)
    lines.push(`  behavior ${JSON.stringify(behavior)}`, `  bytes ${escaped(bytes)}`)
  }
  if (detail !== '') lines.push(`  ${detail.replaceAll('\n', '\n  ')}`)
  return lines.join('\n')
}

const maxShown = 600

/** As a JavaScript string, truncated if it is long. */
export function escaped(bytes: Buffer): string {
  const text = (part: Buffer) =>
    part.toString('latin1').replace(/[\\"]|[^\x20-\x7e]/g, (character) => {
      const known = { '\r': '\\r', '\n': '\\n', '\\': '\\\\', '"': '\\"' }[character]
      return known ?? `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`
    })
  if (bytes.length <= maxShown) return `"${text(bytes)}"`
  return `"${text(bytes.subarray(0, maxShown))}" and ${bytes.length - maxShown} more`
}
