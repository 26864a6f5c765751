import type { Config } from './config.ts'
import { DirectoryInUse, DirectoryUnusable } from './database/data-directory.ts'
import { connectionProblem } from './database/failures.ts'
import { UnsuitablePooler } from './database/pooler.ts'
import { SecretsKeyMismatch } from './endpoints/secrets-key.ts'

export type StartError = Error & { code?: string; port?: number }

/** What an operator reads when a start fails. */
export function explainStartFailure(error: StartError, config: Config): string {
  const explained = [DirectoryInUse, DirectoryUnusable, SecretsKeyMismatch, UnsuitablePooler]
  if (explained.some((kind) => error instanceof kind)) return error.message
  const connection = connectionProblem(error)
  if (connection) return `${connection.problem}\n${connection.remedy}`
  if (error.code === 'EADDRINUSE' && error.port === config.metricsPort) {
    return `Port ${error.port} on ${config.metricsHost} is taken by another program. Stop it, or set METRICS_PORT to another number.`
  }
  if (error.code === 'EADDRINUSE') {
    return `Port ${config.port} on ${config.host} is taken by another program. Stop it, or set PORT to another number.`
  }
  return `The server could not start: ${error.stack ?? error.message}`
}
