/**
 * All HTTP limits in one place: sizes, counts and times. docs/operations.md lists the responses to clients that exceed
 * them, and the limits of other modules.
 */
export const limits = {
  /** The default. Small, because it also applies to callers that are not authenticated. */
  bodyBytes: 16 * 1024,
  partnerBodyBytes: 256 * 1024,
  /** Results can include long transcripts. */
  resultBodyBytes: 8 * 1024 * 1024,
  /** More than an event can carry, so an oversized image is stored and its delivery reports the problem. */
  imageBodyBytes: 4 * 1024 * 1024,
  /** A body that is rejected for its length is still read up to here. More than the proxy in ops/nginx.conf lets through. */
  discardedBytes: 16 * 1024 * 1024,
  /** Fits an image of the maximum size in URL-encoded Base64. */
  formBodyBytes: 2 * 1024 * 1024,
  /** The form's longest field allows half as many; browsers send a line break as two characters. */
  formTextCharacters: 100_000,
  /** Our form has fifteen. */
  formFields: 32,
  /** No route has more than seven parameters, so a query with more fields is invalid anyway. */
  queryFields: 64,
  /** Values and nesting levels of a JSON body. They determine the cost of parsing, not the bytes. No route takes more than two. */
  json: { values: 20_000, depth: 16 },
  resultJson: { values: 50_000, depth: 101 },
  headerBytes: 16 * 1024,
} as const

export type ConnectionLimits = {
  /** Per process, all clients together. */
  connections: number
  /** Requests in flight on one connection. */
  pipelined: number
  /** Milliseconds for a whole request to arrive. */
  request: number
  /** Milliseconds without traffic in either direction during a request or its response. */
  silence: number
  /** Milliseconds between a response and the next request. */
  idle: number
  /** Milliseconds for the client to read a response. */
  response: number
  /** Milliseconds a stopping server waits for in-flight requests. */
  stop: number
  /** Milliseconds between checks of all connections. */
  checkEvery: number
}

export const connectionLimits: ConnectionLimits = {
  connections: 1_000,
  pipelined: 16,
  request: 30_000,
  silence: 60_000,
  idle: 72_000,
  response: 120_000,
  stop: 30_000,
  checkEvery: 5_000,
}
