import type { Explanation } from '../explain.ts'
import type { Check } from './check-receiver.ts'

export function reportCheck({ url, findings, left, ok }: Check): string {
  const width = Math.max(...findings.map(({ title }) => title.length))
  const said = new Set<string>()
  const advise = (advice: string) => (said.size === said.add(advice).size ? 'As above.' : advice)
  const lines = findings.flatMap((finding) => [
    [
      finding.ok ? '✓' : '✗',
      finding.title.padEnd(width),
      String(finding.status ?? '–').padStart(3),
      `${finding.milliseconds} ms`.padStart(8),
    ].join('  '),
    `     ${finding.detail}`,
    ...(finding.advice === null ? [] : [`     → ${advise(finding.advice)}`]),
  ])
  const faults = findings.filter((finding) => !finding.ok).length
  const end = ok ? `${findings.length} probes found no fault.` : `${faults} of ${findings.length} probes found a fault.`
  const unsent = left.length === 0 ? [] : [`Not sent: ${left.join(', ')}.`]
  return [`Checking ${url}`, '', ...lines, '', end, ...unsent, ''].join('\n')
}

export function reportExplanation({ genuine, causes }: Explanation): string {
  if (genuine) return '✓  The signature belongs to this body and secret, and its time is right.\n'
  return causes.map(({ text, advice }) => `✗  ${text}\n     → ${advice}\n`).join('')
}
