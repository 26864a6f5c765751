export type ThumbnailError =
  | 'THUMBNAIL_MISSING'
  | 'THUMBNAIL_TOO_LARGE'
  | 'THUMBNAIL_MALFORMED'
  | 'THUMBNAIL_TOO_COSTLY'

export type ThumbnailFault = {
  ok: false
  error: ThumbnailError
  detail: string
  /** The machine may have been short of CPU or memory; checking the same image again may pass. */
  transient?: true
}

export type ThumbnailVerdict = { ok: true } | ThumbnailFault

/** The largest image an event may carry. */
export const maximumThumbnailBytes = 1_000_000

export const missingThumbnail: ThumbnailFault = {
  ok: false,
  error: 'THUMBNAIL_MISSING',
  detail: 'The interview has no thumbnail.',
}

export function sizeFault(size: number): ThumbnailFault | null {
  if (size <= maximumThumbnailBytes) return null
  const detail = `The thumbnail has ${size.toLocaleString('en')} bytes; at most 1,000,000 are allowed.`
  return { ok: false, error: 'THUMBNAIL_TOO_LARGE', detail }
}
