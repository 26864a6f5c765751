import { setTimeout as pause } from 'node:timers/promises'
import { coreProbes, type Finding, furtherProbes, processedOnceProbe, slowBodyProbe } from '../probes.ts'
import { postSlowlyTo, postTo } from './post.ts'

export type Check = { url: string; ok: boolean; findings: Finding[] /** Probes that were not sent. */; left: string[] }

/** All probes, one after the other. When nobody answers the first, the others are not sent. */
export async function checkReceiver(options: { url: URL; secret: string; countUrl: string | null }): Promise<Check> {
  const { url, secret, countUrl } = options
  const send = postTo(url)
  const probes = [...coreProbes, ...furtherProbes, slowBodyProbe(postSlowlyTo(url))]
  if (countUrl !== null) probes.push(processedOnceProbe((resultId) => settledCount(countUrl, resultId)))

  const findings: Finding[] = []
  for (const probe of probes) {
    const finding = await probe.run({ send, secret, now: () => new Date() })
    findings.push(finding)
    if (findings.length === 1 && finding.status === null) break
  }
  const left = probes.slice(findings.length).map(({ title }) => title)
  return { url: url.href, ok: findings.every(({ ok }) => ok), findings, left }
}

/** How often the receiver says that it processed a result. Work comes after the answer, so it is given a moment. */
async function settledCount(countUrl: string, resultId: string): Promise<number | null> {
  const address = countUrl.replaceAll('{resultId}', encodeURIComponent(resultId))
  for (let tries = 0; tries < 20; tries += 1) {
    const count = await readCount(address)
    if (count === null) return null
    await pause(250)
    // A second one may be on its way when the first is done.
    if (count > 0) return readCount(address)
  }
  return 0
}

async function readCount(address: string): Promise<number | null> {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(5_000) })
    const text = (await response.text()).trim()
    return response.ok && /^\d+$/.test(text) ? Number(text) : null
  } catch {
    return null
  }
}
