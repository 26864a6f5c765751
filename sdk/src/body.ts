/** One chunk after another, as both a stream reader and an async iterator return them. */
export type NextPiece = () => Promise<{ done?: boolean | undefined; value?: Uint8Array | string | undefined }>

/** The whole body, or null if it is larger than the limit. Never holds more than the limit in memory. */
export async function readBody(next: NextPiece, limit: number): Promise<Uint8Array | null> {
  const pieces: Uint8Array[] = []
  let length = 0
  for (;;) {
    const { done, value } = await next()
    if (done) break
    const piece = typeof value === 'string' ? new TextEncoder().encode(value) : (value ?? new Uint8Array())
    length += piece.length
    if (length <= limit) pieces.push(piece)
    else pieces.length = 0
    // Keep reading for a while: a sender that is cut off in the middle of the body never sees the response.
    if (length > limit * 8) break
  }
  if (length > limit) return null
  const body = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    body.set(piece, at)
    at += piece.length
  }
  return body
}
