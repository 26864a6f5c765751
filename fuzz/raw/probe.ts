import { once } from 'node:events'
import { get } from 'node:http'

const timeout = 300_000

/**
 * Resolves once the server has responded, or is gone. It accepts connections in order, so by then it has read from all
 * that were made before.
 */
export async function probe(port: number): Promise<void> {
  const signal = AbortSignal.timeout(timeout)
  const asked = get({ port, host: '127.0.0.1', path: '/healthz', agent: false, signal })
  asked.on('error', () => {})
  await once(asked, 'response').then(
    ([response]) => response.resume(),
    () => {},
  )
}
