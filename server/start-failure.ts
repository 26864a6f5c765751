import type { Config } from './config.ts'
import { DirectoryInUse, DirectoryUnusable } from './database/data-directory.ts'
import { connectionProblem } from './database/failures.ts'
import { UnsuitableDatabase } from './database/migrate.ts'
import { UnsuitablePooler } from './database/pooler.ts'
import { SecretsKeyMismatch } from './endpoints/secrets-key.ts'

export type StartError = Error & { code?: string; port?: number; hostname?: string; syscall?: string }

/** What an operator reads when a start fails. */
export function explainStartFailure(error: StartError, config: Config): string {
  const explained = [DirectoryInUse, DirectoryUnusable, SecretsKeyMismatch, UnsuitableDatabase, UnsuitablePooler]
  if (explained.some((kind) => error instanceof kind)) return error.message
  const connection = connectionProblem(error)
  if (connection) return `${connection.problem}\n${connection.remedy}`
  return explainListening(error, config) ?? `The server could not start: ${error.stack ?? error.message}`
}

function explainListening(error: StartError, config: Config): string | null {
  const isOurs =
    error.syscall === 'getaddrinfo'
      ? [config.host, config.metricsHost].includes(error.hostname ?? '')
      : ['listen', 'bind'].includes(error.syscall ?? '') && [config.port, config.metricsPort].includes(error.port ?? -1)
  if (!isOurs) return null
  const isMetrics = error.port === config.metricsPort || (error.hostname ?? config.host) !== config.host
  const [port, host, setting] = isMetrics
    ? [config.metricsPort, config.metricsHost, 'METRICS_']
    : [config.port, config.host, '']
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is taken by another program. Stop it, or set ${setting}PORT to another number.`
    case 'EACCES':
      return `No permission to listen on port ${port}. Set ${setting}PORT to a number above 1023.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${setting}HOST is ${host}, which is not an address of this machine.`
    default:
      return null
  }
}
