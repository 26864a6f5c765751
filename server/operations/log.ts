import pino, { type Logger } from 'pino'
import pretty from 'pino-pretty'
import type { LogLevel } from '../config.ts'

// Nothing logs these today. Should a line ever be given one, it still does not reach the log.
const secrets = ['authorization', 'key', 'secret', 'password', 'body', 'dataBase64']
const censor = '[hidden]'

/** One JSON line for each thing that happens; readable text when a person is watching. `shared`: by several processes. */
export function createLogger(level: LogLevel, { shared = false }: { shared?: boolean } = {}): Logger {
  const options = {
    level,
    base: shared ? { pid: process.pid } : null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }), log: hideInside },
    redact: { paths: secrets.flatMap((name) => [name, `err.${name}`]), censor },
  }
  if (process.stdout.isTTY) return pino(options, pretty({ colorize: true, ignore: 'pid,hostname', sync: true }))
  // Written in pieces, not line by line: at thousands of requests a second each write would cost more than the line.
  // Where several processes write to one output, a piece is no longer than what a pipe takes whole.
  const size = shared ? { minLength: 3_500, maxWrite: 4_096 } : { minLength: 16_000 }
  const destination = pino.destination({ fd: 1, sync: false, periodicFlush: 200, ...size })
  return pino(options, destination)
}

// `*.${name}` among the paths would do the same, but it is looked for in every value of every line, texts and numbers
// too, and cost more than all else about the line. Here it is looked for in objects, and hardly a line has one.
function hideInside(line: Record<string, unknown>): Record<string, unknown> {
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
