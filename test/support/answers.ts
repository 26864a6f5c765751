import assert from 'node:assert/strict'

type AnswerSeen = { status: number; headers: Headers; body: unknown; text: string }

/** The answer is this error, in the one form every error has. */
export function assertRefused(answer: AnswerSeen, status: number, error: string): void {
  assert.deepEqual({ status: answer.status, body: answer.body }, { status, body: { error } })
  assertErrorForm(answer)
}

/** Whatever the error is: one text in a JSON object, a request id, and nothing of what goes on inside. */
export function assertErrorForm({ body, headers, text }: AnswerSeen): void {
  assert.ok(typeof body === 'object' && body !== null && 'error' in body, text)
  assert.deepEqual(Object.keys(body), ['error'], text)
  assert.ok(typeof body.error === 'string' && /^\S/.test(body.error), text)
  assert.match(headers.get('content-type') ?? '', /^application\/json\b/)
  assert.match(headers.get('x-request-id') ?? '', /^[A-Za-z0-9._-]{1,128}$/)
  assert.doesNotMatch(text, internalWords)
}

const internalWords =
  /\bat \S+ \(|\.[jt]s:\d|node_modules|\bselect\b.*\bfrom\b|\binsert into\b|\brelation\b|\bcolumn\b|syntax error|out of range|postgres|pglite|fastify|FST_ERR|\bajv\b|\[object |\bundefined\b|\bNaN\b/i
