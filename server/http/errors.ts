/**
 * Every error a caller can be answered with: its status and its public text. The cause of an error goes to the log;
 * the caller reads only what stands here. `$` is where a detail of the request goes.
 */
export const errors = {
  invalid_request: { status: 400, text: '$' },
  invalid_json: { status: 400, text: 'Request body must be valid JSON' },
  not_an_object: { status: 400, text: 'Request body must be a JSON object' },
  no_changes: { status: 400, text: 'Request body must have at least one field to change' },
  invalid_cursor: { status: 400, text: 'cursor is invalid' },
  times_reversed: { status: 400, text: 'completedAfter must not be later than completedBefore' },
  nested_too_deeply: { status: 400, text: 'analysis is nested too deeply' },
  empty_image: { status: 400, text: 'Request body must be the image' },
  bad_url: { status: 400, text: 'Request URL is not valid' },
  bad_http: { status: 400, text: 'Request is not valid HTTP' },
  key_required: { status: 401, text: 'API key is required' },
  key_invalid: { status: 401, text: 'Invalid API key' },
  engine_token_invalid: { status: 401, text: 'Invalid engine token' },
  organization_inactive: { status: 403, text: 'Organization is inactive' },
  scope_required: { status: 403, text: 'API key scope $ is required' },
  not_found: { status: 404, text: 'Not found' },
  template_not_found: { status: 404, text: 'Template not found' },
  invitation_not_found: { status: 404, text: 'Interview invitation not found' },
  result_not_found: { status: 404, text: 'Interview result not found' },
  interview_not_found: { status: 404, text: 'Interview not found' },
  method_not_allowed: { status: 405, text: 'Method not allowed' },
  request_timeout: { status: 408, text: 'Request took too long to arrive' },
  posting_taken: { status: 409, text: 'externalPostingId is already mapped to another template' },
  impossible_move: { status: 409, text: 'Interview cannot move from $' },
  interview_over: { status: 409, text: 'Interview is $ and takes no result' },
  different_result: { status: 409, text: 'A different result is already stored' },
  invitation_over: { status: 410, text: 'Interview is over' },
  body_too_large: { status: 413, text: 'Request body is too large' },
  not_json: { status: 415, text: 'Content-Type must be application/json' },
  not_jpeg: { status: 415, text: 'Content-Type must be image/jpeg' },
  not_a_form: { status: 415, text: 'Content-Type must be application/x-www-form-urlencoded' },
  rate_limited: { status: 429, text: 'API key rate limit exceeded' },
  headers_too_large: { status: 431, text: 'Request header fields are too large' },
  internal: { status: 500, text: 'Internal server error' },
  unavailable: { status: 503, text: 'Service unavailable' },
} as const

export type ErrorCode = keyof typeof errors

/** Thrown by a handler to end a request with one of the errors above. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: ErrorCode
  readonly headers: Record<string, string>

  constructor(code: ErrorCode, options: { detail?: string; headers?: Record<string, string> } = {}) {
    super(publicText(code, options.detail))
    this.code = code
    this.headers = options.headers ?? {}
  }
}

export function publicText(code: ErrorCode, detail = ''): string {
  return errors[code].text.replace('$', () => detail)
}
