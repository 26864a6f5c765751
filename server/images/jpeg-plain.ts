import type { Frame } from './jpeg-frame.ts'

/**
 * Once every code of the data has been read, decoders reject only unusual headers. A plain image has none: baseline, in one
 * scan, sampled as usual, and with nothing to say about its colors. Most images are plain.
 */
export function isPlainImage({ process, components }: Frame, scans: number): boolean {
  const [first, ...others] = components
  return (
    process === 'baseline' &&
    scans === 1 &&
    first !== undefined &&
    Math.max(first.horizontalSampling, first.verticalSampling) <= 2 &&
    others.every((component) => component.horizontalSampling === 1 && component.verticalSampling === 1)
  )
}

const JFIF_SEGMENT = 0xe0
const ADOBE_SEGMENT = 0xee

const JFIF_VERSION_1 = Buffer.from('JFIF\0\x01', 'latin1')

/** Decoders read two kinds of application data: which version of JFIF this is, and how Adobe transformed the colors. */
export function isPlainSegment(marker: number, segment: Uint8Array): boolean {
  if (marker === JFIF_SEGMENT) return JFIF_VERSION_1.equals(segment.subarray(0, JFIF_VERSION_1.length))
  return marker !== ADOBE_SEGMENT
}
