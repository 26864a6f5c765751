import { type Fault, malformed, tooCostly } from './jpeg-fault.ts'

/** A megapixel is a million pixels, as for cameras, and in line with the limit of 1,000,000 bytes. */
const MAXIMUM_PIXELS = 16_000_000

/** libjpeg, which most programs use, reads no more in either direction. */
const MAXIMUM_SIDE = 65_500

export type Component = {
  id: number
  horizontalSampling: number
  verticalSampling: number
  quantizationTable: number
  blocksAcross: number
  blocksDown: number
  /** For each of the 64 coefficients, the lowest bit sent so far, or -1. */
  precision: Int8Array
  /** From its first progressive scan on, two words per block: which of its coefficients are known to be nonzero. */
  nonzero: Uint32Array | null
}

/** A unit is what the standard calls an MCU: the smallest group of blocks with data of every component. */
export type Frame = {
  process: 'baseline' | 'extended' | 'progressive'
  width: number
  height: number
  components: Component[]
  unitsAcross: number
  unitsDown: number
}

export function readFrame(marker: number, segment: Uint8Array): Frame | Fault {
  const [samplePrecision, heightHigh, heightLow, widthHigh, widthLow, count] = segment
  if (
    samplePrecision === undefined ||
    heightHigh === undefined ||
    heightLow === undefined ||
    widthHigh === undefined ||
    widthLow === undefined ||
    count === undefined ||
    segment.length !== 6 + 3 * count
  ) {
    return malformed('The frame header has the wrong length.')
  }
  if (samplePrecision !== 8) return malformed(`The image has ${samplePrecision} bits per sample instead of 8.`)
  const height = (heightHigh << 8) | heightLow
  const width = (widthHigh << 8) | widthLow
  if (width === 0 || height === 0) return malformed('The image has no width or no height.')
  if (count !== 1 && count !== 3) return malformed(`The image has ${count} color components instead of 1 or 3.`)
  const tooManyPixels = pixelFault(width, height)
  if (tooManyPixels) return tooManyPixels
  if (Math.max(width, height) > MAXIMUM_SIDE) {
    return malformed(`The image has ${width} × ${height} pixels. Many decoders read at most 65,500 in one direction.`)
  }

  const declared = readComponents(segment, count)
  if ('error' in declared) return declared

  const widest = Math.max(...declared.map((component) => component.horizontalSampling))
  const tallest = Math.max(...declared.map((component) => component.verticalSampling))
  const process = marker === 0xc0 ? 'baseline' : marker === 0xc1 ? 'extended' : 'progressive'
  return {
    process,
    width,
    height,
    components: declared.map((component) => {
      const blocksAcross = Math.ceil(Math.ceil((width * component.horizontalSampling) / widest) / 8)
      const blocksDown = Math.ceil(Math.ceil((height * component.verticalSampling) / tallest) / 8)
      return { ...component, blocksAcross, blocksDown, precision: new Int8Array(64).fill(-1), nonzero: null }
    }),
    unitsAcross: Math.ceil(width / (8 * widest)),
    unitsDown: Math.ceil(height / (8 * tallest)),
  }
}

function pixelFault(width: number, height: number): Fault | null {
  if (width * height <= MAXIMUM_PIXELS) return null
  return tooCostly(`The image has ${width} × ${height} pixels, more than 16 megapixels.`)
}

type DeclaredComponent = Pick<Component, 'id' | 'horizontalSampling' | 'verticalSampling' | 'quantizationTable'>

function readComponents(segment: Uint8Array, count: number): DeclaredComponent[] | Fault {
  const components: DeclaredComponent[] = []
  for (let index = 0; index < count; index += 1) {
    const [id = 0, sampling = 0, quantizationTable = 0] = segment.subarray(6 + 3 * index, 9 + 3 * index)
    const horizontalSampling = sampling >> 4
    const verticalSampling = sampling & 15
    if (components.some((other) => other.id === id)) return malformed('Two color components have the same number.')
    if (horizontalSampling < 1 || horizontalSampling > 4 || verticalSampling < 1 || verticalSampling > 4) {
      return malformed('A color component has a sampling factor outside 1 to 4.')
    }
    if (quantizationTable > 3) return malformed('A color component refers to a quantization table that cannot exist.')
    components.push({ id, horizontalSampling, verticalSampling, quantizationTable })
  }
  return components
}
