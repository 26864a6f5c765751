import { maxListenTokens } from '../listeners/listen-tokens.ts'
import { maxKeys } from '../organizations/api-keys.ts'
import { maxMemberInvitations } from '../organizations/member-invitations.ts'

/**
 * Every error a caller can get: its status and its public text. The cause goes to the log and callers never see it.
 * `$` is replaced with a detail of the request.
 */
export const errors = {
  invalid_request: { status: 400, text: '$' },
  invalid_email: { status: 400, text: 'email must be an email address such as ada@example.com' },
  invalid_json: { status: 400, text: 'Request body must be valid JSON' },
  not_an_object: { status: 400, text: 'Request body must be a JSON object' },
  invalid_form: { status: 400, text: 'Request body must be a form as a browser sends it' },
  no_changes: { status: 400, text: 'Request body must have at least one field to change' },
  invalid_cursor: { status: 400, text: 'cursor is invalid' },
  times_reversed: { status: 400, text: 'completedAfter must not be later than completedBefore' },
  completed_at_out_of_range: { status: 400, text: 'completedAt must be between 2000-01-01 and a day from now' },
  nested_too_deeply: { status: 400, text: 'Request body is nested too deeply' },
  too_many_values: { status: 400, text: 'Request body has too many values' },
  empty_image: { status: 400, text: 'Request body must be the image' },
  invalid_secret: { status: 400, text: 'secret must be 16 to 256 printable characters' },
  client_secret_needed: { status: 400, text: 'clientSecret is required for a new issuer or client' },
  invalid_range: { status: 400, text: 'from must be earlier than to, by at most 31 days' },
  expiry_in_past: { status: 400, text: 'expiresAt must be in the future' },
  weak_password: { status: 400, text: 'The new password is $. Choose one that is hard to guess' },
  setup_code_wrong: {
    status: 400,
    text: 'That code isn’t right. Check the time on your phone and enter the current code',
  },
  current_password_wrong: { status: 400, text: 'Incorrect current password' },
  bad_url: { status: 400, text: 'Request URL is not valid' },
  bad_http: { status: 400, text: 'Request is not valid HTTP' },
  key_required: { status: 401, text: 'API key is required' },
  key_invalid: { status: 401, text: 'Invalid API key' },
  engine_token_invalid: { status: 401, text: 'Invalid engine token' },
  metrics_token_invalid: { status: 401, text: 'Invalid metrics token' },
  listen_token_required: { status: 401, text: 'Listen token is required' },
  listen_token_invalid: { status: 401, text: 'Invalid listen token' },
  listen_token_expired: { status: 401, text: 'The listen token has expired. Create a new one' },
  listen_token_revoked: { status: 401, text: 'The listen token was revoked. Create a new one' },
  sign_in_first: { status: 401, text: 'Sign in first' },
  sign_in_expired: { status: 401, text: 'This sign-in took too long or had too many wrong codes. Start again' },
  code_wrong: { status: 401, text: 'That code isn’t right, or was used already' },
  credentials_wrong: { status: 401, text: 'Incorrect email or password' },
  organization_inactive: { status: 403, text: 'Organization is inactive' },
  scope_required: { status: 403, text: 'API key scope $ is required' },
  foreign_origin: { status: 403, text: 'This request must come from the settings page' },
  admin_only: { status: 403, text: 'Only an admin can do this' },
  second_factor_required: { status: 403, text: 'This organization requires two-step verification. Set it up first' },
  member_elsewhere: {
    status: 403,
    text: 'This person belongs to organizations you don’t manage, so only they or the service operator can do this',
  },
  password_session_needed: {
    status: 403,
    text: 'You’re signed in by single sign-on. Sign in with your password to change two-step verification',
  },
  not_found: { status: 404, text: 'Not found' },
  template_not_found: { status: 404, text: 'Template not found' },
  invitation_not_found: { status: 404, text: 'Interview invitation not found' },
  result_not_found: { status: 404, text: 'Interview result not found' },
  interview_not_found: { status: 404, text: 'Interview not found' },
  organization_not_found: { status: 404, text: 'Organization not found' },
  api_key_not_found: { status: 404, text: 'API key not found' },
  no_webhook: { status: 404, text: 'No webhook is set' },
  no_chat_webhook: { status: 404, text: 'No chat webhook is set' },
  delivery_not_found: { status: 404, text: 'Delivery not found' },
  retry_run_not_found: { status: 404, text: 'Retry run not found' },
  check_not_found: { status: 404, text: 'Check not found' },
  listen_token_not_found: { status: 404, text: 'Listen token not found' },
  member_not_found: { status: 404, text: 'Member not found' },
  member_invitation_not_found: { status: 404, text: 'Invitation not found' },
  no_single_sign_on: {
    status: 404,
    text: 'There is no single sign-on for this address. Sign in with your password',
  },
  session_not_found: { status: 404, text: 'Session not found' },
  listening_off: { status: 404, text: 'Listening is turned off on this server' },
  method_not_allowed: { status: 405, text: 'Method not allowed' },
  request_timeout: { status: 408, text: 'Request took too long to arrive' },
  posting_taken: { status: 409, text: 'externalPostingId is already mapped to another template' },
  impossible_move: { status: 409, text: 'Interview cannot move from $' },
  interview_over: { status: 409, text: 'Interview is $ and takes no result' },
  different_result: { status: 409, text: 'A different result is already stored' },
  not_failed: { status: 409, text: 'Only a failed delivery can be retried' },
  too_many_keys: { status: 409, text: `An organization has at most ${maxKeys} keys in use. Revoke one first` },
  too_many_listen_tokens: {
    status: 409,
    text: `An organization has at most ${maxListenTokens} listen tokens in use. Revoke one first`,
  },
  second_factor_on: { status: 409, text: 'Two-step verification is already on' },
  second_factor_off: { status: 409, text: 'Two-step verification is off' },
  second_factor_needed: { status: 409, text: '$ requires two-step verification, so it can’t be turned off' },
  own_second_factor_first: { status: 409, text: 'Turn on two-step verification for your own account first' },
  already_member: { status: 409, text: 'This person is already a member' },
  last_admin: { status: 409, text: 'An organization needs at least one admin. Make someone else an admin first' },
  account_exists: { status: 409, text: 'This address already has an account. Sign in with it to accept' },
  no_mail: { status: 409, text: 'This server sends no email. Ask an admin for a reset link' },
  too_many_member_invitations: {
    status: 409,
    text: `An organization has at most ${maxMemberInvitations} open invitations. Withdraw one first`,
  },
  mail_off: { status: 409, text: 'Email is not set up on this server' },
  key_not_active: { status: 409, text: 'Only an active key can be changed' },
  key_replaced: { status: 409, text: 'This key was already replaced' },
  no_pending_secret: { status: 409, text: 'This signing secret is no longer prepared' },
  secret_not_accepted: { status: 409, text: 'The receiver does not accept the new signing secret yet' },
  endpoint_unreachable: { status: 409, text: 'The endpoint did not pass the connection check' },
  link_invalid: { status: 410, text: 'This link has expired or was already used. Ask for a new one' },
  invitation_over: { status: 410, text: 'Interview is over' },
  event_erased: { status: 410, text: 'The candidate’s personal data was erased, so there is no event' },
  body_too_large: { status: 413, text: 'Request body is too large' },
  not_json: { status: 415, text: 'Content-Type must be application/json' },
  encoded_body: { status: 415, text: 'Content-Encoding is not supported: send the body as it is' },
  not_utf8: { status: 415, text: 'charset must be UTF-8' },
  not_jpeg: { status: 415, text: 'Content-Type must be image/jpeg' },
  not_a_form: { status: 415, text: 'Content-Type must be application/x-www-form-urlencoded' },
  issuer_refused: { status: 422, text: 'This identity provider can’t be used: $' },
  destination_refused: { status: 422, text: 'This address isn’t allowed: $' },
  rate_limited: { status: 429, text: 'API key rate limit exceeded' },
  too_many_attempts: { status: 429, text: 'Too many attempts. Try again later' },
  too_many_downloads: { status: 429, text: 'Too many downloads. Try again later' },
  too_many_checks: { status: 429, text: 'Too many checks. Try again later' },
  too_many_invitation_emails: {
    status: 429,
    text: 'Too many invitations are waiting to be emailed, so nothing was changed. Try again in a few minutes',
  },
  too_many_messages: { status: 429, text: 'Too many test messages are waiting. Try again later' },
  too_many_listeners: { status: 429, text: 'Too many listeners. Stop one first' },
  too_many_samples: { status: 429, text: 'Too many samples. Try again later' },
  headers_too_large: { status: 431, text: 'Request header fields are too large' },
  internal: { status: 500, text: 'Internal server error' },
  sign_on_failed: {
    status: 502,
    text: 'Your organization’s identity provider didn’t respond as expected. Try again, or tell an admin',
  },
  unavailable: { status: 503, text: 'Service unavailable' },
  stopping: { status: 503, text: 'Service unavailable' },
} as const

export type ErrorCode = keyof typeof errors

/** Thrown by a handler to respond with one of the errors above. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: ErrorCode
  readonly headers: Record<string, string>

  constructor(code: ErrorCode, options: { detail?: string; headers?: Record<string, string> } = {}) {
    super(publicText(code, options.detail))
    this.code = code
    this.headers = { ...challengeOf(code), ...options.headers }
  }
}

/** HTTP requires a challenge on every 401. */
function challengeOf(code: ErrorCode): Record<string, string> {
  if (errors[code].status !== 401) return {}
  return { 'www-authenticate': sessionCodes.has(code) ? 'Session' : 'Bearer' }
}

const sessionCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'sign_in_first',
  'credentials_wrong',
  'sign_in_expired',
  'code_wrong',
])

export function publicText(code: ErrorCode, detail = ''): string {
  return errors[code].text.replace('$', () => detail)
}
