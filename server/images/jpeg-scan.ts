import type { ScanData } from './jpeg-blocks.ts'
import { type Cost, countScan } from './jpeg-cost.ts'
import { type Fault, malformed } from './jpeg-fault.ts'
import type { Component, Frame } from './jpeg-frame.ts'
import { lookupOf } from './jpeg-huffman.ts'
import type { KnownTables } from './jpeg-tables.ts'

export type ScanState = KnownTables & Cost & { restartInterval: number }

/** Reads a scan's header and returns what the data after it must contain. */
export function readScan(segment: Uint8Array, frame: Frame, state: ScanState): ScanData | Fault {
  const count = segment[0] ?? 0
  if (count < 1 || segment.length !== 4 + 2 * count) return malformed('A scan header has the wrong length.')

  const parts = readParts(segment, count, frame)
  if ('error' in parts) return parts
  const components = parts.map((part) => part.component)
  const [first = 0, last = 0, approximation = 0] = segment.subarray(1 + 2 * count)
  const band = { first, last, previousBit: approximation >> 4, bit: approximation & 15 }
  const fault = frame.process === 'progressive' ? progressionFault(components, band) : sequenceFault(components, band)
  if (fault) return fault
  for (const component of components) component.precision.fill(band.bit, first, last + 1)

  const coding = codingOf(frame, band)
  const tables = findTables(parts, coding, frame, state)
  if ('error' in tables) return tables
  if (count > 1 && tables.length > 10) return malformed('A scan interleaves too many blocks.')

  const [only] = components
  const units = count === 1 && only ? only.blocksAcross * only.blocksDown : frame.unitsAcross * frame.unitsDown
  const tooCostly = countScan({ frame, components, blocks: units * tables.length, cost: state })
  if (tooCostly) return tooCostly
  const nonzero = nonzeroOf(frame, components)
  return { units, unitsPerRestart: state.restartInterval || units, tables, coding, first, last, nonzero }
}

/** Not allocated before the scan is known to be affordable. */
function nonzeroOf(frame: Frame, [only, ...others]: Component[]): Uint32Array {
  if (frame.process !== 'progressive' || !only || others.length > 0) return new Uint32Array()
  only.nonzero ??= new Uint32Array(2 * only.blocksAcross * only.blocksDown)
  return only.nonzero
}

type Part = { component: Component; dcTable: number; acTable: number }

/** The coefficients a scan sends: from `first` to `last`, down to `bit`, refining what was sent down to `previousBit`. */
type Band = { first: number; last: number; previousBit: number; bit: number }

function readParts(segment: Uint8Array, count: number, frame: Frame): Part[] | Fault {
  const parts: Part[] = []
  let lowest = 0
  for (let index = 0; index < count; index += 1) {
    const [id, tables = 0] = segment.subarray(1 + 2 * index, 3 + 2 * index)
    const position = frame.components.findIndex((component) => component.id === id)
    const component = frame.components[position]
    if (!component) return malformed('A scan refers to a color component that the frame does not have.')
    if (position < lowest) return malformed('A scan lists its color components twice or out of order.')
    lowest = position + 1
    parts.push({ component, dcTable: tables >> 4, acTable: tables & 15 })
  }
  return parts
}

function sequenceFault(components: Component[], band: Band): Fault | null {
  if (band.first !== 0 || band.last !== 63 || band.previousBit !== 0 || band.bit !== 0) {
    return malformed('A scan is progressive although the frame is not.')
  }
  if (components.some((component) => component.precision[0] !== -1)) {
    return malformed('A color component is sent twice.')
  }
  return null
}

function progressionFault(components: Component[], band: Band): Fault | null {
  const { first, last, previousBit, bit } = band
  const bandIsLegal = first === 0 ? last === 0 : first <= last && last <= 63 && components.length === 1
  const refinementIsLegal = bit <= 13 && (previousBit === 0 || previousBit === bit + 1)
  if (!bandIsLegal || !refinementIsLegal) return malformed('A progressive scan has impossible parameters.')

  for (const component of components) {
    if (first > 0 && component.precision[0] === -1) return malformed('A progressive scan comes before its base.')
    const due = previousBit === 0 ? -1 : previousBit
    if (component.precision.subarray(first, last + 1).some((precision) => precision !== due)) {
      return malformed('A progressive scan repeats or skips a step.')
    }
  }
  return null
}

function codingOf(frame: Frame, band: Band): ScanData['coding'] {
  if (frame.process !== 'progressive') return 'whole'
  if (band.first === 0) return band.previousBit === 0 ? 'dc' : 'dc refinement'
  return band.previousBit === 0 ? 'ac' : 'ac refinement'
}

/** The tables for each block of a unit: one block for a single component, otherwise by the sampling factors. */
function findTables(
  parts: Part[],
  coding: ScanData['coding'],
  frame: Frame,
  known: KnownTables,
): ScanData['tables'] | Fault {
  const needsDc = coding === 'whole' || coding === 'dc'
  const needsAc = coding === 'whole' || coding === 'ac' || coding === 'ac refinement'
  const tableLimit = frame.process === 'baseline' ? 1 : 3
  const tables: ScanData['tables'] = []
  for (const { component, dcTable, acTable } of parts) {
    if (Math.max(dcTable, acTable) > tableLimit) return malformed('A scan refers to a Huffman table that cannot exist.')
    if (!known.quantizationTables.has(component.quantizationTable)) return malformed('A quantization table is missing.')
    const dc = known.dcTables.get(dcTable)
    const ac = known.acTables.get(acTable)
    if ((needsDc && !dc) || (needsAc && !ac)) return malformed('A Huffman table is missing.')
    const pair = { dc: needsDc && dc ? lookupOf(dc) : null, ac: needsAc && ac ? lookupOf(ac) : null }
    const blocks = parts.length === 1 ? 1 : component.horizontalSampling * component.verticalSampling
    for (let block = 0; block < blocks; block += 1) tables.push(pair)
  }
  return tables
}
