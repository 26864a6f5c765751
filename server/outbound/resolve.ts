import { Resolver } from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import { codeOf } from './connection-failures.ts'
import type { Resolve } from './destination.ts'

/**
 * Queries the machine's name servers directly. getaddrinfo can't be canceled and blocks a thread of Node's pool, so four
 * slow names would bring file access to a standstill. It would also read the hosts file, which private networks depend
 * on, so that is read here, once, at startup.
 */
export function createResolver(options: { servers?: readonly string[]; hostsFile?: string } = {}): Resolve {
  const hosts = readHosts(options.hostsFile ?? '/etc/hosts')

  return async (hostname, signal) => {
    signal.throwIfAborted()
    const known = hosts.get(hostname)
    if (known !== undefined) return known

    // One resolver per lookup, because cancel() cancels everything a resolver is doing. Two one-second tries fit into an
    // attempt's deadline, so one lost packet does not fail it.
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

// One family is enough: some name servers fail on the query for the other.
function merge(responses: readonly PromiseSettledResult<string[]>[]): string[] {
  const addresses = responses.flatMap((response) => (response.status === 'fulfilled' ? response.value : []))
  if (addresses.length > 0) return addresses
  // "No address of this family" says less than any other failure.
  const failures: unknown[] = responses.flatMap((response) => (response.status === 'rejected' ? [response.reason] : []))
  const failure = failures.find((reason) => codeOf(reason) !== 'ENODATA') ?? failures[0]
  if (failure !== undefined) throw failure
  return []
}

function readHosts(path: string): Map<string, string[]> {
  const hosts = new Map<string, string[]>()
  for (const line of readText(path).split('\n')) {
    const [address, ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    if (address === undefined) continue
    for (const name of names.map((alias) => alias.toLowerCase())) {
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
