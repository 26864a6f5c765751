import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { createThumbnailChecker } from '../../server/images/thumbnail-checker.ts'
import { COMMENT, change, photograph, SCAN, split, withSegments } from '../../support/jpeg.ts'
import { draw, range, type ScanOptions } from '../../support/jpeg-drawing.ts'

const small = photograph({ width: 64, height: 64 })
// Too large to be checked without a thread.
const ordinary = photograph({ width: 160, height: 120, grain: 60 })
assert.ok(small.length <= 4_096 && ordinary.length > 4_096)

test('processes on one machine share its CPUs, and each has at least one thread', () => {
  const threads = (processes: number) => createThumbnailChecker({ processes }).threads
  assert.equal(threads(1), Math.max(1, availableParallelism() - 1))
  assert.equal(threads(availableParallelism()), 1)
})

test('a valid image that takes too long is rejected, and the next one gets a new thread · THU-6', async (t) => {
  const checker = createThumbnailChecker({ threads: 1, timeLimitMilliseconds: 20 })
  t.after(() => checker.close())
  const heavy = draw({ width: 2800, height: 2800, frame: 'progressive', plain: true, scans: sixtyFourScans() })
  const late = {
    ok: false,
    error: 'THUMBNAIL_TOO_COSTLY',
    detail: 'The image takes too long to decode.',
    transient: true,
  }

  assert.deepEqual(await checker.check(heavy), late)
  // On a busy machine even an ordinary image may occasionally time out.
  const next: boolean[] = []
  while (!next.includes(true) && next.length < 50) next.push((await checker.check(ordinary)).ok)
  assert.ok(next.includes(true))
  assert.deepEqual(await checker.check(heavy), late)
})

test('checking hostile images does not block the event loop · THU-6', async (t) => {
  const checker = createThumbnailChecker()
  t.after(() => checker.close())
  const images = hostileImages()
  for (const image of images) assert.ok(image.length <= 1_000_000)
  await checker.check(small)

  const longest = await longestBlock(() => Promise.all(images.map((image) => checker.check(image))))
  assert.ok(longest < 50, `blocked for ${longest} ms`)
})

test('a check does not change the image', async (t) => {
  const checker = createThumbnailChecker()
  t.after(() => checker.close())
  const image = Buffer.from(small)
  await checker.check(image)
  assert.deepEqual(image, small)
})

test('a verdict does not depend on earlier checks', async (t) => {
  const checker = createThumbnailChecker({ threads: 1 })
  t.after(() => checker.close())
  for (let round = 0; round < 20; round += 1) {
    assert.equal((await checker.check(brokenForTheDecoder())).ok, false)
    assert.equal((await checker.check(ordinary)).ok, true)
  }
})

test('a small plain image needs no thread; any other does', async () => {
  const checker = createThumbnailChecker({ threads: 1 })
  await checker.close()
  assert.deepEqual(await checker.check(small), { ok: true })
  const manyBlocks = draw({ width: 800, height: 800, plain: true })
  const progressive = photograph({ width: 64, height: 64, progressive: true })
  assert.ok(manyBlocks.length <= 4_096 && progressive.length <= 4_096)
  for (const image of [ordinary, manyBlocks, progressive, small.subarray(0, -2), brokenForTheDecoder()]) {
    await assert.rejects(checker.check(image), /closed/)
  }
})

test('threads with work keep the process alive, idle ones do not, and nothing is printed', async () => {
  const script = `
    import { createThumbnailChecker } from ${JSON.stringify(new URL('../../server/images/thumbnail-checker.ts', import.meta.url))}
    const verdict = await createThumbnailChecker().check(Buffer.from('${ordinary.toString('base64')}', 'base64'))
    const other = await createThumbnailChecker().check(Buffer.from('${brokenForTheDecoder().toString('base64')}', 'base64'))
    process.stdout.write([verdict.ok, other.ok].join())
  `
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script])
  assert.equal(stdout, 'true,false')
  assert.equal(stderr, '')
})

/** An image that only the decoder rejects: its components have incompatible sizes. */
function brokenForTheDecoder(): Buffer {
  const sampling: [number, number][] = [
    [3, 1],
    [2, 1],
    [1, 1],
  ]
  return draw({ width: 40, height: 40, sampling })
}

/** Each is within all size limits and as expensive as possible to read or decode. */
function hostileImages(): Buffer[] {
  const head = Buffer.from(draw({ width: 4000, height: 4000, plain: true }).subarray(0, 400))
  return [
    draw({
      width: 4000,
      height: 4000,
      sampling: [
        [2, 2],
        [1, 1],
        [1, 1],
      ],
      plain: true,
    }),
    draw({ width: 2800, height: 2800, frame: 'progressive', plain: true, scans: sixtyFourScans() }),
    draw({ width: 1000, height: 1000, restartInterval: 1 }),
    ...smallHostileImages(),
    withSegments(small, Array(240_000).fill({ marker: COMMENT, body: Buffer.alloc(0) })),
    withSegments(small, Array(45_000).fill(tinyTable)),
    Buffer.concat([head, Buffer.alloc(999_000)]),
    Buffer.concat([small.subarray(0, 2), Buffer.alloc(999_000, 0xff)]),
    Buffer.concat([upToData(), Buffer.from('ff00'.repeat(490_000), 'hex')]),
  ]
}

/** As expensive to read as 4 KiB can be. */
function smallHostileImages(): Buffer[] {
  const images = [
    withSegments(small, Array(700).fill({ marker: COMMENT, body: Buffer.alloc(0) })),
    withSegments(small, Array(130).fill(tinyTable)),
    draw({ width: 64, height: 64, frame: 'progressive', plain: true, scans: sixtyFourScans() }),
    draw({ width: 800, height: 960, plain: true }),
    change(photograph({ width: 64, height: 64, progressive: true }), 0xc2, (frame) => {
      frame.writeUInt16BE(4_000, 1)
      frame.writeUInt16BE(4_000, 3)
    }),
  ]
  for (const image of images) assert.ok(image.length <= 4_096, `${image.length} bytes`)
  return images
}

const tinyTable = { marker: 0xc4, body: Buffer.from([0x00, 1, ...Array(15).fill(0), 0]) }

function upToData(): Buffer {
  const scan = split(small).find((segment) => segment.marker === SCAN)
  return small.subarray(0, small.length - 2 - (scan?.data?.length ?? 0))
}

function sixtyFourScans(): ScanOptions[] {
  return [{ components: [0] }, ...range(63).map((index) => ({ components: [0], first: index + 1, last: index + 1 }))]
}

/**
 * The longest time the event loop was blocked during the work, in CPU milliseconds of this thread: on a busy machine other
 * processes may delay it for much longer.
 */
async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = process.threadCpuUsage()
  function measure(): void {
    const used = process.threadCpuUsage(last)
    longest = Math.max(longest, (used.user + used.system) / 1000)
    last = process.threadCpuUsage()
  }
  const looking = setInterval(measure, 1)
  await work()
  measure()
  clearInterval(looking)
  return longest
}
