import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { parsePostgresUrl } from './database/postgres-url.ts'
import { parseSender, parseSmtpUrl } from './notifications/mail-settings.ts'

// How each setting is written. Every function returns the value, or what is wrong with the text.

export type Role = 'api' | 'worker'

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** Why a value can't be used, to be read after the setting's name. */
export class Fault {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export function wholeNumber(minimum: number, maximum: number) {
  return (text: string) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    const isInRange = value >= minimum && value <= maximum
    return isInRange ? value : new Fault(`must be a whole number between ${minimum} and ${maximum}`)
  }
}

export function daysOrOff(text: string) {
  if (/^(0|off)$/i.test(text)) return null
  const days = wholeNumber(1, 36_500)(text)
  return days instanceof Fault ? new Fault('must be a number of days from 1 to 36500, or off to keep forever') : days
}

export function webAddress(text: string) {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password) {
    return new Fault('must be an http or https address such as https://interviews.example.com')
  }
  return url.href.replace(/\/+$/, '')
}

export function linkWithToken(text: string) {
  if (!URL.canParse(text) || !/^https?:/i.test(text) || !text.includes('{token}')) {
    return new Fault('must be an http or https address with {token} in it')
  }
  return text
}

export function postgresAddress(text: string) {
  const address = parsePostgresUrl(text)
  return 'fault' in address ? new Fault(address.fault) : text
}

export function smtpAddress(text: string) {
  // Don't print the value: it usually contains a password.
  return (
    parseSmtpUrl(text) ??
    new Fault('must be an address such as smtps://user:password@mail.example.com or smtp://localhost:25')
  )
}

export function sender(text: string) {
  return (
    parseSender(text) ??
    new Fault('must be an email address, or a name and an address such as Interviews <interviews@example.com>')
  )
}

export function queueName(text: string) {
  return text === 'postgres' || text === 'sqs' ? text : new Fault('must be postgres or sqs')
}

// SQS allows 80 characters, and ours end in -dead.fifo.
export function sqsName(text: string) {
  return /^[A-Za-z0-9_-]{1,70}$/.test(text)
    ? text
    : new Fault('must be 1 to 70 letters, digits, hyphens and underscores, without .fifo')
}

export function token(text: string) {
  if (text.length < 32) return new Fault('must be at least 32 characters long')
  // Others can't be sent in a header.
  return /^[\x20-\x7e]+$/.test(text) ? text : new Fault('must contain only printable ASCII characters')
}

export function key(text: string) {
  const bytes = /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : Buffer.alloc(0)
  return bytes.length === 32
    ? bytes
    : new Fault('must be 32 bytes as base64 (create one with: openssl rand -base64 32)')
}

export function roleSet(text: string) {
  const names = text.split(',').map((name) => name.trim())
  const roles = new Set<Role>()
  for (const name of names) {
    if (name !== 'api' && name !== 'worker') return new Fault('must be api, worker or api,worker')
    roles.add(name)
  }
  return roles
}

export function onOrOff(text: string) {
  if (/^(true|1)$/i.test(text)) return true
  if (/^(false|0)$/i.test(text)) return false
  return new Fault('must be true or false')
}

export function level(text: string) {
  return logLevels.find((known) => known === text) ?? new Fault(`must be one of ${logLevels.join(', ')}`)
}

export function addressRanges(text: string) {
  const given = text.split(',').map((range) => range.trim())
  const ranges = given.map(asRange)
  const invalid = given.find((_, index) => !ipaddr.isValidCIDR(ranges[index] ?? ''))
  return invalid === undefined
    ? ranges
    : new Fault(`must be a list of addresses and ranges such as 10.1.2.3,10.0.0.0/8,fd00::/8; invalid: ${invalid}`)
}

function asRange(text: string): string {
  if (isIPv4(text)) return `${text}/32`
  // A zone such as %eth0 is a name on one machine, not part of an address.
  return isIPv6(text) && !text.includes('%') ? `${text}/128` : text
}

export function certificateFile(text: string) {
  let pem: string
  try {
    pem = readFileSync(text, 'utf8')
  } catch (error) {
    return new Fault(`can't be read: ${error instanceof Error ? error.message : error}`)
  }
  const certificates = pem.match(/-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----/gs)
  if (!certificates) return new Fault(`contains no certificate: ${text}`)
  // Node would ignore it and all that follow.
  if (!certificates.every(isCertificate)) return new Fault(`contains a damaged certificate: ${text}`)
  return pem
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem) !== null
  } catch {
    return false
  }
}
