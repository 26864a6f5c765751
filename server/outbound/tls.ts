import { isIP } from 'node:net'
import {
  type ConnectionOptions,
  checkServerIdentity,
  createSecureContext,
  getCACertificates,
  type SecureContext,
} from 'node:tls'
import type { Destination } from './destination.ts'

/** Whose certificates are accepted: those of the public authorities, and of one more if the operator adds it. */
export function createTrust(extraCa: string | undefined): SecureContext {
  const ca = extraCa === undefined ? {} : { ca: [...getCACertificates('default'), extraCa] }
  return createSecureContext({ minVersion: 'TLSv1.2', ...ca })
}

/** Dials the vetted address and nothing else; the name only says whom the certificate must be valid for. */
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
