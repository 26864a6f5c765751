import pino, { type Logger } from 'pino'
import pretty from 'pino-pretty'
import type { LogLevel } from './config.ts'

/** One JSON line for each thing that happens; readable text when a person is watching. */
export function createLogger(level: LogLevel): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: {
      // Nothing logs these today. Should a line ever be given one, it still does not reach the log.
      paths: ['authorization', 'key', 'secret', 'password', 'body', 'dataBase64'].flatMap((name) => [
        name,
        `*.${name}`,
      ]),
      censor: '[hidden]',
    },
  }
  if (process.stdout.isTTY) return pino(options, pretty({ colorize: true, ignore: 'pid,hostname', sync: true }))
  // Written in pieces, not line by line: at thousands of requests a second each write would cost more than the line.
  const destination = pino.destination({ fd: 1, sync: false, minLength: 4096, periodicFlush: 200 })
  return pino(options, destination)
}
