import { availableParallelism } from 'node:os'
import { isSmallPlainJpeg } from './jpeg-check.ts'
import { type Fault, malformed, tooCostly } from './jpeg-fault.ts'
import { createThreadPool, type ThreadOutcome } from './thread-pool.ts'
import { sizeFault, type ThumbnailVerdict } from './thumbnail-verdict.ts'

export type ThumbnailChecker = {
  threads: number
  /** Owners take turns, so one owner's images delay another's by no more than the check in progress. */
  check(bytes: Uint8Array, owner?: string): Promise<ThumbnailVerdict>
  close(): Promise<void>
}

/**
 * Decides whether an event may carry an image. All but the smallest are checked on separate threads, so that a check can't
 * block the event loop and can be stopped at its time limit, which starts when a thread picks up the image.
 */
export function createThumbnailChecker(
  options: {
    /** How many processes share this machine's CPUs. */
    processes?: number
    threads?: number
    timeLimitMilliseconds?: number
    observe?: ((seconds: number) => void) | undefined
  } = {},
): ThumbnailChecker {
  const share = Math.floor(availableParallelism() / (options.processes ?? 1))
  const threads = options.threads ?? Math.max(1, share - 1)
  const pool = createThreadPool<Fault | null>({
    script: new URL('./checker-thread.ts', import.meta.url),
    threads,
    timeLimitMilliseconds: options.timeLimitMilliseconds ?? 5_000,
  })

  async function check(bytes: Uint8Array, owner?: string): Promise<ThumbnailVerdict> {
    const tooLarge = sizeFault(bytes.length)
    if (tooLarge) return tooLarge
    const started = performance.now()
    const verdict: ThumbnailVerdict = isSmallPlainJpeg(bytes) ? { ok: true } : verdictOf(await pool.run(bytes, owner))
    options.observe?.((performance.now() - started) / 1000)
    return verdict
  }

  return { threads, check, close: pool.close }
}

function verdictOf(outcome: ThreadOutcome<Fault | null>): ThumbnailVerdict {
  if (outcome.outcome === 'answered') return outcome.answer ? { ok: false, ...outcome.answer } : { ok: true }
  const fault =
    outcome.outcome === 'timed_out'
      ? tooCostly('The image takes too long to decode.')
      : malformed('The image crashed the decoder.')
  return { ok: false, ...fault, transient: true }
}
