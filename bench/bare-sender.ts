/** Sends an event as the service does: the same body, HMAC, destination check and keep-alive TLS connections. */
import { buildEvent, eventHeaders } from '../server/deliveries/event.ts'
import { sign } from '../server/endpoints/signature.ts'
import type { Scoring } from '../server/interviews/scoring.ts'
import { createDestinationGuard } from '../server/outbound/destination.ts'
import { createPoster } from '../server/outbound/post.ts'

export type BareEvent = { resultId: string; interviewId: string; scoring: Scoring; base64: string }

export function createBareSender({ url, extraCa }: { url: string; extraCa: string }) {
  const guard = createDestinationGuard({ resolve: async () => ['127.0.0.1'], allowCidrs: ['127.0.0.0/8'] })
  const poster = createPoster({ extraCa })
  return {
    async send({ resultId, interviewId, scoring, base64 }: BareEvent): Promise<void> {
      const signal = AbortSignal.timeout(5_000)
      const vetting = await guard.vet(url, signal)
      if (!vetting.ok) throw new Error('The destination is refused')
      const source = {
        resultId,
        occurredAt: '2026-01-02T03:04:05.678Z',
        completedAt: '2026-01-02T03:04:05.678Z',
        resultUrl: 'https://interviews.example/shared/interview-details/token',
        interviewId,
        template: { id: 'tpl_1', name: 'Backend engineer' },
        candidate: { id: 'cand_1', email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' },
        scoring,
      }
      const body = buildEvent(source, base64)
      const headers = eventHeaders(resultId, sign(body, 'whsec_bench_bench_bench', new Date()))
      const { error } = await poster.post(vetting.destination, { headers, body, signal })
      if (error !== null) throw new Error(error)
    },
    close: () => poster.close(),
  }
}
