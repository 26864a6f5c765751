/** DATABASE_URL. It may name several servers of one replicated database, as libpq's connection strings can. */
export type PostgresAddress = {
  /** One connection string per server. */
  servers: string[]
  /** Hosts and database for people to read, without user and password. */
  name: string
}

const form = 'must be an address such as postgres://user:password@host:5432/database'

/** The fault never quotes the text: it usually contains a password. */
export function parsePostgresUrl(text: string): PostgresAddress | { fault: string } {
  const [, scheme = '', authority = '', rest = ''] = /^(postgres(?:ql)?:\/\/)([^/?#]*)(.*)$/is.exec(text) ?? []
  if (scheme === '') return { fault: form }
  const hostsAt = authority.lastIndexOf('@') + 1
  const hosts = authority.slice(hostsAt).split(',')
  const urls = hosts.map((host) => `${scheme}${authority.slice(0, hostsAt)}${host}${rest}`)
  if (hosts.length > 1 && (hosts.includes('') || !urls.every((url) => URL.canParse(url)))) {
    return {
      fault:
        'must name each server as host or host:port, separated by commas. Percent-encode special characters in the password',
    }
  }
  const [first = ''] = urls
  if (!URL.canParse(first)) return { fault: form }
  const { searchParams, pathname } = new URL(first)
  const namesHostsTwice = hosts.length > 1 && (searchParams.has('host') || searchParams.has('port'))
  if (namesHostsTwice || searchParams.get('host')?.includes(',')) {
    return { fault: 'must name several servers before the database: postgres://user:password@host1,host2/database' }
  }
  if (!writable.has(searchParams.get('target_session_attrs'))) {
    return { fault: 'must have target_session_attrs=read-write or primary, or none: the service has to write' }
  }
  const host = hosts.length > 1 ? hosts.join(',') : new URL(first).host || searchParams.get('host') || 'localhost'
  return { servers: urls.map(withoutSessionAttributes), name: `${host}${pathname}` }
}

const writable = new Set([null, 'read-write', 'primary'])

/** pg doesn't know the parameter. We always look for the server that takes writes. */
function withoutSessionAttributes(text: string): string {
  const url = new URL(text)
  if (!url.searchParams.has('target_session_attrs')) return text
  url.searchParams.delete('target_session_attrs')
  return url.href
}
