import { BlockList } from 'node:net'
import type { AddressVerdict } from './addresses.ts'
import type { Vetting } from './destination.ts'

// Not link-local: that is where cloud providers keep credentials.
const privateRanges = new BlockList()
privateRanges.addSubnet('10.0.0.0', 8)
privateRanges.addSubnet('100.64.0.0', 10)
privateRanges.addSubnet('127.0.0.0', 8)
privateRanges.addSubnet('172.16.0.0', 12)
privateRanges.addSubnet('192.168.0.0', 16)
privateRanges.addAddress('::1', 'ipv6')
privateRanges.addSubnet('fc00::', 7, 'ipv6')

/** Why the guard refused the destination, and how to allow it if that is all right. */
export function explainVetting({ detail, addresses }: Vetting & { ok: false }): string {
  const hint = allowHint(addresses)
  return hint === null ? detail : `${detail}. ${hint}`
}

/** How to let events reach these addresses. Null if they are allowed already, or should not be. */
export function allowHint(addresses: readonly Pick<AddressVerdict, 'address' | 'family' | 'allowed'>[]): string | null {
  const refused = addresses.filter(({ allowed }) => !allowed)
  if (refused.length === 0 || !refused.every(isPrivate)) return null
  const ranges = refused.map(({ address, family }) => `${address}/${family === 4 ? 32 : 128}`)
  return `To allow it for development or on a private network, restart the service with DESTINATION_ALLOW_CIDRS=${ranges.join(',')}`
}

/** No IPv6 range allows an IPv4-mapped address, although BlockList takes it for the IPv4 address inside. */
function isPrivate({ address, family }: Pick<AddressVerdict, 'address' | 'family'>): boolean {
  return !address.startsWith('::ffff:') && privateRanges.check(address, family === 4 ? 'ipv4' : 'ipv6')
}
