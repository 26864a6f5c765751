import type { Readable } from 'node:stream'

// `HTTP/1.1 100` and the character after it.
const statusLength = 13
const maxHeldBytes = 1_024

/**
 * A server may send 100 Continue to a client that doesn't wait for it. undici takes that for an error, so it's taken out
 * before undici reads. Other interim responses stay, but a 100 may follow them.
 */
export function skipContinue(socket: Readable, connection: { awaitsResponse: boolean }): void {
  let held: Buffer = Buffer.alloc(0)
  socket.on('readable', () => {
    if (!connection.awaitsResponse) return
    const chunk: Buffer | null = socket.read()
    if (chunk === null) return
    const { kept, rest } = splitInterim(held.length === 0 ? chunk : Buffer.concat([held, chunk]))
    const isPartial = rest.length < statusLength || isInterim(rest)
    held = isPartial && rest.length <= maxHeldBytes ? rest : Buffer.alloc(0)
    if (held.length === 0 && rest.length > 0) {
      connection.awaitsResponse = false
      kept.push(rest)
    }
    if (kept.length > 0) socket.unshift(Buffer.concat(kept))
  })
}

/** The complete interim responses at the beginning, without any 100, and what follows them. */
function splitInterim(bytes: Buffer): { kept: Buffer[]; rest: Buffer } {
  const kept: Buffer[] = []
  let rest = bytes
  while (isInterim(rest)) {
    const end = rest.indexOf('\r\n\r\n') + 4
    if (end < 4) break
    if (!isContinue(rest)) kept.push(rest.subarray(0, end))
    rest = rest.subarray(end)
  }
  return { kept, rest }
}

function isInterim(bytes: Buffer): boolean {
  return /^HTTP\/1\.[01] 1\d\d\s/.test(bytes.toString('latin1', 0, statusLength))
}

function isContinue(bytes: Buffer): boolean {
  return /^HTTP\/1\.[01] 100\s/.test(bytes.toString('latin1', 0, statusLength))
}
