import type { FastifyError, FastifyRequest } from 'fastify'
import { DatabaseUnavailable } from '../database/failures.ts'
import { type ErrorCode, Refusal } from './errors.ts'
import { logOf } from './log-messages.ts'
import { describeErrors } from './validation.ts'

type BodyType = 'image/jpeg' | 'application/x-www-form-urlencoded'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The content type of this route's body, if it is not JSON. */
    accepts?: BodyType
  }
}

/** Maps any error of a request to what its caller sees, and logs the ones that are our fault. */
export function refusalFor(error: FastifyError | Refusal | Error, request: FastifyRequest): Refusal {
  const refusal = refusalOf(error, request.routeOptions.config?.accepts)
  if (refusal.code === 'internal') logOf(request).error({ err: error }, 'request failed')
  if (refusal.code === 'unavailable') logOf(request).warn({ err: error }, 'database cannot be reached')
  return refusal
}

function refusalOf(error: FastifyError | Refusal | Error, accepts: BodyType | undefined): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof DatabaseUnavailable) return new Refusal('unavailable', { headers: { 'retry-after': '5' } })
  if ('validation' in error && error.validation) {
    return new Refusal('invalid_request', { detail: describeErrors(error.validation, error.validationContext) })
  }
  switch ('code' in error ? error.code : undefined) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Refusal(accepts === undefined ? 'not_json' : notOfType[accepts])
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Refusal('body_too_large')
    case 'FST_ERR_BAD_URL':
      return new Refusal('bad_url')
    default:
      return new Refusal(isClientFault(error) ? 'bad_http' : 'internal')
  }
}

/** Fastify's status says whose fault it is. A body that the client cut off is the client's fault, too. */
function isClientFault(error: object): boolean {
  const { code, statusCode } = { code: '', statusCode: 500, ...error }
  return statusCode < 500 && (code.startsWith('FST_ERR_') || code === 'ECONNRESET')
}

const notOfType: Record<BodyType, ErrorCode> = {
  'image/jpeg': 'not_jpeg',
  'application/x-www-form-urlencoded': 'not_a_form',
}
