/**
 * What a client may take of this service: sizes, counts and times, all of HTTP in one place. What whoever hits one is
 * told, and the limits of other parts, are in docs/operations.md.
 */
export const limits = {
  /** Of a body where nothing else is said: whoever is not known by then has no more to say. */
  bodyBytes: 16 * 1024,
  partnerBodyBytes: 256 * 1024,
  /** A transcript is long; a result beyond this is no result. */
  resultBodyBytes: 8 * 1024 * 1024,
  /** More than an event may carry, so that an image that is too large is stored and its delivery says so. */
  imageBodyBytes: 4 * 1024 * 1024,
  /** Room for an image of the largest size that may be sent, in Base64 with its signs escaped. */
  formBodyBytes: 2 * 1024 * 1024,
  /** Of a form: it has fifteen. */
  formFields: 32,
  /** Of a query: no route knows more than seven, so whoever sends more has sent one that is not known, or one twice. */
  queryFields: 64,
  /** Of a JSON body: members of objects and lists, and levels of them. Reading costs by these, not by the bytes. */
  json: { values: 20_000, depth: Number.POSITIVE_INFINITY },
  resultJson: { values: 50_000, depth: 101 },
  headerBytes: 16 * 1024,
} as const

export type ConnectionLimits = {
  /** Of one process, all clients together. */
  connections: number
  /** Requests that one connection sends before it has read the answers to those before. */
  pipelined: number
  /** Milliseconds for a whole request to arrive. */
  request: number
  /** Milliseconds in which nothing moves, either way, while a request or its answer is under way. */
  silence: number
  /** Milliseconds between an answer and the next request. */
  idle: number
  /** Milliseconds for the client to take an answer. */
  answer: number
  /** Milliseconds a stopping server gives to what is under way. */
  stop: number
  /** How often, in milliseconds, the clients are looked at. */
  lookEvery: number
}

export const connectionLimits: ConnectionLimits = {
  connections: 1_000,
  pipelined: 16,
  request: 30_000,
  silence: 60_000,
  idle: 72_000,
  answer: 120_000,
  stop: 30_000,
  lookEvery: 5_000,
}
