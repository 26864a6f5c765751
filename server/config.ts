import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import { parsePostgresUrl } from './database/postgres-url.ts'
import { parseSender, parseSmtpUrl } from './notifications/mail-settings.ts'
import type { MailServer } from './notifications/mailer.ts'

export type Role = 'api' | 'worker'

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

export type Config = {
  host: string
  port: number
  /** Where browsers reach this service, without a trailing slash. */
  appUrl: string
  /** Where partners reach the API, without a trailing slash. */
  apiUrl: string
  /** The invitation link, with `{token}` in it. */
  interviewUrl: string
  store: { engine: 'postgres'; url: string; connections: number } | { engine: 'embedded'; directory: string }
  /** `name`: of the FIFO queue and its dead-letter queue on SQS. */
  queue: { engine: 'postgres' } | { engine: 'sqs'; name: string }
  /** Null on the embedded engine: generated on the first start and stored next to the data. */
  engineToken: string | null
  secretsKey: Buffer | null
  /** Only used to decrypt what was encrypted before the key was changed. */
  secretsKeyPrevious: Buffer | null
  roles: ReadonlySet<Role>
  sandbox: boolean
  /** Whether `partner-interview listen` may copy events to developers' machines. */
  listen: boolean
  logLevel: LogLevel
  retryDelaySeconds: number
  sweepIntervalSeconds: number
  destinationAllowCidrs: string[]
  destinationCa: string | null
  /** A file with additional authorities that Node trusts for every connection. */
  nodeExtraCa: string | null
  /** Null: forever. Attempts of failed and pending deliveries are always kept. */
  retentionDays: { attempts: number | null; images: number | null; activity: number | null }
  /** Address ranges of proxies in front of this service, in addition to this machine. */
  trustedProxies: string[]
  /** How many processes share the port on this machine. */
  processes: number
  /** How long a stopping server keeps serving, so that load balancers can move traffic elsewhere. */
  stopDelaySeconds: number
  /** Null: /metrics is on the main port and requires the token. */
  metricsPort: number | null
  metricsHost: string
  metricsToken: string | null
  /** Null: no email is sent. */
  mail: MailServer | null
  /** Null: no traces. The OpenTelemetry SDK reads the rest from its own variables. */
  traces: { serviceName: string } | null
}

