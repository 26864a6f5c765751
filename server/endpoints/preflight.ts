import type { AddressVerdict, DestinationGuard } from '../outbound/destination.ts'
import { type Handshake, performHandshake } from '../outbound/handshake.ts'
import { deadlineMilliseconds } from '../outbound/post.ts'

export type Preflight = {
  ok: boolean
  /** Why the guard refused the URL; null if it did not. */
  detail: string | null
  addresses: Pick<AddressVerdict, 'address' | 'allowed' | 'reason'>[]
  /** Null if the guard refused the URL, because then we don't connect. */
  tls: Handshake | null
}

/** What a delivery to this URL would run into, without sending anything. */
export async function preflight(
  { guard, destinationCa, clock }: { guard: DestinationGuard; destinationCa: string | null; clock: () => Date },
  url: string,
): Promise<Preflight> {
  const signal = AbortSignal.timeout(deadlineMilliseconds)
  const vetting = await guard.vet(url, signal)
  const addresses = vetting.addresses.map(({ address, allowed, reason }) => ({ address, allowed, reason }))
  if (!vetting.ok) return { ok: false, detail: vetting.detail, addresses, tls: null }

  const tls = await performHandshake(vetting.destination, { extraCa: destinationCa, signal, now: clock() })
  return { ok: true, detail: null, addresses, tls }
}
