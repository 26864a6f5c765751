import { type Fault, malformed } from './jpeg-fault.ts'

const SIGNATURE = Buffer.from('ICC_PROFILE\0', 'latin1')

/** `number` counts from 1 to `parts`; `size` is in bytes. */
export type ProfilePart = { number: number; parts: number; size: number }

/** Null if the segment holds something else. */
export function readProfilePart(segment: Uint8Array): ProfilePart | null {
  const [number, parts] = segment.subarray(SIGNATURE.length)
  if (number === undefined || parts === undefined || SIGNATURE.compare(segment, 0, SIGNATURE.length) !== 0) return null
  return { number, parts, size: segment.length - SIGNATURE.length - 2 }
}

/** A color profile may be split into parts, in any order. Receivers that apply it need each part exactly once. */
export function profileFault(found: readonly ProfilePart[]): Fault | null {
  const [first] = found
  if (!first) return null
  const numbers = new Set(found.map(({ number }) => number))
  const complete =
    found.length === first.parts &&
    numbers.size === first.parts &&
    found.every(({ number, parts }) => parts === first.parts && number >= 1 && number <= parts) &&
    found.some(({ size }) => size > 0)
  return complete ? null : malformed('The color profile is incomplete.')
}
