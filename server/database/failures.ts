/** Temporary: the same call may work in a moment. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
}

/** Out of disk space or memory, but its connections still work. */
class DatabaseFull extends DatabaseUnavailable {}

/** Whether the connection is of no use anymore, and not only for this statement. */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof DatabaseUnavailable && !(error instanceof DatabaseFull)
}

/**
 * Turns errors that mean the server is unavailable, not that the statement is wrong, into DatabaseUnavailable. Without the
 * original as its cause: the message says the same, and the log would repeat it.
 */
export function translateError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseUnavailable) return error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const isFull =
    code === '53100' || // disk full
    code === '53200' // out of memory
  if (isFull) return new DatabaseFull(reasonOf(error))
  const isUnavailable =
    code.startsWith('08') || // connection exceptions
    code === '53300' || // too many connections
    code === '57P01' || // shut down by an administrator
    code === '57P02' || // crashed
    code === '57P03' || // starting up
    code === '57014' || // took too long
    code === '25006' || // read-only: a standby, or a former primary that has become one
    // Unlogged tables can't be used on a standby. The same code means that a table has changed since a statement was
    // prepared. A new connection helps in both cases.
    code === '0A000' ||
    socketErrors.has(code) ||
    clientErrors.some((text) => error.message.includes(text))
  return isUnavailable ? new DatabaseUnavailable(reasonOf(error)) : error
}

/** For an error that means an outage, whatever its code. */
export function toUnavailable(error: unknown): DatabaseUnavailable {
  if (error instanceof DatabaseUnavailable) return error
  return new DatabaseUnavailable(error instanceof Error ? reasonOf(error) : String(error))
}

/** A host with several addresses fails with one error per address, inside an error without a message. */
function reasonOf(error: Error): string {
  return error instanceof AggregateError ? error.errors.map(({ message }) => message).join(', ') : error.message
}

const socketErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
])

/** What pg says if no connection became free in time. */
export const poolExhausted = 'timeout exceeded when trying to connect'

// pg reports these without a code.
const clientErrors = [
  'Connection terminated',
  poolExhausted,
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
  'Query read timeout',
]

export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505'
}

/** Why a database can't be used at all, for the operator who set DATABASE_URL. Null if the error has another cause. */
export function connectionProblem(error: unknown): { problem: string; remedy: string } | null {
  if (!(error instanceof Error)) return null
  if (error instanceof DatabaseUnavailable) {
    return {
      problem: `The database cannot be reached: ${error.message}`,
      remedy: 'Check DATABASE_URL and that PostgreSQL is running.',
    }
  }
  const code = 'code' in error ? String(error.code) : ''
  // PostgreSQL's own codes for a wrong user or password, and for a database that is not there.
  if (/^(28...|3D000)$/.test(code)) {
    return { problem: `The database rejected the connection: ${error.message}`, remedy: 'Check DATABASE_URL.' }
  }
  if (error.message === noTls) {
    return {
      problem: 'The database server does not offer TLS, which DATABASE_URL asks for with sslmode.',
      remedy: 'Turn it on there, with ssl = on in postgresql.conf.',
    }
  }
  if (certificateErrors.test(code)) {
    return {
      // What follows is advice of Node's that only helps its own certificates.
      problem: `The database server's certificate cannot be verified: ${error.message.split(';')[0]}`,
      remedy: 'Add the certificate of its authority to DATABASE_URL: sslmode=verify-full&sslrootcert=/path/to/ca.pem',
    }
  }
  if (code === '42501') {
    return {
      problem: `The user in DATABASE_URL lacks rights in this database: ${error.message}`,
      remedy: 'It must own the database and all its tables; docs/operations.md shows how to create and restore one.',
    }
  }
  return null
}

// What pg says without a code.
const noTls = 'The server does not support SSL connections'

const certificateErrors =
  /^(CERT_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|ERR_TLS_CERT_ALTNAME_INVALID)$/
