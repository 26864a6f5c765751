/**
 * The cost of an event without the service: builds the same body, with the same HMAC, one image check and the same
 * keep-alive TLS connections, 64 at a time, but no database. Sends COUNT events and reports what it used.
 */
import { readFileSync } from 'node:fs'
import { createThumbnailChecker } from '../server/images/thumbnail-checker.ts'
import { createBareSender } from './bare-sender.ts'
import { scoring } from './results.ts'

const { URL: url = '', CA: extraCa = '', IMAGE: file = '', COUNT: count = '0' } = process.env
const image = readFileSync(file)
const checker = createThumbnailChecker()
const sender = createBareSender({ url, extraCa })

let left = Number(count)
await Promise.all(
  Array.from({ length: 64 }, async () => {
    while (left-- > 0) {
      const resultId = `res_${left}`
      const verdict = await checker.check(image)
      if (!verdict.ok) throw new Error('The image is refused')
      await sender.send({ resultId, interviewId: 'int_1', scoring, base64: image.toString('base64') })
    }
  }),
)
await sender.close()
await checker.close()
