import { write, writeSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

const retryAfterMilliseconds = 10
const maxFlushMilliseconds = 1_000

/**
 * Writes to a descriptor in the background. Its reader may stop reading and its disk may be full: that loses lines, and
 * neither ends the process nor holds it up.
 */
export function createLogWriter(
  fd: number,
  { maxQueuedBytes, onLoss }: { maxQueuedBytes: number; onLoss: (bytes: number) => void },
) {
  const queue: Buffer[] = []
  let queuedBytes = 0
  let lostBytes = 0
  let running: Promise<void> | null = null
  let isFirstUnderWay = false

  async function writeQueue(): Promise<void> {
    // A flushSync() right after write() has nothing under way that it would overtake.
    await null
    for (let first = queue[0]; first; first = queue[0]) {
      isFirstUnderWay = true
      const result = await tryToWrite(fd, first)
      isFirstUnderWay = false
      if (result === 'busy') {
        await wait(retryAfterMilliseconds)
      } else if (result === 'failed') {
        removeFirst(first.length)
        lostBytes += first.length
      } else {
        removeFirst(result)
        reportLoss()
      }
    }
    running = null
  }

  function removeFirst(bytes: number): void {
    const first = queue.shift()
    if (first && bytes < first.length) queue.unshift(first.subarray(bytes))
    queuedBytes -= bytes
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
      const chunk = Buffer.from(text)
      if (queuedBytes + chunk.length > maxQueuedBytes) {
        lostBytes += chunk.length
        return
      }
      queue.push(chunk)
      queuedBytes += chunk.length
      running ??= writeQueue()
    },
    /** Calls back when all is written, or when that takes too long. */
    flush(done: () => void): void {
      void Promise.race([running, wait(maxFlushMilliseconds)]).then(done)
    },
    flushSync(): void {
      const deadline = performance.now() + maxFlushMilliseconds
      for (const chunk of queue.splice(isFirstUnderWay ? 1 : 0)) {
        queuedBytes -= chunk.length
        writeAllSync(fd, chunk, deadline)
      }
    },
  }
}

/** The number of bytes that were written. */
function tryToWrite(fd: number, chunk: Buffer): Promise<number | 'busy' | 'failed'> {
  return new Promise((resolve) =>
    write(fd, chunk, (error, bytes) => {
      if (error) resolve(isBusy(error) ? 'busy' : 'failed')
      else resolve(bytes)
    }),
  )
}

function writeAllSync(fd: number, chunk: Buffer, deadline: number): void {
  const pause = new Int32Array(new SharedArrayBuffer(4))
  for (let rest = chunk; rest.length > 0; ) {
    try {
      rest = rest.subarray(writeSync(fd, rest))
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) return
      Atomics.wait(pause, 0, 0, retryAfterMilliseconds)
    }
  }
}

/** The pipe is full. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN'
}
