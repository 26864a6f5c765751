import { isIP } from 'node:net'
import {
  type ConnectionOptions,
  checkServerIdentity,
  createSecureContext,
  getCACertificates,
  type SecureContext,
} from 'node:tls'
import type { Destination } from './destination.ts'

const contexts = new Map<string | null, SecureContext>()

/** Trusts the public CAs and the operator's. Cached, because parsing 150 certificates blocks the event loop for 40 ms. */
export function secureContextFor(extraCa: string | null): SecureContext {
  const context = contexts.get(extraCa) ?? createContext(extraCa)
  contexts.set(extraCa, context)
  return context
}

function createContext(extraCa: string | null): SecureContext {
  const ca = extraCa === null ? {} : { ca: [...getCACertificates('default'), extraCa] }
  return createSecureContext({ minVersion: 'TLSv1.2', ...ca })
}

/** Connects to the vetted address only; the hostname is used solely to check the certificate. */
export function tlsOptions({ address, hostname, port }: Destination, secureContext: SecureContext): ConnectionOptions {
  return {
    host: address,
    port,
    ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
    checkServerIdentity: (_, certificate) => checkServerIdentity(hostname, certificate),
    secureContext,
    ALPNProtocols: ['http/1.1'],
  }
}
