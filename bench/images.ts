import { createJpegDecoder } from '../server/images/jpeg-decode.ts'
import { walkJpeg } from '../server/images/jpeg-walk.ts'
import { createThumbnailChecker } from '../server/images/thumbnail-checker.ts'
import { photograph } from '../support/jpeg.ts'
import type { Pace } from './pace.ts'
import { type Row, rounded, type Table } from './table.ts'

/** Measures the CPU time of checking one image, which other programs on the machine don't affect. */
export async function measureImages(pace: Pace): Promise<Table[]> {
  const photographs = [
    { width: 128, height: 96, quality: 75 },
    { width: 480, height: 360, grain: 24 },
    { width: 960, height: 720, grain: 30 },
    { width: 1250, height: 800, quality: 95, grain: 80 },
  ]
  const images = photographs.flatMap((options) =>
    [false, true].map((progressive) => ({ progressive, image: photograph({ ...options, progressive }) })),
  )
  const decoder = createJpegDecoder()
  const checker = createThumbnailChecker({ threads: 1 })
  const rows: Row[] = []
  for (const { progressive, image } of images) {
    const walk = await cost(pace, () => walkJpeg(image))
    const decode = await cost(pace, () => decoder.decodes(image))
    const sixteen = await cost(pace, () => Promise.all(Array.from({ length: 16 }, () => checker.check(image))))
    rows.push({
      image: `${(image.length / 1000).toFixed(1)} kB`,
      progressive: progressive ? 'yes' : 'no',
      walk: rounded(walk),
      'decode, if not plain': rounded(decode),
      'checked, 16 at a time': rounded(sixteen / 16),
    })
  }
  await checker.close()
  const note =
    'Photographs with grain, 4:2:0. Those that are not progressive are plain: the walk decides. The least of six rounds.'
  return [{ title: 'Checking one image, processor milliseconds', note, rows }]
}

async function cost(pace: Pace, work: () => unknown): Promise<number> {
  const rounds: number[] = []
  // The first rounds warm up.
  for (let round = 0; round < 6; round += 1) {
    const before = process.cpuUsage()
    let runs = 0
    let used = 0
    for (; used < (pace.quick ? 60 : 300) * 1000; runs += 1) {
      await work()
      const { user, system } = process.cpuUsage(before)
      used = user + system
    }
    rounds.push(used / 1000 / runs)
  }
  return Math.min(...rounds)
}
