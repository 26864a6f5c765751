import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  addressRanges,
  certificateFile,
  daysOrOff,
  Fault,
  key,
  type LogLevel,
  level,
  linkWithToken,
  onOrOff,
  postgresAddress,
  queueName,
  type Role,
  roleSet,
  sender,
  smtpAddress,
  sqsName,
  token,
  webAddress,
  wholeNumber,
} from './config-values.ts'
import type { MailServer } from './notifications/mailer.ts'

export type { LogLevel, Role } from './config-values.ts'

export type Config = {
  host: string
  port: number
  /** Where browsers reach this service, without a trailing slash. */
  appUrl: string
  /** Where partners reach the API, without a trailing slash. */
  apiUrl: string
  /** The invitation link, with `{token}` in it. */
  interviewUrl: string
  /** Whether the links that candidates get lead anywhere, as far as we know. */
  hasInterviewPage: boolean
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
  const interviewUrl = read<string | null>('INTERVIEW_URL', null, linkWithToken)
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
  if (isGiven('MAIL_FROM') && !isGiven('SMTP_URL') && purpose === 'server') {
    faults.push('SMTP_URL is required when MAIL_FROM is set')
  }
  if (metricsPort === port) faults.push('METRICS_PORT must differ from PORT')
  if (faults.length > 0) return { ok: false, faults }

  return {
    ok: true,
    config: {
      host,
      port,
      appUrl,
      apiUrl,
      interviewUrl: interviewUrl ?? `${appUrl}/interview/{token}`,
      hasInterviewPage: interviewUrl !== null || sandbox,
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