/** Returns all errors at once, so an operator can fix them in one go. Commands don't need the server's secrets. */
export function readConfig(
  purpose: 'server' | 'command',
  given: Environment = process.env,
): { ok: true; config: Config } | { ok: false; faults: string[] } {
  const { environment, faults } = withSecretFiles(given)

  const read = <Value>(name: string, fallback: Value, parse: (text: string) => Value | Fault): Value => {
    const text = environment[name]?.trim()
    if (!text) return fallback
    const value = parse(text)
    if (!(value instanceof Fault)) return value
    faults.push(`${name} ${value.text}`)
    return fallback
  }

  const host = read('HOST', '127.0.0.1', (text) => text)
  const port = read('PORT', 3000, wholeNumber(1, 65_535))
  const appUrl = read('APP_URL', `http://${host.includes(':') ? `[${host}]` : host}:${port}`, webAddress)
  const apiUrl = read('API_URL', appUrl, webAddress)
  const interviewUrl = read('INTERVIEW_URL', `${appUrl}/interview/{token}`, linkWithToken)
  const databaseUrl = read<string | null>('DATABASE_URL', null, postgresAddress)
  const connections = read('DATABASE_CONNECTIONS', 10, wholeNumber(1, 1000))
  const directory = read('DATA_DIR', resolve('data'), (text) => resolve(text))
  const queueEngine = read<'postgres' | 'sqs'>('QUEUE', 'postgres', queueName)
  const sqsQueue = read('SQS_QUEUE', 'partner-interview-deliveries', sqsName)
  const engineToken = read<string | null>('ENGINE_TOKEN', null, token)
  const secretsKey = read<Buffer | null>('SECRETS_KEY', null, key)
  const secretsKeyPrevious = read<Buffer | null>('SECRETS_KEY_PREVIOUS', null, key)
  const roles = read<ReadonlySet<Role>>('ROLES', new Set<Role>(['api', 'worker']), roleSet)
  const sandbox = read('SANDBOX', databaseUrl === null, onOrOff)
  const listen = read('LISTEN', true, onOrOff)
  const logLevel = read<LogLevel>('LOG_LEVEL', 'info', level)
  const retryDelaySeconds = read('WEBHOOK_RETRY_DELAY_SECONDS', 60, wholeNumber(0, 86_400))
  const sweepIntervalSeconds = read('SWEEP_INTERVAL_SECONDS', 60, wholeNumber(1, 3_600))
  const destinationAllowCidrs = read<string[]>('DESTINATION_ALLOW_CIDRS', [], addressRanges)
  const destinationCa = read<string | null>('DESTINATION_CA_FILE', null, certificateFile)
  const nodeExtraCa = read<string | null>('NODE_EXTRA_CA_CERTS', null, (text) => text)
  const retentionDays = {
    attempts: read<number | null>('RETENTION_ATTEMPT_DAYS', 30, daysOrOff),
    images: read<number | null>('RETENTION_IMAGE_DAYS', 90, daysOrOff),
    activity: read<number | null>('RETENTION_ACTIVITY_DAYS', 365, daysOrOff),
  }
  const trustedProxies = read<string[]>('TRUSTED_PROXIES', [], addressRanges)
  const processes = read('PROCESSES', 1, wholeNumber(1, 256))
  const stopDelaySeconds = read('STOP_DELAY_SECONDS', 0, wholeNumber(0, 300))
  const metricsPort = read<number | null>('METRICS_PORT', null, wholeNumber(1, 65_535))
  const metricsHost = read('METRICS_HOST', host, (text) => text)
  const metricsToken = read<string | null>('METRICS_TOKEN', null, token)
  const smtp = read<Omit<MailServer, 'from'> | null>('SMTP_URL', null, smtpAddress)
  const from = read<MailServer['from'] | null>('MAIL_FROM', null, sender)
  const traces = tracesIn(environment)

  // Even if DATABASE_URL is invalid, report what else it requires.
  const isGiven = (name: string) => Boolean(environment[name]?.trim() || environment[`${name}_FILE`]?.trim())
  const wantsPostgres = isGiven('DATABASE_URL')
  if (wantsPostgres && purpose === 'server') {
    if (!isGiven('ENGINE_TOKEN')) faults.push('ENGINE_TOKEN is required when DATABASE_URL is set')
    if (!isGiven('SECRETS_KEY')) faults.push('SECRETS_KEY is required when DATABASE_URL is set')
  }
  if (!wantsPostgres && roles.size < 2) {
    faults.push('ROLES must be api,worker without DATABASE_URL: only one process can use the embedded database')
  }
  if (!wantsPostgres && processes > 1) {
    faults.push('PROCESSES must be 1 without DATABASE_URL: only one process can use the embedded database')
  }
  if (isGiven('SMTP_URL') && !isGiven('MAIL_FROM')) faults.push('MAIL_FROM is required when SMTP_URL is set')
  if (metricsPort === port) faults.push('METRICS_PORT must differ from PORT')
  if (faults.length > 0) return { ok: false, faults }

  return {
    ok: true,
    config: {
      host,
      port,
      appUrl,
      apiUrl,
      interviewUrl,
      store:
        databaseUrl === null
          ? { engine: 'embedded', directory }
          : { engine: 'postgres', url: databaseUrl, connections },
      queue: queueEngine === 'sqs' ? { engine: 'sqs', name: sqsQueue } : { engine: 'postgres' },
      engineToken,
      secretsKey,
      secretsKeyPrevious,
      roles,
      sandbox,
      listen,
      logLevel,
      retryDelaySeconds,
      sweepIntervalSeconds,
      destinationAllowCidrs,
      destinationCa,
      nodeExtraCa,
      retentionDays,
      trustedProxies,
      processes,
      stopDelaySeconds,
      metricsPort,
      metricsHost,
      metricsToken,
      mail: smtp && from && { ...smtp, from },
      traces,
    },
  }
}

type Environment = Record<string, string | undefined>

/** Each can also be read from a file, which is how containers get them: NAME_FILE=/run/secrets/name. */
const secretSettings = [
  'DATABASE_URL',
  'ENGINE_TOKEN',
  'SECRETS_KEY',
  'SECRETS_KEY_PREVIOUS',
  'METRICS_TOKEN',
  'SMTP_URL',
]

