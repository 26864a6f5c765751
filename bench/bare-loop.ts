/**
 * The cost of an event without the service: builds the same body, with the same HMAC, one image check and the same
 * keep-alive TLS connections, 64 at a time, but no database. Sends COUNT events and reports what it used.
 */
import { readFileSync } from 'node:fs'
import { buildEvent, eventHeaders } from '../server/deliveries/event.ts'
import { sign } from '../server/endpoints/signature.ts'
import { createThumbnailChecker } from '../server/images/thumbnail-checker.ts'
import { createDestinationGuard } from '../server/outbound/destination.ts'
import { createPoster } from '../server/outbound/post.ts'
import { scoring } from './results.ts'

const { URL: url = '', CA: extraCa = '', IMAGE: file = '', COUNT: count = '0' } = process.env
const image = readFileSync(file)
const guard = createDestinationGuard({ resolve: async () => ['127.0.0.1'], allowCidrs: ['127.0.0.0/8'] })
const checker = createThumbnailChecker()
const poster = createPoster({ extraCa })

let left = Number(count)
await Promise.all(
  Array.from({ length: 64 }, async () => {
    while (left-- > 0) await send(`res_${left}`)
  }),
)
await poster.close()
await checker.close()

async function send(resultId: string): Promise<void> {
  const verdict = await checker.check(image)
  const signal = AbortSignal.timeout(5_000)
  const vetting = await guard.vet(url, signal)
  if (!verdict.ok || !vetting.ok) throw new Error('The image or the destination is refused')
  const source = {
    resultId,
    occurredAt: '2026-01-02T03:04:05.678Z',
    completedAt: '2026-01-02T03:04:05.678Z',
    resultUrl: 'https://interviews.example/shared/interview-details/token',
    interviewId: 'int_1',
    template: { id: 'tpl_1', name: 'Backend engineer' },
    candidate: { id: 'cand_1', email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' },
    scoring,
  }
  const body = buildEvent(source, image.toString('base64'))
  const headers = eventHeaders(resultId, sign(body, 'whsec_bench_bench_bench', new Date()))
  const { error } = await poster.post(vetting.destination, { headers, body, signal })
  if (error !== null) throw new Error(error)
}
