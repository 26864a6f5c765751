import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import { describeConnectionFailure } from '../connection-failure.ts'
import type { ProbeAnswer } from '../probe-answers.ts'
import type { ProbeRequest } from '../probes.ts'

const deadlineMilliseconds = 5_000
const slowPieces = 8

/** Sends as the service does: with POST, not following redirects, with five seconds to the last byte of the response. */
export function postTo(url: URL): (request: ProbeRequest) => Promise<ProbeAnswer> {
  return (request) => post(url, request, [request.body])
}

/** The same, but the body comes in chunks over most of a second. */
export function postSlowlyTo(url: URL): (request: ProbeRequest) => Promise<ProbeAnswer> {
  return (request) => {
    const size = Math.ceil(request.body.length / slowPieces)
    const pieces = Array.from({ length: slowPieces }, (_, index) =>
      request.body.subarray(index * size, (index + 1) * size),
    )
    return post(url, request, pieces)
  }
}

async function post(url: URL, { headers, body }: ProbeRequest, pieces: Uint8Array[]): Promise<ProbeAnswer> {
  const began = performance.now()
  const answer = await exchange(url, { ...headers, 'content-length': String(body.length) }, pieces)
  return { ...answer, milliseconds: performance.now() - began }
}

type Outcome = Omit<ProbeAnswer, 'milliseconds'>

function exchange(url: URL, headers: Record<string, string>, pieces: Uint8Array[]): Promise<Outcome> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(deadlineMilliseconds)
    const open = url.protocol === 'https:' ? requestHttps : requestHttp
    const outgoing = open(url, { method: 'POST', headers, agent: false, signal })
    const fail = (error: Error) => resolve({ status: null, error: describe(error, signal.aborted) })
    outgoing.on('error', fail)
    outgoing.on('response', (response) => {
      response.on('error', fail)
      response.on('end', () => resolve({ status: response.statusCode ?? null, error: null }))
      response.resume()
    })
    void write(pieces, (piece) => outgoing.write(piece)).then(() => outgoing.end())
  })
}

async function write(pieces: Uint8Array[], send: (piece: Uint8Array) => void): Promise<void> {
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await pause(100)
    send(piece)
  }
}

function describe(error: Error, timedOut: boolean): string {
  if (timedOut) return 'TIMEOUT: nothing within five seconds'
  const { code, reason } = describeConnectionFailure(error)
  if (/^(ENOTFOUND|EAI_)/.test(code ?? '')) return `DNS: ${reason}`
  if (/CERT|SSL|TLS|SELF_SIGNED|ISSUER|EPROTO|UNABLE_TO/.test(code ?? '')) return `TLS: ${reason}`
  return `NETWORK: ${reason}`
}
