import { isIP } from 'node:net'
import { type AddressVerdict, checkAddress, parseRange } from './addresses.ts'
import { codeOf, type Phase } from './connection-failures.ts'
import { remember } from './remember.ts'

export type { AddressVerdict }

/** All IPv4 and IPv6 addresses of a name, following aliases. */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<string[]>

/** `address` is what we connect to; `hostname` is for TLS and the Host header. */
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

const maxUrlLength = 2048
const maxAddresses = 64
const maxRemembered = 1_000

export function createDestinationGuard(options: { resolve: Resolve; allowCidrs: readonly string[] }): DestinationGuard {
  const allowed = options.allowCidrs.map(parseRange)
  // The same few for every event. What a name resolves to is not remembered.
  const targetOf = remember(maxRemembered, parseUrl)
  const verdictOn = remember(maxRemembered, (address) => checkAddress(address, allowed))

  return {
    async vet(input, signal) {
      if (input.length > maxUrlLength) return refused(`the URL is longer than ${maxUrlLength} characters`)
      const target = targetOf(input)
      if ('fault' in target) return refused(target.fault)

      const addresses = await addressesOf(target.hostname, options.resolve, signal)
      if (!Array.isArray(addresses)) return { ok: false, ...addresses, addresses: [] }

      return vetAddresses(target, addresses, verdictOn)
    },
  }
}

type Target = { url: URL; hostname: string; port: number }

function parseUrl(input: string): Target | { fault: string } {
  const url = URL.parse(input)
  if (url === null) return { fault: 'the URL is not valid' }
  if (url.protocol !== 'https:') return { fault: 'the URL must begin with https://' }
  if (url.username !== '' || url.password !== '') return { fault: 'the URL must not contain a user name or password' }

  // The parser has already normalized percent-encoding, other alphabets and the octal, hexadecimal and short forms of
  // IPv4. A trailing dot means the same name, but no certificate is issued for it.
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1)
  // Setting it parses the URL again, so only if needed.
  if (url.hash !== '') url.hash = ''

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
  // Always this machine (RFC 6761), whatever a name server says.
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return ['127.0.0.1']

  if (signal.aborted) return timedOut(hostname)
  try {
    const addresses = await untilAborted(resolve(hostname, signal), signal)
    return addresses === null ? timedOut(hostname) : [...new Set(addresses)]
  } catch (error) {
    return signal.aborted ? timedOut(hostname) : notFound(hostname, codeOf(error))
  }
}

// A resolver that ignores the signal must not hold up the attempt.
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
  return { error: 'DNS', code, phase: 'resolve', detail: dnsDetail(hostname, code) }
}

function dnsDetail(hostname: string, code: string | null): string {
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

function vetAddresses(
  target: Target,
  resolved: readonly string[],
  verdictOn: (address: string) => AddressVerdict,
): Vetting {
  if (resolved.length > maxAddresses) {
    return refused(`${target.hostname} has ${resolved.length} addresses; at most ${maxAddresses} are allowed`)
  }
  const addresses = resolved.map(verdictOn)

  // One bad address is enough to refuse the name: which one we connect to must not be a matter of luck.
  const bad = addresses.find((verdict) => !verdict.allowed)
  if (bad !== undefined) return refused(`${bad.address} is ${bad.reason}`, addresses)

  const pinned = pickAddress(addresses)
  if (pinned === undefined) return { ok: false, ...notFound(target.hostname, 'ENODATA'), addresses }
  const { address, family } = pinned
  return { ok: true, destination: { ...target, address, family }, addresses }
}

// IPv4 first, because machines without an IPv6 route are common. Within a family, keep the name server's order: servers
// rotate it, so a retry gets another address if one is down.
function pickAddress(addresses: readonly AddressVerdict[]): AddressVerdict | undefined {
  return addresses.find((verdict) => verdict.family === 4) ?? addresses[0]
}

function refused(detail: string, addresses: AddressVerdict[] = []): Vetting {
  return { ok: false, error: 'DESTINATION_REFUSED', code: null, phase: null, detail, addresses }
}
