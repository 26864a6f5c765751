import {
  COMMENT,
  END_OF_IMAGE,
  HUFFMAN_TABLES,
  join,
  QUANTIZATION_TABLES,
  RESTART_INTERVAL,
  randomNumbers,
  SCAN,
  type Segment,
  START_OF_IMAGE,
} from './jpeg.ts'
import {
  AC_COUNTS,
  createBitWriter,
  DC_COUNTS,
  writeAcBand,
  writeDcBits,
  writeEmptyBlocks,
  writeSequentialBlock,
} from './jpeg-blocks.ts'

export type ScanOptions = { components: number[]; first?: number; last?: number; previousBit?: number; bit?: number }

export type DrawingOptions = {
  width: number
  height: number
  frame?: 'baseline' | 'extended' | 'progressive'
  /** Horizontal and vertical sampling factors per component. */
  sampling?: [number, number][]
  scans?: ScanOptions[]
  restartInterval?: number
  /** Only zero coefficients and no restarts: a large image in few bytes, quick to write. */
  plain?: boolean
}

/**
 * An encoder for everything that the standard allows and ordinary encoders don't produce: any order of scans, any
 * sampling, any restart interval. It writes random coefficients; what they look like doesn't matter here.
 */
export function draw(drawing: DrawingOptions): Buffer {
  return join(drawSegments(drawing))
}

export function drawSegments(drawing: DrawingOptions): Segment[] {
  const { width, height, frame = 'baseline', sampling = [[1, 1]], restartInterval = 0 } = drawing
  const all = sampling.map((_, index) => index)
  const defaultScans = frame === 'progressive' ? progressiveScans(sampling.length) : [{ components: all }]
  const components = layOut(drawing, sampling)
  const frameBody = [8, height >> 8, height & 255, width >> 8, width & 255, sampling.length]
  for (const [index, [horizontal, vertical]] of sampling.entries()) {
    frameBody.push(index + 1, (horizontal << 4) | vertical, 0)
  }
  const segments: Segment[] = [
    { marker: START_OF_IMAGE, body: new Uint8Array() },
    { marker: COMMENT, body: Buffer.from('drawn') },
    { marker: QUANTIZATION_TABLES, body: Buffer.from([0, ...Array(64).fill(16)]) },
    { marker: { baseline: 0xc0, extended: 0xc1, progressive: 0xc2 }[frame], body: Buffer.from(frameBody) },
    {
      marker: HUFFMAN_TABLES,
      body: Buffer.from([0x00, ...DC_COUNTS, ...range(16), 0x10, ...AC_COUNTS, ...range(256)]),
    },
  ]
  if (restartInterval > 0) {
    segments.push({ marker: RESTART_INTERVAL, body: Buffer.of(restartInterval >> 8, restartInterval & 255) })
  }
  for (const scan of drawing.scans ?? defaultScans) {
    const { first = 0, last = frame === 'progressive' ? 0 : 63, previousBit = 0, bit = 0 } = scan
    const names = scan.components.flatMap((index) => [index + 1, 0])
    segments.push({
      marker: SCAN,
      body: Buffer.from([scan.components.length, ...names, first, last, (previousBit << 4) | bit]),
      data: writeScan({ components, drawing, scan: { components: scan.components, first, last, previousBit, bit } }),
    })
  }
  segments.push({ marker: END_OF_IMAGE, body: new Uint8Array() })
  return segments
}

/** The script most encoders use: everything in two steps, with the last bit separate. */
export function progressiveScans(componentCount: number): ScanOptions[] {
  const components = range(componentCount)
  return [
    { components, bit: 1 },
    ...components.map((index) => ({ components: [index], first: 1, last: 5, bit: 1 })),
    ...components.map((index) => ({ components: [index], first: 6, last: 63, bit: 1 })),
    ...components.map((index) => ({ components: [index], first: 1, last: 63, previousBit: 1, bit: 0 })),
    { components, previousBit: 1, bit: 0 },
  ]
}

type ComponentLayout = {
  horizontal: number
  vertical: number
  blocksAcross: number
  blocksDown: number
  stride: number
  rows: number
  coefficients: Int16Array
}

