import type { FastifySchemaValidationError } from 'fastify'
import { isName } from '../organizations/names.ts'
import { publicText } from './errors.ts'
import { isRecord } from './input.ts'

type Part = 'body' | 'querystring' | 'params' | 'headers'

/** Names each invalid field of a request and says what is wrong with it. Several errors are joined. */
export function describeErrors(
  errors: readonly FastifySchemaValidationError[],
  part: Part | undefined,
  nameOf = (field: string) => field,
): string {
  // A body can be wrong in a million places. Describing them must not take longer than finding them.
  const texts = new Set(errors.slice(0, maxDescribed).map((error) => describeError(error, part, nameOf)))
  const shown = [...texts].slice(0, maxShown)
  const rest = texts.size - shown.length + Math.max(0, errors.length - maxDescribed)
  return rest > 0 ? `${shown.join('; ')}; and ${rest} more` : shown.join('; ')
}

const maxShown = 20
const maxDescribed = 1_000

function describeError(
  error: FastifySchemaValidationError,
  part: Part | undefined,
  nameOf: (field: string) => string,
): string {
  const path = error.instancePath.slice(1).replaceAll('/', '.')
  const within = (name: unknown) => nameOf(path ? `${path}.${name}` : String(name))
  const field = path && nameOf(path)
  switch (error.keyword) {
    case 'required':
      return `${within(error.params.missingProperty)} is required`
    case 'additionalProperties': {
      const name = shortened(within(error.params.additionalProperty))
      return part === 'querystring' ? `Unknown query parameter: ${name}` : `Unknown field: ${name}`
    }
    case 'minLength':
      return error.params.limit === 1 ? `${field} is required` : `${field} ${expectations(error)}`
    case 'minProperties':
      return publicText('no_changes')
    default:
      return field ? `${field} ${expectations(error)}` : publicText('not_an_object')
  }
}

/** The whole expectation, whichever part was violated. Half of it would only lead to the next error. */
function expectations({ keyword, params, parentSchema }: FastifySchemaValidationError & { parentSchema?: unknown }) {
  const schema = isRecord(parentSchema) ? parentSchema : {}
  if (keyword === 'minLength') return `must be at least ${params.limit} characters`
  if (keyword === 'minItems') return 'must not be empty'
  if (keyword === 'maxLength') return `must be at most ${params.limit} characters`
  if (keyword === 'maxItems') return `must have at most ${params.limit} entries`
  // The only pattern is that of well-formed text.
  if (keyword === 'pattern') return formatExpectations.text
  if (keyword === 'format') return formatExpectations[String(params.format)] ?? 'must be valid'
  if (keyword === 'enum') return `must be one of ${String(params.allowedValues).replaceAll(',', ', ')}`
  if (schema.type === 'integer' || schema.type === 'number') {
    const kind = schema.type === 'integer' ? 'an integer' : 'a number'
    return schema.maximum === undefined
      ? `must be ${kind}`
      : `must be ${kind} between ${schema.minimum} and ${schema.maximum}`
  }
  return `must be ${kinds[String(schema.type)] ?? 'valid'}`
}

const formatExpectations: Record<string, string> = {
  text: 'must be text without NUL characters or unpaired surrogates',
  email: 'must be a valid email address',
  name: 'must be text without control characters or unpaired surrogates',
  issuer: 'must be an https:// URL without a query or fragment',
  domain: 'must be a domain such as example.com; write an international one in its xn-- form',
  base64: 'must be Base64',
  'date-time': 'must be an ISO 8601 time such as 2026-01-02T03:04:05.678Z',
}

const kinds: Record<string, string> = {
  string: 'a string',
  'string,null': 'a string or null',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
}

function shortened(text: string): string {
  return text.length <= 100 ? text : `${text.slice(0, 100)}…`
}

/** String formats for schemas, in addition to what JSON Schema checks itself. */
export const formats = {
  // PostgreSQL can't store NUL, and an unpaired surrogate is not a character. Not a pattern: these schemas are part of
  // the public document, and no pattern for this works in the regular expressions of every language.
  text: (text: string) => !text.includes('\0') && text.isWellFormed(),
  email: isEmail,
  name: isName,
  issuer: /^https:\/\/[^\s?#]+$/,
  domain: /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+([a-z]{2,63}|xn--[a-z0-9-]{1,59})$/i,
  base64: /^[A-Za-z0-9+/]*={0,2}$/,
  'date-time': (text: string) => time.test(text) && Date.parse(text) < tooLate && isInCalendar(text.slice(0, 10)),
}

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/

// With an offset, a time of the last day can be in a year that is written with five digits.
const tooLate = Date.parse('9999-12-31T23:59:59.999Z') + 1

/** Date.parse reads February 30 as March 2. */
function isInCalendar(day: string): boolean {
  return new Date(day).toISOString().startsWith(day)
}

/** Loose on purpose: only sending shows whether an address exists. Rejects what no mail system would accept. */
function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, at)
  const labels = text.slice(at + 1).split('.')
  return (
    at > 0 &&
    local.length <= 64 &&
    /^[^\s@"(),:;<>[\\\]\p{C}]+$/u.test(local) &&
    !/^\.|\.\.|\.$/.test(local) &&
    labels.length >= 2 &&
    labels.every((label) => /^[\p{L}\p{N}]([\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u.test(label) && label.length <= 63)
  )
}
