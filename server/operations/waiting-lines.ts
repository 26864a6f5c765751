const maxWaiting = 64
const maxMilliseconds = 100

export type Fields = Record<string, unknown>

type Destination = {
  write(text: string): unknown
  flush(done: (error?: Error) => void): void
  flushSync(): void
}

/**
 * Between the logger and its destination: lines that are formatted and written many at once. Between two requests, the code
 * that does so has left the CPU's caches, and loading it again costs more than running it.
 */
export function createWaitingLines(
  destination: Destination,
  { base, maxChunkBytes }: { base: Fields | null; maxChunkBytes: number },
) {
  let waiting: { loggedAt: number; fields: Fields; message: string }[] = []
  let timer: NodeJS.Timeout | undefined

  function writeWaiting(): void {
    clearTimeout(timer)
    timer = undefined
    let chunk = ''
    let chunkBytes = 0
    let time = { at: 0, text: '' }
    for (const { loggedAt, fields, message } of waiting) {
      // Most lines share their millisecond with others.
      if (loggedAt !== time.at) time = { at: loggedAt, text: new Date(loggedAt).toISOString() }
      const line = `${JSON.stringify({ level: 'info', time: time.text, ...base, ...fields, msg: message })}\n`
      const bytes = Buffer.byteLength(line)
      if (chunk !== '' && chunkBytes + bytes > maxChunkBytes) {
        destination.write(chunk)
        chunk = ''
        chunkBytes = 0
      }
      chunk += line
      chunkBytes += bytes
    }
    if (chunk !== '') destination.write(chunk)
    waiting = []
  }

  return {
    add(fields: Fields, message: string): void {
      waiting.push({ loggedAt: Date.now(), fields, message })
      if (waiting.length === maxWaiting) writeWaiting()
      else timer ??= setTimeout(writeWaiting, maxMilliseconds)
    },
    /** For lines that don't wait. They still come after those logged before them. */
    stream: {
      write(line: string): void {
        writeWaiting()
        destination.write(line)
      },
      flush(done: (error?: Error) => void): void {
        writeWaiting()
        destination.flush(done)
      },
      flushSync(): void {
        writeWaiting()
        destination.flushSync()
      },
    },
  }
}
