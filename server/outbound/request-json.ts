import { request } from 'node:https'
import { describeFailure } from './connection-failures.ts'
import type { Destination, DestinationGuard } from './destination.ts'
import { userAgent } from './post.ts'
import { secureContextFor, tlsOptions } from './tls.ts'

export type JsonRequest = {
  method: 'GET' | 'POST'
  url: string
  headers?: Record<string, string>
  body?: string
}

export type JsonResult = { ok: true; status: number; body: unknown } | { ok: false; detail: string }

export type RequestJson = (wanted: JsonRequest) => Promise<JsonResult>

const maxBytes = 256 * 1024

/** Requests to a server that an organization named, such as its identity provider. No redirects are followed. */
export function createRequestJson({
  guard,
  extraCa,
  signal,
}: {
  guard: DestinationGuard
  extraCa: string | null
  /** The deadline for all requests together. */
  signal: AbortSignal
}): RequestJson {
  return async (wanted) => {
    const vetting = await guard.vet(wanted.url, signal)
    if (!vetting.ok) return { ok: false, detail: vetting.detail }
    return exchange(vetting.destination, wanted, { extraCa, signal })
  }
}

function exchange(
  destination: Destination,
  { method, headers, body }: JsonRequest,
  { extraCa, signal }: { extraCa: string | null; signal: AbortSignal },
): Promise<JsonResult> {
  const { promise, resolve } = Promise.withResolvers<JsonResult>()
  const fail = (detail: string) => resolve({ ok: false, detail })
  const outgoing = request({
    ...tlsOptions(destination, secureContextFor(extraCa)),
    // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED changes the default.
    rejectUnauthorized: true,
    agent: false,
    method,
    path: destination.url.pathname + destination.url.search,
    headers: {
      host: destination.url.host,
      'user-agent': userAgent,
      accept: 'application/json',
      'accept-encoding': 'identity',
      ...headers,
      ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
    },
    signal,
  })
  outgoing.on('error', (error) => {
    if (signal.aborted) return fail(`${destination.hostname} took too long to respond`)
    fail(describeFailure(error, { hostname: destination.hostname, phase: 'connect' }).detail ?? 'the connection failed')
  })
  outgoing.on('response', (response) => {
    const chunks: Buffer[] = []
    let bytes = 0
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > maxBytes) {
        outgoing.destroy()
        fail(`${destination.hostname} sent more than ${maxBytes / 1024} KiB`)
      }
      chunks.push(chunk)
    })
    response.on('error', () => fail(`${destination.hostname} ended the response early`))
    response.on('end', () => {
      const parsed = parse(Buffer.concat(chunks).toString('utf8'))
      if (parsed === undefined) return fail(`${destination.hostname} responded with something other than JSON`)
      resolve({ ok: true, status: response.statusCode ?? 0, body: parsed })
    })
  })
  // Also the end of what is neither a response nor an error, such as an upgrade that nobody asked for.
  outgoing.on('close', () => fail(`${destination.hostname} closed the connection without a response`))
  outgoing.end(body)
  return promise
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
