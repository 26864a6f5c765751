import { constants, fstatSync, openSync, write, writeSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

const retryAfterMilliseconds = 10
const maxFlushMilliseconds = 1_000
const newline = 10
const nothing = Buffer.alloc(0)

type Chunk = { text: string; bytes: number }

/** How many bytes were written, or why none were. */
type Outcome = number | 'busy' | 'failed'

export type LogWriterOptions = {
  /** Of the lines that are written at once. */
  maxChunkBytes: number
  maxQueuedBytes: number
  /** Called when lines can be written again. */
  onLoss: (bytes: number) => void
}

/**
 * Writes lines to a descriptor. Its reader may stop reading and its disk may be full: that loses lines, and neither ends the
 * process nor holds it up.
 */
export function createLogWriter(descriptor: number, { maxChunkBytes, maxQueuedBytes, onLoss }: LogWriterOptions) {
  const ownPipe = openPipe(descriptor)
  const fd = ownPipe ?? descriptor
  const queue: Chunk[] = []
  /** What is left of the first chunk. */
  let rest: Buffer = nothing
  let endsInLine = false
  let queuedBytes = 0
  let lostBytes = 0
  let running: Promise<void> | null = null

  async function writeQueue(): Promise<void> {
    // Lines logged meanwhile go together, and flushSync() has nothing under way that it would overtake.
    await null
    for (let bytes = takeNext(); bytes.length > 0; bytes = takeNext()) {
      // A file or a socket can block.
      const outcome = ownPipe === null ? await writeInBackground(fd, bytes) : tryToWrite(fd, bytes)
      settle(bytes, outcome)
      if (outcome === 'busy') await wait(retryAfterMilliseconds)
    }
    running = null
  }

  function takeNext(): Buffer {
    const begun = rest
    rest = nothing
    if (begun.length > 0) return begun
    const chunk = queue.shift()
    if (!chunk) return nothing
    // After a write that failed in the middle of a line, only that line is broken.
    const bytes = Buffer.from(endsInLine ? `\n${chunk.text}` : chunk.text)
    queuedBytes += bytes.length - chunk.bytes
    return bytes
  }

  function settle(bytes: Buffer, outcome: Outcome): void {
    if (outcome === 'failed') {
      queuedBytes -= bytes.length
      lostBytes += bytes.length
      return
    }
    const written = outcome === 'busy' ? 0 : outcome
    if (written > 0) endsInLine = bytes[written - 1] !== newline
    queuedBytes -= written
    const left = bytes.subarray(written)
    // There is another rest only if flushSync() ran, and gave up, while these bytes were under way.
    rest = rest.length === 0 ? left : Buffer.concat([left, rest])
    if (written > 0) reportLoss()
  }

  function reportLoss(): void {
    // In a queue that is nearly full, the report would be lost as well.
    if (lostBytes === 0 || queuedBytes > maxQueuedBytes / 2) return
    const bytes = lostBytes
    lostBytes = 0
    onLoss(bytes)
  }

  return {
    write(text: string): void {
      const bytes = Buffer.byteLength(text)
      if (queuedBytes + bytes > maxQueuedBytes) {
        lostBytes += bytes
        return
      }
      queuedBytes += bytes
      const last = queue.at(-1)
      if (last && last.bytes + bytes <= maxChunkBytes) {
        last.text += text
        last.bytes += bytes
      } else {
        queue.push({ text, bytes })
      }
      running ??= writeQueue()
    },
    /** Calls back when all is written, or when that takes too long. */
    flush(done: () => void): void {
      void Promise.race([running, wait(maxFlushMilliseconds, null, { ref: false })]).then(done)
    },
    /**
     * What takes too long stays in the queue. A write in the background can't be waited for: a disk still gets its lines,
     * but after these.
     */
    flushSync(): void {
      const deadline = performance.now() + maxFlushMilliseconds
      for (let bytes = takeNext(); bytes.length > 0; bytes = takeNext()) {
        const outcome = tryToWrite(fd, bytes)
        settle(bytes, outcome)
        if (outcome !== 'busy') continue
        if (performance.now() > deadline) return
        pause(retryAfterMilliseconds)
      }
    },
  }
}

/**
 * The same pipe, for this writer alone: a process that shares the descriptor can make it block, for example by exiting. Null
 * if it is no pipe, or can't be opened.
 */
function openPipe(descriptor: number): number | null {
  try {
    if (!fstatSync(descriptor).isFIFO()) return null
    return openSync(`/proc/self/fd/${descriptor}`, constants.O_WRONLY | constants.O_NONBLOCK)
  } catch {
    return null
  }
}

function writeInBackground(fd: number, bytes: Buffer): Promise<Outcome> {
  return new Promise((resolve) => write(fd, bytes, (error, written) => resolve(error ? outcomeOf(error) : written)))
}

function tryToWrite(fd: number, bytes: Buffer): Outcome {
  try {
    return writeSync(fd, bytes)
  } catch (error) {
    return outcomeOf(error)
  }
}

/** EAGAIN: the pipe is full. */
function outcomeOf(error: unknown): 'busy' | 'failed' {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN' ? 'busy' : 'failed'
}

function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}
