const maxWaiting = 64
const maxMilliseconds = 100

export type Fields = Record<string, unknown>

type Destination = {
  write(text: string): unknown
  flush(done: () => void): void
  flushSync(): void
}

type WaitingLine = { loggedAt: number; fields: Fields; message: string }

/**
 * Between the logger and its destination: lines that are formatted and written many at once. Between two requests, the code
 * that does so has left the CPU's caches, and loading it again costs more than running it.
 */
export function createWaitingLines(destination: Destination, { base }: { base: Fields | null }) {
  let waiting: WaitingLine[] = []
  let timer: NodeJS.Timeout | undefined

  function writeWaiting(): void {
    clearTimeout(timer)
    timer = undefined
    const lines = waiting
    waiting = []
    for (const line of format(lines, base)) destination.write(line)
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
      flush(done: () => void): void {
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

function format(lines: WaitingLine[], base: Fields | null): string[] {
  let time = { at: 0, text: '' }
  return lines.map(({ loggedAt, fields, message }) => {
    // Most lines share their millisecond with others.
    if (loggedAt !== time.at) time = { at: loggedAt, text: new Date(loggedAt).toISOString() }
    return `${JSON.stringify({ level: 'info', time: time.text, ...base, ...fields, msg: message })}\n`
  })
}
