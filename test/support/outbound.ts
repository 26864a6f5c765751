import { createDestinationGuard } from '../../server/outbound/destination.ts'
import { createPoster, type PostResult } from '../../server/outbound/post.ts'

export type Outbound = {
  /** Vets the URL and posts to it, as a delivery does. */
  send(url: string, options?: SendOptions): Promise<PostResult>
  close(): Promise<void>
}

export type SendOptions = {
  deadline?: number
  body?: Uint8Array
  headers?: Record<string, string>
}

/** The way out with loopback opened and every name leading to `address` (127.0.0.1 unless told). */
export function createOutbound(options: { ca?: string; address?: () => string } = {}): Outbound {
  const address = options.address ?? (() => '127.0.0.1')
  const allowCidrs = ['127.0.0.0/8', '::1/128']
  const guard = createDestinationGuard({ resolve: async () => [address()], allowCidrs })
  const poster = createPoster(options.ca === undefined ? {} : { extraCa: options.ca })
  return {
    async send(url, { deadline = 5000, body = Buffer.from('{}'), headers = {} } = {}) {
      const signal = AbortSignal.timeout(deadline)
      const vetting = await guard.vet(url, signal)
      if (!vetting.ok) throw new Error(vetting.detail)
      return poster.post(vetting.destination, { headers, body, signal })
    },
    close: poster.close,
  }
}
