import { availableParallelism } from 'node:os'
import { createThreads, type ThreadOutcome } from './decode-threads.ts'
import { type Fault, malformed, tooCostly } from './jpeg-fault.ts'

export type ThumbnailError =
  | 'THUMBNAIL_MISSING'
  | 'THUMBNAIL_TOO_LARGE'
  | 'THUMBNAIL_MALFORMED'
  | 'THUMBNAIL_TOO_COSTLY'

export type ThumbnailVerdict =
  | { ok: true }
  | {
      ok: false
      error: ThumbnailError
      detail: string
      /** It may be the machine that was short of time or memory, not the image at fault: the next look may find otherwise. */
      passing?: true
    }

export type ThumbnailChecker = {
  /** How many it looks at at the same time. */
  threads: number
  check(bytes: Uint8Array | null): Promise<ThumbnailVerdict>
  close(): Promise<void>
}

export const mostSentBytes = 1_000_000

/**
 * Judges whether an image may leave with an event. All reading happens on threads of its own, where it neither holds
 * up the process nor outlives its time limit; the limit counts from when a thread takes the image.
 */
export function createThumbnailChecker(
  options: {
    /** How many processes share this machine's processors. */
    processes?: number
    threads?: number
    timeLimitMilliseconds?: number
    observe?: ((seconds: number) => void) | undefined
  } = {},
): ThumbnailChecker {
  const share = Math.floor(availableParallelism() / (options.processes ?? 1))
  const count = options.threads ?? Math.max(1, share - 1)
  const threads = createThreads<Fault | null>({
    script: new URL('./thumbnail-thread.ts', import.meta.url),
    count,
    timeLimitMilliseconds: options.timeLimitMilliseconds ?? 5_000,
  })

  async function check(bytes: Uint8Array | null): Promise<ThumbnailVerdict> {
    if (bytes === null) return { ok: false, error: 'THUMBNAIL_MISSING', detail: 'The interview has no thumbnail.' }
    const tooLarge = sizeFault(bytes.length)
    if (tooLarge) return tooLarge
    const started = performance.now()
    const verdict = verdictOf(await threads.run(bytes))
    options.observe?.((performance.now() - started) / 1000)
    return verdict
  }

  return { threads: count, check, close: threads.close }
}

/** What its size alone says against an image. */
export function sizeFault(size: number): (ThumbnailVerdict & { ok: false }) | null {
  if (size <= mostSentBytes) return null
  const detail = `The thumbnail has ${size.toLocaleString('en')} bytes; at most 1,000,000 are allowed.`
  return { ok: false, error: 'THUMBNAIL_TOO_LARGE', detail }
}

function verdictOf(outcome: ThreadOutcome<Fault | null>): ThumbnailVerdict {
  if (outcome.outcome === 'answered') return outcome.answer ? { ok: false, ...outcome.answer } : { ok: true }
  const fault =
    outcome.outcome === 'late'
      ? tooCostly('The image takes too long to decode.')
      : malformed('The image brought the decoder down.')
  return { ok: false, ...fault, passing: true }
}
