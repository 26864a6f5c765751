import { isIP } from 'node:net'
import { type AddressRange, type AddressVerdict, judgeAddress, parseRange } from './addresses.ts'
import { codeOf, type Phase } from './connection-failures.ts'

export type { AddressVerdict }

/** Finds all IPv4 and IPv6 addresses of a name, following aliases. */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<string[]>

/** Where to connect: `address` is dialed, `hostname` is the name for TLS and the Host header. */
export type Destination = { url: URL; hostname: string; port: number; address: string; family: 4 | 6 }

export type Vetting =
  | { ok: true; destination: Destination; addresses: AddressVerdict[] }
  | {
      ok: false
      error: 'DESTINATION_REFUSED' | 'DNS' | 'TIMEOUT'
      code: string | null
      phase: Phase | null
      detail: string
      addresses: AddressVerdict[]
    }

export type DestinationGuard = { vet(url: string, signal: AbortSignal): Promise<Vetting> }

const longestUrl = 2048
const mostAddresses = 64

export function createDestinationGuard(options: { resolve: Resolve; allowCidrs: readonly string[] }): DestinationGuard {
  const opened = options.allowCidrs.map(parseRange)

  return {
    async vet(input, signal) {
      const target = readUrl(input)
      if ('fault' in target) return refused(target.fault)

      const found = await addressesOf(target.hostname, options.resolve, signal)
      if (!Array.isArray(found)) return { ok: false, ...found, addresses: [] }

      return judge(target, found, opened)
    },
  }
}

type Target = { url: URL; hostname: string; port: number }

function readUrl(input: string): Target | { fault: string } {
  if (input.length > longestUrl) return { fault: `the URL is longer than ${longestUrl} characters` }
  const url = URL.parse(input)
  if (url === null) return { fault: 'the URL is not valid' }
  if (url.protocol !== 'https:') return { fault: 'the URL must begin with https://' }
  if (url.username !== '' || url.password !== '') return { fault: 'the URL must not contain a user name or password' }

  // The parser has already decoded percent signs, other alphabets and the octal, hexadecimal and shortened forms of IPv4.
  // A final dot means the same name, but no certificate is issued for it.
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1)
  url.hash = ''

  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(hostname) === 0 && !isHostname(hostname)) return { fault: `${hostname} is not a valid host name` }
  const port = url.port === '' ? 443 : Number(url.port)
  if (port === 0) return { fault: 'port 0 cannot be reached' }
  return { url, hostname, port }
}

function isHostname(name: string): boolean {
  return name.length <= 253 && name.split('.').every((label) => /^[a-z0-9_-]{1,63}$/.test(label))
}

type ResolveFailure = { error: 'DNS' | 'TIMEOUT'; code: string | null; phase: 'resolve'; detail: string }

async function addressesOf(
  hostname: string,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<string[] | ResolveFailure> {
  if (isIP(hostname) !== 0) return [hostname]
  // By definition this machine (RFC 6761), so that no name server is asked, nor believed.
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return ['127.0.0.1']

  if (signal.aborted) return timedOut(hostname)
  try {
    const addresses = await untilAborted(resolve(hostname, signal), signal)
    return addresses === null ? timedOut(hostname) : [...new Set(addresses)]
  } catch (error) {
    return signal.aborted ? timedOut(hostname) : notFound(hostname, codeOf(error))
  }
}

// A resolver that ignores the signal must not hold up the attempt either.
function untilAborted<T>(pending: Promise<T>, signal: AbortSignal): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const abandon = () => resolve(null)
    signal.addEventListener('abort', abandon, { once: true })
    pending.then(resolve, reject).finally(() => signal.removeEventListener('abort', abandon))
  })
}

function timedOut(hostname: string): ResolveFailure {
  return { error: 'TIMEOUT', code: null, phase: 'resolve', detail: `the name ${hostname} was not resolved in time` }
}

function notFound(hostname: string, code: string | null): ResolveFailure {
  return { error: 'DNS', code, phase: 'resolve', detail: dnsWords(hostname, code) }
}

function dnsWords(hostname: string, code: string | null): string {
  switch (code) {
    case 'ENOTFOUND':
      return `the name ${hostname} does not exist`
    case 'ENODATA':
      return `the name ${hostname} has no address`
    case 'ETIMEOUT':
      return `no name server answered for ${hostname}`
    case 'ECONNREFUSED':
      return `no name server could be reached to look up ${hostname}`
    case 'ESERVFAIL':
    case 'EREFUSED':
      return `the name server could not look up ${hostname}`
    default:
      return `the name ${hostname} could not be looked up`
  }
}

function judge(target: Target, found: readonly string[], opened: readonly AddressRange[]): Vetting {
  if (found.length > mostAddresses) {
    return refused(`${target.hostname} has ${found.length} addresses; at most ${mostAddresses} are allowed`)
  }
  const addresses = found.map((address) => judgeAddress(address, opened))

  // One bad address refuses the name: which of them is dialed must never depend on luck.
  const bad = addresses.find((verdict) => !verdict.allowed)
  if (bad !== undefined) return refused(`${bad.address} is ${bad.reason}`, addresses)

  const pinned = choose(addresses)
  if (pinned === undefined) return { ok: false, ...notFound(target.hostname, 'ENODATA'), addresses }
  const { address, family } = pinned
  return { ok: true, destination: { ...target, address, family }, addresses }
}

// IPv4 first, because a machine without an IPv6 route is common and one without an IPv4 route is not. Within the family
// the name server's order holds: servers rotate it, so a retry gets another address if one of several is down.
function choose(addresses: readonly AddressVerdict[]): AddressVerdict | undefined {
  return addresses.find((verdict) => verdict.family === 4) ?? addresses[0]
}

function refused(detail: string, addresses: AddressVerdict[] = []): Vetting {
  return { ok: false, error: 'DESTINATION_REFUSED', code: null, phase: null, detail, addresses }
}
