import { type Fault, tooCostly } from './jpeg-fault.ts'
import type { Component, Frame } from './jpeg-frame.ts'

export const MAXIMUM_DECODER_MEMORY = 64 * 1024 * 1024

/** Common encoders write up to ten scans. Every scan is a pass over the whole image, even a nearly empty one. */
const MAXIMUM_SCANS = 64
export const MAXIMUM_BLOCK_VISITS = 8_000_000

const BYTES_PER_COEFFICIENT_BLOCK = 128
const BYTES_FOR_ROWS_AND_TABLES = 4 * 1024 * 1024

export type Cost = { fileBytes: number; scans: number; blockVisits: number; maximumBlockVisits: number }

export function countScan(scan: { frame: Frame; components: Component[]; blocks: number; cost: Cost }): Fault | null {
  const { frame, components, blocks, cost } = scan
  cost.scans += 1
  cost.blockVisits += blocks
  if (cost.scans > MAXIMUM_SCANS) return tooCostly(`The image has more than ${MAXIMUM_SCANS} scans.`)
  if (cost.blockVisits > cost.maximumBlockVisits) return tooCostly('The image takes too many passes to decode.')

  const takesSeveralPasses = frame.process === 'progressive' || components.length < frame.components.length
  if (decoderMemory(frame, cost.fileBytes, takesSeveralPasses) > MAXIMUM_DECODER_MEMORY) {
    return tooCostly('The image takes more than 64 MiB of memory to decode.')
  }
  return null
}

/** What a decoder keeps in memory: the file, the pixels, and all coefficients if they take several passes. */
function decoderMemory(frame: Frame, fileBytes: number, takesSeveralPasses: boolean): number {
  const pixels = frame.width * frame.height * frame.components.length
  const blocksPerUnit = frame.components.reduce(
    (sum, component) => sum + component.horizontalSampling * component.verticalSampling,
    0,
  )
  const coefficients = frame.unitsAcross * frame.unitsDown * blocksPerUnit * BYTES_PER_COEFFICIENT_BLOCK
  return fileBytes + pixels + (takesSeveralPasses ? coefficients : 0) + BYTES_FOR_ROWS_AND_TABLES
}
