import { MAXIMUM_BLOCK_VISITS } from './jpeg-cost.ts'
import { readEntropyData } from './jpeg-entropy.ts'
import { type Fault, malformed } from './jpeg-fault.ts'
import { type Frame, readFrame } from './jpeg-frame.ts'
import { isPlainImage, isPlainSegment } from './jpeg-plain.ts'
import { type ProfilePart, profileFault, readProfilePart } from './jpeg-profile.ts'
import { readScan, type ScanState } from './jpeg-scan.ts'
import { readHuffmanTables, readQuantizationTables } from './jpeg-tables.ts'

/**
 * Reads a JPEG marker by marker, as defined in ISO/IEC 10918-1, and returns the first fault, or whether the image is plain:
 * then a decoder would find nothing more. Decoders tolerate most of what is rejected here, but each tolerates something
 * different, and an image must work for every receiver.
 */
export function walkJpeg(
  bytes: Uint8Array,
  { maximumBlockVisits = MAXIMUM_BLOCK_VISITS } = {},
): Fault | { plain: boolean } {
  if (bytes[0] !== 0xff || bytes[1] !== START_OF_IMAGE) return malformed('The file is not a JPEG.')

  const state: ScanState = {
    fileBytes: bytes.length,
    quantizationTables: new Set(),
    dcTables: new Map(),
    acTables: new Map(),
    restartInterval: 0,
    scans: 0,
    blockVisits: 0,
    maximumBlockVisits,
  }
  const profile: ProfilePart[] = []
  let frame: Frame | null = null
  let plainSegments = true
  let at = 2

  for (;;) {
    if (at >= bytes.length) return malformed('The file ends before the image does.')
    if (bytes[at] !== 0xff) return malformed(`There are stray bytes at position ${at}, where a marker should be.`)
    while (bytes[at] === 0xff) at += 1
    const marker = bytes[at]
    if (marker === undefined) return malformed('The file ends before the image does.')
    at += 1

    if (marker === END_OF_IMAGE) {
      if (!frame) return malformed('The file contains no image.')
      return faultAtEnd(bytes, at, frame, state) ?? { plain: plainSegments && isPlainImage(frame, state.scans) }
    }
    const unexpected = unexpectedMarker(marker)
    if (unexpected) return unexpected

    const length = readUint16(bytes, at)
    if (length < 2 || at + length > bytes.length) {
      return malformed(`The segment at position ${at} has an impossible length.`)
    }
    const segment = bytes.subarray(at + 2, at + length)
    plainSegments &&= isPlainSegment(marker, segment)
    at += length

    if (marker === QUANTIZATION_TABLES || marker === HUFFMAN_TABLES) {
      const fault =
        marker === HUFFMAN_TABLES ? readHuffmanTables(segment, state) : readQuantizationTables(segment, state)
      if (fault) return fault
    } else if (marker === RESTART_INTERVAL) {
      if (segment.length !== 2) return malformed('The restart interval has the wrong length.')
      state.restartInterval = readUint16(segment, 0)
    } else if (isFrame(marker)) {
      if (frame) return malformed('The file declares more than one frame.')
      const read = readFrame(marker, segment)
      if ('error' in read) return read
      frame = read
    } else if (marker === COLOR_PROFILE) {
      // Decoders ignore it after the first scan.
      const part = state.scans === 0 && readProfilePart(segment)
      if (part) profile.push(part)
    } else if (marker === SCAN) {
      if (!frame) return malformed('A scan starts before the frame is declared.')
      const incomplete = profileFault(profile)
      if (incomplete) return incomplete
      const read = readScan(segment, frame, state)
      if ('error' in read) return read
      const end = readEntropyData(bytes, at, read)
      if (typeof end !== 'number') return end
      at = end
    }
  }
}

const HUFFMAN_TABLES = 0xc4
const START_OF_IMAGE = 0xd8
const END_OF_IMAGE = 0xd9
const SCAN = 0xda
const QUANTIZATION_TABLES = 0xdb
const RESTART_INTERVAL = 0xdd
const COLOR_PROFILE = 0xe2
const COMMENT = 0xfe

function unexpectedMarker(marker: number): Fault | null {
  if (isFrame(marker) || isApplicationData(marker) || KNOWN_SEGMENTS.has(marker)) return null
  return malformed(
    UNSUPPORTED_MARKERS.get(marker) ??
      `The marker FF${marker.toString(16).toUpperCase().padStart(2, '0')} is out of place.`,
  )
}

const KNOWN_SEGMENTS = new Set([HUFFMAN_TABLES, SCAN, QUANTIZATION_TABLES, RESTART_INTERVAL, COMMENT])

const LOSSLESS = 'Lossless JPEG is not accepted.'
const HIERARCHICAL = 'Hierarchical JPEG is not accepted.'
const ARITHMETIC = 'JPEG with arithmetic coding is not accepted.'
const UNSUPPORTED_MARKERS = new Map([
  [0xc3, LOSSLESS],
  [0xc5, HIERARCHICAL],
  [0xc6, HIERARCHICAL],
  [0xc7, HIERARCHICAL],
  [0xc9, ARITHMETIC],
  [0xca, ARITHMETIC],
  [0xcb, ARITHMETIC],
  [0xcc, ARITHMETIC],
  [0xcd, ARITHMETIC],
  [0xce, ARITHMETIC],
  [0xcf, ARITHMETIC],
  [START_OF_IMAGE, 'A second image starts inside the first.'],
  [0xdc, 'The height is declared after the image data, which many decoders do not read.'],
  [0xde, HIERARCHICAL],
  [0xdf, HIERARCHICAL],
])

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xc2
}

function isApplicationData(marker: number): boolean {
  return marker >= 0xe0 && marker <= 0xef
}

function readUint16(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
}

function faultAtEnd(bytes: Uint8Array, at: number, frame: Frame, { dcTables, acTables }: ScanState): Fault | null {
  if (frame.components.some((component) => component.precision[0] === -1)) {
    return malformed('A color component has no data.')
  }
  // Even if no scan uses it: some decoders give up when they see it.
  if (frame.process === 'baseline' && Math.max(...dcTables.keys(), ...acTables.keys()) > 1) {
    return malformed('A baseline image has a Huffman table with a number above 1.')
  }
  for (let index = at; index < bytes.length; index += 1) {
    // Some cameras pad the file with zeros.
    if (bytes[index] !== 0) return malformed('There is data after the end of the image.')
  }
  return null
}
