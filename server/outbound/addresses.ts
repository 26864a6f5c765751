import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export type AddressVerdict = { address: string; family: 4 | 6; allowed: boolean; reason: string }

type Address = ipaddr.IPv4 | ipaddr.IPv6
export type AddressRange = readonly [Address, number]

/** Allows public unicast addresses and the operator's ranges. `reason` completes "<address> is …". */
export function checkAddress(address: string, allowed: readonly AddressRange[]): AddressVerdict {
  const family = isIP(address) === 6 ? 6 : 4
  const parsed = parseAddress(address)
  if (parsed === null) return { address, family, allowed: false, reason: 'not a plain IP address' }

  const special = parsed.kind() === 'ipv4' ? nameOf(parsed, ipv4Special) : specialIpv6(parsed)
  if (special === null) return { address, family, allowed: true, reason: 'public' }
  if (isInRanges(parsed, allowed)) {
    return { address, family, allowed: true, reason: 'allowed by DESTINATION_ALLOW_CIDRS' }
  }
  return { address, family, allowed: false, reason: special }
}

export function parseRange(cidr: string): AddressRange {
  return ipaddr.parseCIDR(cidr)
}

// ipaddr.js also parses octal, hexadecimal and short forms. What the operating system would not treat as an address must
// not pass as one here. A zone (fe80::1%eth0) names an interface of this machine.
function parseAddress(address: string): Address | null {
  if (isIP(address) === 0 || address.includes('%') || !ipaddr.isValid(address)) return null
  return ipaddr.parse(address)
}

// Unlike IPv4, an allow-list: only the block assigned for public use passes, so forms that embed an IPv4 address, and
// ones we have not thought of, cannot get through.
function specialIpv6(address: Address): string | null {
  const special = nameOf(address, ipv6Special)
  if (special !== null) return special
  if (!address.match(globalUnicast[0], globalUnicast[1])) return 'outside global unicast (2000::/3)'
  return isIsatap(address) ? 'an ISATAP tunnel address' : null
}

// ISATAP hides an IPv4 address behind any public prefix, marked only in the lower half.
function isIsatap(address: Address): boolean {
  const bytes = address.toByteArray()
  return ((bytes[8] ?? 0) & 0xfd) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe
}

// An IPv4-mapped address reaches the IPv4 network, so an IPv6 range must not allow it. Only its IPv4 form can be allowed.
function isInRanges(address: Address, ranges: readonly AddressRange[]): boolean {
  if (address.kind() === 'ipv6' && address.match(ipv4Mapped[0], ipv4Mapped[1])) return false
  return ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))
}

function nameOf(address: Address, ranges: readonly NamedRange[]): string | null {
  return ranges.find(({ network, bits }) => address.match(network, bits))?.name ?? null
}

type NamedRange = { network: Address; bits: number; name: string }

function named(ranges: Record<string, string>): NamedRange[] {
  return Object.entries(ranges).map(([cidr, name]) => {
    const [network, bits] = parseRange(cidr)
    return { network, bits, name: `${name} (${cidr})` }
  })
}

// The IANA special-purpose registries, plus multicast. The registries' anycast services (AS112, AMT, the former 6to4
// relays) are reachable but never someone's webhook.
const ipv4Special = named({
  '0.0.0.0/8': 'this network',
  '10.0.0.0/8': 'private',
  '100.64.0.0/10': 'shared address space',
  '127.0.0.0/8': 'loopback',
  '168.63.129.16/32': 'the host of a machine in Azure',
  '169.254.0.0/16': 'link-local',
  '172.16.0.0/12': 'private',
  '192.0.0.0/24': 'reserved for protocols',
  '192.0.2.0/24': 'for documentation',
  '192.31.196.0/24': 'reserved for AS112',
  '192.52.193.0/24': 'reserved for multicast tunnels',
  '192.88.99.0/24': 'reserved for 6to4 relays',
  '192.168.0.0/16': 'private',
  '192.175.48.0/24': 'reserved for AS112',
  '198.18.0.0/15': 'for benchmarks',
  '198.51.100.0/24': 'for documentation',
  '203.0.113.0/24': 'for documentation',
  '224.0.0.0/4': 'multicast',
  '255.255.255.255/32': 'broadcast',
  '240.0.0.0/4': 'reserved',
})

const ipv6Special = named({
  '::/128': 'unspecified',
  '::1/128': 'loopback',
  '::/96': 'IPv4-compatible',
  '::ffff:0:0/96': 'IPv4-mapped',
  '::ffff:0:0:0/96': 'IPv4-translated',
  '64:ff9b::/96': 'IPv4 translated by NAT64',
  '64:ff9b:1::/48': 'IPv4 translated by NAT64',
  '100::/64': 'discard-only',
  '2001::/32': 'a Teredo tunnel address',
  '2001::/23': 'reserved for protocols',
  '2001:db8::/32': 'for documentation',
  '2002::/16': 'a 6to4 tunnel address',
  '2620:4f:8000::/48': 'reserved for AS112',
  '3ffe::/16': 'the former 6bone',
  '3fff::/20': 'for documentation',
  'fc00::/7': 'unique local',
  'fe80::/10': 'link-local',
  'fec0::/10': 'site-local',
  'ff00::/8': 'multicast',
})

const globalUnicast = parseRange('2000::/3')
const ipv4Mapped = parseRange('::ffff:0:0/96')