function withSecretFiles(given: Environment): { environment: Environment; faults: string[] } {
  const environment = { ...given }
  const faults: string[] = []
  for (const name of secretSettings) {
    const path = given[`${name}_FILE`]?.trim()
    if (!path) continue
    if (given[name]?.trim()) faults.push(`${name} and ${name}_FILE are both set. Remove one of them`)
    try {
      environment[name] = readFileSync(path, 'utf8').trim()
      if (environment[name] === '') faults.push(`${name}_FILE names an empty file: ${path}`)
    } catch (error) {
      faults.push(`${name}_FILE can't be read: ${error instanceof Error ? error.message : error}`)
    }
  }
  return { environment, faults }
}

function tracesIn(environment: Environment): Config['traces'] {
  const collector =
    environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?.trim() || environment.OTEL_EXPORTER_OTLP_ENDPOINT?.trim()
  if (!collector || /^true$/i.test(environment.OTEL_SDK_DISABLED?.trim() ?? '')) return null
  const attribute = /(?:^|,)\s*service\.name=([^,]+)/.exec(environment.OTEL_RESOURCE_ATTRIBUTES ?? '')?.[1]
  return { serviceName: environment.OTEL_SERVICE_NAME?.trim() || attribute || 'partner-interview-api' }
}

class Fault {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

function wholeNumber(minimum: number, maximum: number) {
  return (text: string) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    const isInRange = value >= minimum && value <= maximum
    return isInRange ? value : new Fault(`must be a whole number between ${minimum} and ${maximum}`)
  }
}

function daysOrOff(text: string) {
  if (/^(0|off)$/i.test(text)) return null
  const days = wholeNumber(1, 36_500)(text)
  return days instanceof Fault ? new Fault('must be a number of days from 1 to 36500, or off to keep forever') : days
}

function webAddress(text: string) {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password) {
    return new Fault('must be an http or https address such as https://interviews.example.com')
  }
  return url.href.replace(/\/+$/, '')
}

function linkWithToken(text: string) {
  if (!URL.canParse(text) || !/^https?:/i.test(text) || !text.includes('{token}')) {
    return new Fault('must be an http or https address with {token} in it')
  }
  return text
}

function postgresAddress(text: string) {
  const address = parsePostgresUrl(text)
  return 'fault' in address ? new Fault(address.fault) : text
}

function smtpAddress(text: string) {
  // Don't print the value: it usually contains a password.
  return (
    parseSmtpUrl(text) ??
    new Fault('must be an address such as smtps://user:password@mail.example.com or smtp://localhost:25')
  )
}

function sender(text: string) {
  return (
    parseSender(text) ??
    new Fault('must be an email address, or a name and an address such as Interviews <interviews@example.com>')
  )
}

function queueName(text: string) {
  return text === 'postgres' || text === 'sqs' ? text : new Fault('must be postgres or sqs')
}

// SQS allows 80 characters, and ours end in -dead.fifo.
function sqsName(text: string) {
  return /^[A-Za-z0-9_-]{1,70}$/.test(text)
    ? text
    : new Fault('must be 1 to 70 letters, digits, hyphens and underscores, without .fifo')
}

function token(text: string) {
  return text.length >= 32 ? text : new Fault('must be at least 32 characters long')
}

function key(text: string) {
  const bytes = /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : Buffer.alloc(0)
  return bytes.length === 32
    ? bytes
    : new Fault('must be 32 bytes as base64 (create one with: openssl rand -base64 32)')
}

function roleSet(text: string) {
  const names = text.split(',').map((name) => name.trim())
  const roles = new Set<Role>()
  for (const name of names) {
    if (name !== 'api' && name !== 'worker') return new Fault('must be api, worker or api,worker')
    roles.add(name)
  }
  return roles
}

function onOrOff(text: string) {
  if (/^(true|1)$/i.test(text)) return true
  if (/^(false|0)$/i.test(text)) return false
  return new Fault('must be true or false')
}

function level(text: string) {
  return logLevels.find((known) => known === text) ?? new Fault(`must be one of ${logLevels.join(', ')}`)
}

function addressRanges(text: string) {
  const ranges = text.split(',').map((range) => range.trim())
  const invalid = ranges.find((range) => !ipaddr.isValidCIDR(range))
  return invalid === undefined
    ? ranges
    : new Fault(`must be a list of ranges such as 10.0.0.0/8,fd00::/8; invalid: ${invalid}`)
}

function certificateFile(text: string) {
  try {
    const certificate = readFileSync(text, 'utf8')
    return certificate.includes('-----BEGIN CERTIFICATE-----')
      ? certificate
      : new Fault(`contains no certificate: ${text}`)
  } catch {
    return new Fault(`cannot be read: ${text}`)
  }
}
