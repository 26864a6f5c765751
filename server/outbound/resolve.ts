import { Resolver } from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import { codeOf } from './connection-failures.ts'
import type { Resolve } from './destination.ts'

/**
 * Asks the machine's name servers. Not by getaddrinfo: that occupies one of the few threads of the process until the
 * name server answers and cannot be canceled, so four slow names would bring file access to a standstill. That would
 * lose the hosts file, which private networks depend on; it is read here, once, at start.
 */
export function createResolver(options: { servers?: readonly string[]; hostsFile?: string } = {}): Resolve {
  const hosts = readHosts(options.hostsFile ?? '/etc/hosts')

  return async (hostname, signal) => {
    signal.throwIfAborted()
    const known = hosts.get(hostname)
    if (known !== undefined) return known

    // One per lookup, because canceling ends everything a resolver is doing. Two tries of a second each fit
    // into the deadline of an attempt, so that one lost packet does not fail it.
    const resolver = new Resolver({ timeout: 1000, maxTimeout: 1000, tries: 2 })
    if (options.servers !== undefined) resolver.setServers(options.servers)
    const cancel = () => resolver.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    try {
      return merge(await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]))
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }
}

// One family is enough: some name servers fail on the query for the other, and only what came back here and was vetted
// is dialed.
function merge(answers: readonly PromiseSettledResult<string[]>[]): string[] {
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (addresses.length > 0) return addresses
  // "No address of this family" says less than whatever went wrong with the other query.
  const failures: unknown[] = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
  const telling = failures.find((failure) => codeOf(failure) !== 'ENODATA') ?? failures[0]
  if (telling !== undefined) throw telling
  return []
}

function readHosts(path: string): Map<string, string[]> {
  const hosts = new Map<string, string[]>()
  for (const line of readText(path).split('\n')) {
    const [address, ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    if (address === undefined) continue
    for (const name of names.map((each) => each.toLowerCase())) {
      hosts.set(name, [...(hosts.get(name) ?? []), address])
    }
  }
  return hosts
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
