import { createDestinationGuard } from '../server/outbound/destination.ts'
import { createPoster, type PostResult } from '../server/outbound/post.ts'

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

export type OutboundOptions = { ca?: string; address?: () => string; idleTimeoutMilliseconds?: number }

/** Guard and poster with loopback allowed and every name resolving to `address` (default: 127.0.0.1). */
export function createOutbound(options: OutboundOptions = {}): Outbound {
  const address = options.address ?? (() => '127.0.0.1')
  const allowCidrs = ['127.0.0.0/8', '::1/128']
  const guard = createDestinationGuard({ resolve: async () => [address()], allowCidrs })
  const poster = createPoster({
    extraCa: options.ca ?? null,
    // Long, so that connection reuse doesn't depend on how busy the machine is.
    idleTimeoutMilliseconds: options.idleTimeoutMilliseconds ?? 60_000,
  })
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
