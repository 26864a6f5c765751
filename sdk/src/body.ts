/** One piece after the other, as a stream's reader and an iterator both give them. */
export type NextPiece = () => Promise<{ done?: boolean | undefined; value?: Uint8Array | string | undefined }>

/** The whole body, or null when it is larger than the limit; no more than the limit is ever held. */
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
    // Read on for a while: a sender who is cut off in the middle of the body never sees the answer.
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
