import assert from 'node:assert/strict'

type SeenResponse = { status: number; headers: Headers; body: unknown; text: string }

/** Asserts that the response is this error, in the shape all errors share. */
export function assertRefused(response: SeenResponse, status: number, error: string | RegExp): void {
  if (typeof error === 'string') {
    assert.deepEqual({ status: response.status, body: response.body }, { status, body: { error } })
  } else {
    assert.equal(response.status, status, response.text)
    assert.match(response.text, error)
  }
  assertErrorShape(response)
}

/** Asserts the shape of any error: a JSON object with one text, a request ID, and no internals. */
export function assertErrorShape({ body, headers, text }: SeenResponse): void {
  assert.ok(typeof body === 'object' && body !== null && 'error' in body, text)
  assert.deepEqual(Object.keys(body), ['error'], text)
  assert.ok(typeof body.error === 'string' && /^\S/.test(body.error), text)
  assert.match(headers.get('content-type') ?? '', /^application\/json\b/)
  assert.match(headers.get('x-request-id') ?? '', /^[A-Za-z0-9._-]{1,128}$/)
  assert.doesNotMatch(text, internalWords)
}

const internalWords =
  /\bat \S+ \(|\.[jt]s:\d|node_modules|\bselect\b.*\bfrom\b|\binsert into\b|\brelation\b|\bcolumn\b|syntax error|out of range|postgres|pglite|fastify|FST_ERR|\bajv\b|\[object |\bundefined\b|\bNaN\b/i
