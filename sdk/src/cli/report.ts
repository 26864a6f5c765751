import type { Explanation } from '../explain.ts'
import type { Check } from './check-receiver.ts'

export function reportCheck({ url, findings, notSent, ok }: Check): string {
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
  const failed = findings.filter((finding) => !finding.ok).length
  const passed = ok ? `All ${findings.length} probes passed.` : `${failed} of ${findings.length} probes failed.`
  const stopped = `Stopped here: until the receiver accepts a genuine event, the other ${notSent.length} probes would fail too.`
  return [`Checking ${url}`, '', ...lines, '', notSent.length > 0 ? stopped : passed, ''].join('\n')
}

export function reportExplanation({ genuine, causes }: Explanation): string {
  if (genuine) return '✓  The signature matches this body and secret, and its timestamp is recent.\n'
  return causes.map(({ text, advice }) => `✗  ${text}\n     → ${advice}\n`).join('')
}
