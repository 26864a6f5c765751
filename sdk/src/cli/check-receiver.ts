import { setTimeout as pause } from 'node:timers/promises'
import { coreProbes, type Finding, furtherProbes, processedOnceProbe, slowBodyProbe } from '../probes.ts'
import { postSlowlyTo, postTo } from './post.ts'

export type Check = {
  url: string
  ok: boolean
  findings: Finding[]
  /** Titles of the probes that were not sent, because the first one found what would fail them all. */
  notSent: string[]
}

/** Sends all probes, one after another, but stops after the first if the receiver does not accept a genuine event. */
export async function checkReceiver(options: { url: URL; secret: string; countUrl: string | null }): Promise<Check> {
  const { url, secret, countUrl } = options
  const send = postTo(url)
  const probes = [...coreProbes, ...furtherProbes, slowBodyProbe(postSlowlyTo(url))]
  if (countUrl !== null) probes.push(processedOnceProbe((resultId) => settledCount(countUrl, resultId)))

  const findings: Finding[] = []
  for (const probe of probes) {
    const finding = await probe.run({ send, secret, now: () => new Date() })
    findings.push(finding)
    if (finding.stops) break
  }
  const notSent = probes.slice(findings.length).map(({ title }) => title)
  return { url: url.href, ok: findings.every(({ ok }) => ok), findings, notSent }
}

/** How many times the receiver says it processed a result. It works after it responds, so this gives it a moment. */
async function settledCount(countUrl: string, resultId: string): Promise<number | null> {
  const address = countUrl.replaceAll('{resultId}', encodeURIComponent(resultId))
  for (let tries = 0; tries < 20; tries += 1) {
    const count = await readCount(address)
    if (count === null) return null
    await pause(250)
    // A second one may still be running when the first is done.
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
