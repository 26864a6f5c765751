import pino, { type Logger } from 'pino'
import type { LogLevel } from '../config.ts'
import { formatForTerminal } from './terminal-log.ts'

// Nothing logs these today. This is a safety net.
const secrets = ['authorization', 'key', 'secret', 'password', 'body', 'dataBase64']
const censor = '[hidden]'

/** JSON lines, or readable text on a terminal. `shared`: several processes write to the same output. */
export function createLogger(level: LogLevel, { shared = false }: { shared?: boolean } = {}): Logger {
  const options = {
    level,
    base: shared ? { pid: process.pid } : null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }), log: censorNested },
    redact: { paths: secrets.flatMap((name) => [name, `err.${name}`]), censor },
  }
  if (process.stdout.isTTY) {
    return pino(options, { write: (line) => void process.stdout.write(formatForTerminal(line)) })
  }
  // Buffered: at thousands of requests a second, each write would cost more than formatting the line. Only a little, since
  // every line copies what is buffered. With a shared output, a chunk is no longer than what a pipe writes atomically.
  const size = { minLength: 3_500, ...(shared && { maxWrite: 4_096 }) }
  const destination = pino.destination({ fd: 1, sync: false, periodicFlush: 200, ...size })
  return pino(options, destination)
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
