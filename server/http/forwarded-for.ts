import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'

/**
 * Some proxies append the client's port, as in 192.0.2.1:4711 or [2001:db8::1]:4711. Every connection would count as a
 * network of its own. Clients whose address no proxy knows count as one.
 */
export function normalizeForwardedFor(headers: IncomingHttpHeaders): void {
  const forwarded = headers['x-forwarded-for']
  if (typeof forwarded === 'string') headers['x-forwarded-for'] = forwarded.split(',').map(addressIn).join(', ')
}

function addressIn(entry: string): string {
  const text = entry.trim()
  if (text === '') return text
  const [, v4, v6] = /^(?:([\d.]+):\d+|\[([^\]]+)\](?::\d+)?)$/.exec(text) ?? []
  const address = v4 ?? v6 ?? text
  return isIP(address) === 0 ? 'unknown' : address
}
