/** The database cannot be reached just now. The same call may work in a moment. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
}

/** It is there, and has no room left: its connections are as good as before. */
export class DatabaseFull extends DatabaseUnavailable {}

/** The same error, or DatabaseUnavailable when it means that the server is away rather than that the statement is wrong. */
export function translated(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  // The disk, or the memory.
  if (code === '53100' || code === '53200') return new DatabaseFull(reasonOf(error), { cause: error })
  const away =
    code.startsWith('08') || // connection exceptions
    code === '53300' || // too many connections
    code === '57P01' || // shut down by an administrator
    code === '57P02' || // crashed
    code === '57P03' || // starting up
    code === '57014' || // took too long
    socketFaults.has(code) ||
    clientFaults.some((text) => error.message.includes(text))
  return away ? new DatabaseUnavailable(reasonOf(error), { cause: error }) : error
}

/** A name with several addresses fails with one error for each, under an error without a text. */
function reasonOf(error: Error): string {
  return error instanceof AggregateError ? error.errors.map(({ message }) => message).join(', ') : error.message
}

const socketFaults = new Set([
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

// pg reports these without a code.
const clientFaults = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
  'Query read timeout',
]

/** True when the statement met a unique index that already holds its row. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505'
}