function layOut(drawing: DrawingOptions, sampling: [number, number][]): ComponentLayout[] {
  const widest = Math.max(...sampling.map(([horizontal]) => horizontal))
  const tallest = Math.max(...sampling.map(([, vertical]) => vertical))
  const unitsAcross = Math.ceil(drawing.width / (8 * widest))
  const unitsDown = Math.ceil(drawing.height / (8 * tallest))
  const random = randomNumbers(drawing.width * 7 + drawing.height)
  return sampling.map(([horizontal, vertical]) => {
    const stride = unitsAcross * horizontal
    const rows = unitsDown * vertical
    const coefficients = new Int16Array(drawing.plain ? 0 : stride * rows * 64)
    for (let block = 0; block < coefficients.length; block += 64) {
      coefficients[block] = Math.floor(random() * 100) - 50
      for (let count = 0; count < 6; count += 1) {
        coefficients[block + 1 + Math.floor(random() ** 2 * 63)] = Math.floor(random() * 14) - 7
      }
    }
    return {
      horizontal,
      vertical,
      blocksAcross: Math.ceil(Math.ceil((drawing.width * horizontal) / widest) / 8),
      blocksDown: Math.ceil(Math.ceil((drawing.height * vertical) / tallest) / 8),
      stride,
      rows,
      coefficients,
    }
  })
}

function writeScan(options: {
  components: ComponentLayout[]
  drawing: DrawingOptions
  scan: Required<ScanOptions>
}): Buffer {
  const { components, drawing, scan } = options
  if (drawing.plain) return writePlainScan(options)
  const writer = createBitWriter()
  const chosen = scan.components.flatMap((index) => components[index] ?? [])
  const predictions = chosen.map(() => 0)
  const writeBlock =
    drawing.frame === 'progressive' ? (scan.first > 0 ? writeAcBand : writeDcBits) : writeSequentialBlock
  let unitsWritten = 0
  for (const unit of unitsOf(chosen)) {
    if (drawing.restartInterval && unitsWritten > 0 && unitsWritten % drawing.restartInterval === 0) {
      writer.restart(unitsWritten / drawing.restartInterval - 1)
      predictions.fill(0)
    }
    for (const { which, block } of unit) {
      const coefficients = chosen[which]?.coefficients.subarray(block * 64, block * 64 + 64) ?? new Int16Array(64)
      predictions[which] = writeBlock(writer, coefficients, scan, predictions[which] ?? 0)
    }
    unitsWritten += 1
  }
  return writer.finish()
}

/** The first scan takes one or two zero bits per block. Any other skips all its blocks in a few long runs. */
function writePlainScan({ components, scan }: { components: ComponentLayout[]; scan: Required<ScanOptions> }): Buffer {
  const chosen = scan.components.flatMap((index) => components[index] ?? [])
  const [only] = chosen
  const blocks =
    only && chosen.length === 1
      ? only.blocksAcross * only.blocksDown
      : chosen.reduce((sum, { stride, rows }) => sum + stride * rows, 0)
  if (scan.first > 0) {
    const writer = createBitWriter()
    writeEmptyBlocks(writer, blocks)
    return writer.finish()
  }
  const bits = blocks * (scan.last > 0 ? 2 : 1)
  const data = Buffer.alloc(Math.ceil(bits / 8))
  if (bits % 8 > 0) data[data.length - 1] = 255 >> (bits % 8)
  return data
}

function* unitsOf(chosen: ComponentLayout[]): Generator<{ which: number; block: number }[]> {
  const [only] = chosen
  if (!only) return
  if (chosen.length === 1) {
    for (let row = 0; row < only.blocksDown; row += 1) {
      for (let column = 0; column < only.blocksAcross; column += 1)
        yield [{ which: 0, block: row * only.stride + column }]
    }
    return
  }
  const unitsAcross = only.stride / only.horizontal
  const unitsDown = only.rows / only.vertical
  for (let unit = 0; unit < unitsAcross * unitsDown; unit += 1) {
    const across = unit % unitsAcross
    const down = Math.floor(unit / unitsAcross)
    yield chosen.flatMap(({ horizontal, vertical, stride }, which) =>
      range(horizontal * vertical).map((index) => ({
        which,
        block: (down * vertical + Math.floor(index / horizontal)) * stride + across * horizontal + (index % horizontal),
      })),
    )
  }
}

export function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index)
}
