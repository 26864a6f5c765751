import { isIP } from 'node:net'
import type { MailServer } from './mailer.ts'

/** Reads smtp://user:password@host:port. Null if it is anything else. */
export function parseSmtpUrl(text: string): Omit<MailServer, 'from'> | null {
  const url = URL.parse(text)
  if (!url || !/^smtps?:$/.test(url.protocol) || url.search || url.hash || !/^\/?$/.test(url.pathname)) return null
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(host) === 0 && !/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(host)) return null
  const user = decoded(url.username)
  const password = decoded(url.password)
  if (user === null || password === null || (user === '') !== (password === '')) return null
  const login = user === '' ? null : { user, password }
  const isTls = url.protocol === 'smtps:'
  const port = url.port === '' ? (isTls ? 465 : 587) : Number(url.port)
  // A password must not cross a network unencrypted.
  const encryption = isTls ? 'tls' : login !== null && !isThisMachine(host) ? 'starttls' : 'either'
  return { host, port, encryption, login }
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

/** Reads `interviews@example.com` or `Interviews <interviews@example.com>`. Null if it is anything else. */
export function parseSender(text: string): MailServer['from'] | null {
  const match = /^(?:"?([^"<>\p{Cc}]*?)"?\s*<([^<>]+)>|([^<>]+))$/u.exec(text)
  const address = (match?.[2] ?? match?.[3] ?? '').trim()
  return /^[^\s@<>"(),:;[\]\\]+@[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(address)
    ? { name: match?.[1]?.trim() ?? '', address }
    : null
}
