import pino, { type Logger } from 'pino'
import type { LogLevel } from '../config.ts'
import { createLogWriter } from './log-writer.ts'
import { formatForTerminal } from './terminal-log.ts'
import { createWaitingLines, type Fields } from './waiting-lines.ts'

// Nothing logs these today. This is a safety net.
const secrets = ['authorization', 'key', 'secret', 'password', 'body', 'dataBase64']
const censor = '[hidden]'

// About a minute of a busy process, for a reader that has stopped reading.
const maxQueuedBytes = 16 * 1_024 * 1_024

// pino's number for it.
const infoLevel = 30

/** JSON lines, or readable text on a terminal. `shared`: several processes write to the same output. */
export function createLogger(level: LogLevel, { shared = false }: { shared?: boolean } = {}): Logger {
  const base = shared ? { pid: process.pid } : null
  const options = {
    level,
    base,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }), log: censorNested },
    redact: { paths: secrets.flatMap((name) => [name, `err.${name}`]), censor },
  }
  // A terminal may be closed, and a disk may be full when the first start prints its welcome.
  process.stdout.on('error', () => {})
  if (process.stdout.isTTY) {
    return pino(options, { write: (line) => void process.stdout.write(formatForTerminal(line)) })
  }
  // A shared output gets no more at once than a pipe writes atomically.
  const maxChunkBytes = shared ? 4_096 : 65_536
  const writer = createLogWriter(1, {
    maxChunkBytes,
    maxQueuedBytes,
    onLoss: (bytes) => logger.error({ bytes }, 'log lines were lost'),
  })
  const lines = createWaitingLines(writer, { base })
  process.on('exit', lines.stream.flushSync)
  const logger = pino(
    {
      ...options,
      hooks: {
        logMethod(line, log, level) {
          const [fields, message] = line
          // A child has more fields, which only pino knows.
          const canWait = level === infoLevel && this === logger && typeof message === 'string' && isPlain(fields)
          if (canWait) lines.add(fields, message)
          else log.apply(this, line)
        },
      },
    },
    lines.stream,
  )
  return logger
}

/** No more than JSON needs, as in the lines of requests and deliveries, which come by the thousand. */
function isPlain(fields: unknown): fields is Fields {
  if (!isRecord(fields)) return false
  for (const name in fields) {
    const value = fields[name]
    if ((value !== null && !plainTypes.has(typeof value)) || secrets.includes(name)) return false
  }
  return true
}

const plainTypes = new Set(['string', 'number', 'boolean', 'undefined'])

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}

// Adding `*.${name}` to the paths would do the same, but pino checks every value of every line, which cost more than the
// rest of the line. This only checks objects, which few lines have.
function censorNested(line: Record<string, unknown>): Record<string, unknown> {
  let safe = line
  for (const name in line) {
    const value = line[name]
    if (typeof value !== 'object' || value === null || name === 'err') continue
    const found = secrets.filter((secret) => Object.hasOwn(value, secret))
    if (found.length === 0) continue
    safe = { ...safe, [name]: { ...value, ...Object.fromEntries(found.map((secret) => [secret, censor])) } }
  }
  return safe
}
